"""Starts LiteLLM's proxy by its own command line; lives until its standard input ends.

    python litellm_proxy.py --config config.yaml --host 127.0.0.1 --port 4000
"""

import os
import sys
import threading


def end_with_stdin() -> None:
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_stdin, daemon=True).start()

from litellm import run_server  # noqa: E402

run_server()
