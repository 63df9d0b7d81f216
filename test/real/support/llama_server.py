"""Serves a GGUF file with llama.cpp's own HTTP server, as the wheel of xllamacpp carries it (no build needed).

Prints `LISTENING <url>` once it answers and lives until its standard input ends, so that no server outlives the tests.
"""

import argparse
import os
import sys

import xllamacpp

arguments = argparse.ArgumentParser()
arguments.add_argument("--model", required=True)
arguments.add_argument("--alias", required=True)
arguments.add_argument("--ctx", type=int, required=True)
arguments.add_argument("--template", help="chat template, where the file's own has no tools")
arguments.add_argument("--api-key")
options = arguments.parse_args()

params = xllamacpp.CommonParams()
params.model.path = options.model
params.model_alias = {options.alias}
params.n_ctx = options.ctx
params.n_parallel = 1
# One thread: on a shared machine a second one waits for the first most of the time.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.cache_ram_mib = 512
params.sampling.temp = 0.0
params.sampling.seed = 1
params.use_jinja = True
params.endpoint_slots = True
params.endpoint_metrics = True
if options.template:
    with open(options.template, encoding="utf8") as file:
        params.chat_template = file.read()
if options.api_key:
    params.api_keys = [options.api_key]

server = xllamacpp.Server(params)
print(f"LISTENING {server.listening_address}", flush=True)
sys.stdin.read()
os._exit(0)
