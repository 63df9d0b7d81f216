/** The healthy server of the doctor's tests, for the executable. */
import { scriptedServer, type ScriptedResponse } from "../support/scriptedServer.ts"
import { healthy, topicOf } from "./support.ts"

export const examinedServer = (answer?: () => ScriptedResponse) =>
  scriptedServer((n, body) => answer?.() ?? healthy[topicOf(body)](n), {
    props: { default_generation_settings: { n_ctx: 32_768 } }
  })
