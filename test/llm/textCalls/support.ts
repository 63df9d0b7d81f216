/** Texts that are calls and texts that are none, by format: the tests of the recogniser and of the filter share them. */
import type { ToolSpec } from "../../../src/domain/llm.ts"

const spec = (name: string, properties: Record<string, unknown>): ToolSpec => ({
  name,
  description: name,
  parameters: { type: "object", properties }
})

export const specs: ReadonlyArray<ToolSpec> = [
  spec("Bash", { command: { type: "string" }, timeout_s: { type: "number" } }),
  spec("Read", { path: { type: "string" }, limit: { type: "integer" } }),
  spec("Edit", { path: { type: "string" }, edits: { type: "array" } }),
  spec("BashOutput", { id: { type: "string" } }),
  spec("CurrentModel", {})
]

export interface Fires {
  readonly text: string
  readonly calls: ReadonlyArray<readonly [name: string, input: unknown]>
}

export interface FormatCases {
  readonly fires: ReadonlyArray<Fires>
  /** Whole answers that stay text. */
  readonly stays: ReadonlyArray<string>
}

const ls = ["Bash", { command: "ls" }] as const
const read = ["Read", { path: "a.txt" }] as const
const one = (text: string, call: readonly [string, unknown] = ls): Fires => ({ text, calls: [call] })
const two = (text: string): Fires => ({ text, calls: [ls, read] })

const LS = '{"name": "Bash", "arguments": {"command": "ls"}}'
const READ = '{"name": "Read", "arguments": {"path": "a.txt"}}'
const UNKNOWN = '{"name": "Python", "arguments": {"code": "1"}}'

export const cases: Readonly<Record<string, FormatCases>> = {
  "JSON between tags": {
    fires: [
      one(`<tool_call>\n${LS}\n</tool_call>`),
      one(`\n\n  <tool_call>${LS}</tool_call>\n`),
      two(`<tool_call>\n${LS}\n</tool_call>\n<tool_call>\n${READ}\n</tool_call>`),
      two(`<tool_call>\n${LS}\n${READ}\n</tool_call>`),
      two(`<tool_call>[${LS}, ${READ}]</tool_call>`),
      one(`<tool_call>\n${LS}`),
      two(`<tool_call>\n${LS}\n<tool_call>\n${READ}`),
      one(`<tool_call>\n${LS}\n</tool_call><|im_end|>`),
      one(`<tool_call>{"name": "Bash", "arguments": {"command": "ls"}</tool_call>`),
      one(`<tool_call>{"name": "Bash", "arguments": {"command": "ls"}}}</tool_call>`),
      one(`<tool_call>{"arguments": {"command": "ls"}, "name": "Bash"}</tool_call>`),
      one(`<tool_call>{"name": "Bash", "arguments": "{\\"command\\": \\"ls\\"}"}</tool_call>`),
      one(`<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>`),
      one(`<tool_call>{"name": "functions.Bash", "arguments": {"command": "ls"}}</tool_call>`),
      one(`<tool_call>{"name": "CurrentModel"}</tool_call>`, ["CurrentModel", {}]),
      one(`<tool_call>{"name": "CurrentModel", "arguments": null}</tool_call>`, ["CurrentModel", {}]),
      one(`<tool_call>{"name": "Bash", "arguments": {"command": "echo </tool_call>"}}</tool_call>`, [
        "Bash",
        { command: "echo </tool_call>" }
      ]),
      one(`<tool_call>{"name": "Bash", "arguments": {"command": "cat <<E\nx\tä😀\nE"}}</tool_call>`, [
        "Bash",
        { command: "cat <<E\nx\tä😀\nE" }
      ]),
      one(`<tool_call>\n{'name': 'Bash', 'arguments': {'command': 'ls'}}\n</tool_call>`),
      one(`<tool_call>{ 'arguments': {'path': "it's", 'limit': None}, 'name': 'Read'}</tool_call>`, [
        "Read",
        { path: "it's", limit: null }
      ]),
      one(`<tools>${LS}</tools>`),
      one(`<function_call>${LS}</function_call>`),
      one(`<TOOLCALL>[${LS}]</TOOLCALL>`),
      one(`<|tool_call|>[${LS}]<|/tool_call|>`),
      one(`[TOOL_REQUEST]${LS}[END_TOOL_REQUEST]`),
      one(` functools[${LS}]`),
      one(`<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "Bash", "parameters": {"command": "ls"}}]<|END_ACTION|>`)
    ],
    stays: [
      `I will look.\n<tool_call>\n${LS}\n</tool_call>`,
      `<tool_call>\n${LS}\n</tool_call>\nThis lists the files.`,
      `<tool_call>\n${LS}\n</tool_call>\nand\n<tool_call>\n${READ}\n</tool_call>`,
      `<tool_call>\n${UNKNOWN}\n</tool_call>`,
      `<tool_call>\n${LS}\n</tool_call>\n<tool_call>\n${UNKNOWN}\n</tool_call>`,
      "<tool_call> is the tag that Hermes models write.",
      "<tool_call></tool_call>",
      `<tool_call>{"name": "Bash", "description": "runs", "arguments": {}}</tool_call>`,
      `<tool_call>{'name': 'Python', 'arguments': {}}</tool_call>`,
      `<tool_call>{'name': f(x)}</tool_call>`,
      `<tool_result>${LS}</tool_result>`,
      `<!-- ${LS} -->`
    ]
  },
  fenced: {
    fires: [
      one("```json\n" + LS + "\n```"),
      one("```\n" + LS + "\n```"),
      one("```tool_call\n" + LS + "\n```\n"),
      one("``` json \n" + LS + "\n```"),
      one("```xml\n<tool_call>\n" + LS + "\n</tool_call>\n```"),
      two("```json\n[" + LS + ",\n" + READ + "]\n```"),
      two("```json\n" + LS + "\n```\n\n```json\n" + READ + "\n```"),
      one('```json\n{\n  "tool": "Bash",\n  "args": {\n    "command": "ls"\n  }\n}\n```'),
      two('```tool_code\nBash(command="ls")\nRead(path="a.txt")\n```')
    ],
    stays: [
      "```json\n" + LS + "\n```\nThat is how a call looks.",
      "Here is an example:\n```json\n" + LS + "\n```",
      "```json\n" + UNKNOWN + "\n```",
      '```json\n{"name": "Bash", "version": "1.0"}\n```',
      '```json\n{"name": "Bash"}\n```',
      "```python\nBash(command='ls')\n```",
      "```ts\nconst a = 1\n```",
      "```xml\n<note>hi</note>\n```",
      "```tool_code\nprint(1)\n```",
      "```json\n" + LS + "\n// more\n```",
      "```"
    ]
  },
  "bare JSON": {
    fires: [
      one(LS),
      one(`  ${LS}\n`),
      two(`${LS}\n${READ}`),
      two(`[${LS}, ${READ}]`),
      one('{"name":"Bash","parameters":{"command":"ls"}}'),
      one('{"type":"function","function":{"name":"Bash","arguments":"{\\"command\\":\\"ls\\"}"},"id":"call_1"}'),
      one('{"type":"function","name":"Bash","parameters":{"command":"ls"}}'),
      two(`{"tool_calls":[{"id":"1","type":"function","function":${LS}},{"function":${READ}}]}`),
      one('{"function":"Bash","arguments":{"command":"ls"}}'),
      one('{"function_call":{"name":"Bash","arguments":"{\\"command\\":\\"ls\\"}"}}'),
      one('{"action":"Bash","action_input":{"command":"ls"}}'),
      one('{"tool":"Bash","tool_input":{"command":"ls"}}'),
      one('{"id": 7, "name": "Bash", "arguments": {"command": "ls"}}'),
      one('{"name": "BashOutput", "arguments": {"id": "1"}}', ["BashOutput", { id: "1" }])
    ],
    stays: [
      UNKNOWN,
      '{"name": "Alice", "arguments": {}}',
      '{"name": "Bash"}',
      '{"name": "Bash", "arguments": "ls"}',
      '{"name": "Bash", "arguments": [1]}',
      '{"name": "Bash", "arguments": {"command": ls}}',
      '{"name": "Bash", "arguments": {"command": "ls"}, "description": "runs a command"}',
      '{"name": "Bash", "arguments": {"command": "ls"}',
      '{"users": [{"name": "Bash"}]}',
      '{"type": "object", "properties": {}}',
      '{"input": {"name": "Bash"}}',
      `${LS}\nis the call.`,
      `{"call": ${LS}}`,
      "[1, 2, 3]",
      "[]",
      "{}",
      "[link](https://example.com)",
      "- [ ] todo"
    ]
  },
  "<function=name>": {
    fires: [
      one("<function=Bash>\n<parameter=command>\nls\n</parameter>\n</function>"),
      one("<tool_call>\n<function=Bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>"),
      one("<function=Bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>"),
      two(
        "<tool_call>\n<function=Bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=Read>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>"
      ),
      one('<function=Bash>{"command": "ls"}</function>'),
      one('<function=Bash{"command": "ls"}</function>'),
      one('<function=Bash>{"command": "ls"}'),
      one("<function=CurrentModel>\n</function>", ["CurrentModel", {}]),
      one("<function=Read>\n<parameter=path>\n12\n</parameter>\n<parameter=limit>\n12\n</parameter>\n</function>", [
        "Read",
        { path: "12", limit: 12 }
      ]),
      one("<function=Bash>\n<parameter=command>\n\nif [ 1 < 2 ]; then\n  ls\nfi\n\n</parameter>\n</function>", [
        "Bash",
        { command: "\nif [ 1 < 2 ]; then\n  ls\nfi\n" }
      ]),
      one(
        '<function=Edit><parameter=path>a</parameter><parameter=edits>[{"old":"x","new":"y"}]</parameter></function>',
        ["Edit", { path: "a", edits: [{ old: "x", new: "y" }] }]
      )
    ],
    stays: [
      "<function=Python>\n<parameter=code>\n1\n</parameter>\n</function>",
      "<function=Bash> runs a command.",
      "Use <function=Bash>\n<parameter=command>\nls\n</parameter>\n</function>",
      "<function=Bash>\n<parameter=command>\nls\n</parameter>\n</function> lists files",
      "<function>"
    ]
  },
  "<arg_key>": {
    fires: [
      one("<tool_call>Bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>"),
      one(
        "<tool_call>Read<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>limit</arg_key><arg_value>3</arg_value></tool_call>",
        ["Read", { path: "a", limit: 3 }]
      ),
      one("<tool_call>CurrentModel\n</tool_call>", ["CurrentModel", {}])
    ],
    stays: [
      "<tool_call>Python\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call>",
      "<tool_call>Bash is a tool"
    ]
  },
  "<invoke name=…>": {
    fires: [
      one('<invoke name="Bash">\n<parameter name="command">ls</parameter>\n</invoke>'),
      two(
        '<minimax:tool_call>\n<invoke name="Bash">\n<parameter name="command">ls</parameter>\n</invoke>\n<invoke name="Read">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>'
      ),
      one('<function_calls><invoke name="Bash"><parameter name="command">ls</parameter></invoke></function_calls>'),
      one(
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="Read">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n<｜DSML｜parameter name="limit" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
        ["Read", { path: "a", limit: 3 }]
      )
    ],
    stays: [
      '<invoke name="Python"><parameter name="a">b</parameter></invoke>',
      '<invoke name="Bash"> calls it',
      "<invoke>"
    ]
  },
  "[TOOL_CALLS]": {
    fires: [
      one(`[TOOL_CALLS][${LS}]`),
      two(`[TOOL_CALLS] [${LS}, ${READ}]</s>`),
      one(`[TOOL_CALLS]${LS}`),
      one('[TOOL_CALLS]Bash[ARGS]{"command": "ls"}'),
      one('[TOOL_CALLS]Bash{"command": "ls"}'),
      two('[TOOL_CALLS]Bash[ARGS]{"command": "ls"}[TOOL_CALLS]Read[ARGS]{"path": "a.txt"}'),
      one('[TOOL_CALLS]Bash[CALL_ID]abcdefghi[ARGS]{"command": "ls"}')
    ],
    stays: [
      `[TOOL_CALLS][${UNKNOWN}]`,
      '[TOOL_CALLS]Python[ARGS]{"a": 1}',
      `[TOOL_CALLS][${LS}] is what Mistral writes`,
      "[TOOL_CALLS] is a token",
      `So: [TOOL_CALLS][${LS}]`
    ]
  },
  "<|python_tag|>": {
    fires: [
      one('<|python_tag|>{"name": "Bash", "parameters": {"command": "ls"}}'),
      one('<|python_tag|>{"type": "function", "name": "Bash", "parameters": {"command": "ls"}}<|eom_id|>'),
      two(
        '<|python_tag|>{"name": "Bash", "parameters": {"command": "ls"}}; {"name": "Read", "parameters": {"path": "a.txt"}}'
      ),
      one('<|python_tag|>Bash(command="ls")')
    ],
    stays: ["<|python_tag|>import os", '<|python_tag|>print("x")', `<|python_tag|>${UNKNOWN}`]
  },
  "[name(a=b)]": {
    fires: [
      one('[Bash(command="ls")]'),
      two(`[Bash(command='ls'), Read(path="a.txt")]`),
      one('<|python_start|>[Bash(command="ls")]<|python_end|>'),
      one("[CurrentModel()]", ["CurrentModel", {}]),
      one("[Read(path='a', limit=-12)]", ["Read", { path: "a", limit: -12 }]),
      one(`[Edit(path="a", edits=[{"old": "x(", 'new': "it's"}, {"old": "", "new": None}])]`, [
        "Edit",
        {
          path: "a",
          edits: [
            { old: "x(", new: "it's" },
            { old: "", new: null }
          ]
        }
      ]),
      one('[Bash(command="a\\n\\"b\\" \\u00e9 \\x41 \\d", timeout_s=1.5)]', [
        "Bash",
        { command: 'a\n"b" é A \\d', timeout_s: 1.5 }
      ]),
      one('[Bash(command="""a\n"b"\n)]""")]', ["Bash", { command: 'a\n"b"\n)]' }])
    ],
    stays: [
      '[Python(code="1")]',
      '[Bash("ls")]',
      "[Bash(command=ls)]",
      "[Bash(command=open('x'))]",
      "[Bash (the shell) is here]",
      "[Bash]",
      "[Bash(1)](https://example.com)",
      '[Bash(command="ls")] lists the files'
    ]
  },
  "<｜tool▁calls▁begin｜>": {
    fires: [
      one(
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>Bash\n```json\n{"command": "ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>'
      ),
      one(
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>Bash<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
      ),
      two(
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>Bash<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>Read<｜tool▁sep｜>{"path": "a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
      ),
      one(
        '<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>Bash\n```json\n{"command": "ls"}\n```<|tool_call_end|>'
      )
    ],
    stays: [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>Python<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>',
      "<｜tool▁calls▁begin｜> is DeepSeek's token"
    ]
  },
  "<|tool_calls_section_begin|>": {
    fires: [
      one(
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.Bash:0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_calls_section_end|>'
      ),
      two(
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.Bash:0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_call_begin|>functions.Read:1<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>'
      )
    ],
    stays: [
      "<|tool_calls_section_begin|><|tool_call_begin|>functions.Python:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
      "<|tool_calls_section_begin|> opens a section"
    ]
  },
  "<|channel|>commentary to=": {
    fires: [
      one('<|channel|>commentary to=functions.Bash <|constrain|>json<|message|>{"command": "ls"}<|call|>'),
      one('<|start|>assistant<|channel|>commentary to=functions.Bash<|message|>{"command": "ls"}')
    ],
    stays: ["<|channel|>final<|message|>Hello", '<|channel|>commentary to=functions.Python<|message|>{"a": 1}<|call|>']
  }
}
