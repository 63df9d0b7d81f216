/**
 * The least an agent can cost: a loop that streams an answer, runs the shell commands it asks for and sends the results
 * back. No interface, sessions or permissions. `headless.ts` compiles it and measures maia against it.
 */
import { argv } from "node:process"

const [url, prompt = "go"] = argv.slice(2)
const messages: Array<unknown> = [{ role: "user", content: prompt }]

for (;;) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "test-model", stream: true, messages })
  })
  let text = ""
  let rest = ""
  const calls: Array<{ id: string; type: "function"; function: { name: string; arguments: string } }> = []
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue
      const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {}
      text += delta.content ?? ""
      for (const part of delta.tool_calls ?? []) {
        const call = (calls[part.index] ??= { id: part.id, type: "function", function: { name: "", arguments: "" } })
        call.function.name += part.function?.name ?? ""
        call.function.arguments += part.function?.arguments ?? ""
      }
    }
  }
  messages.push({ role: "assistant", content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) })
  if (calls.length === 0) {
    console.log(text)
    break
  }
  for (const call of calls) {
    const { command } = JSON.parse(call.function.arguments)
    const { stdout } = Bun.spawnSync(["bash", "--noprofile", "--norc", "-c", command])
    messages.push({ role: "tool", tool_call_id: call.id, content: stdout.toString() })
  }
}
