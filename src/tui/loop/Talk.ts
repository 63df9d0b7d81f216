/**
 * The conversation that is going on in the terminal, and what may come after it. Commands get it; a compaction may put another
 * conversation in its place.
 */
import type { Effect, FileSystem, Path } from "effect"
import type { Agent } from "../../agent/Agent.ts"
import type { compactNow } from "../../agent/compactNow.ts"
import type { compactWhereFull } from "../../agent/compactWhereFull.ts"
import type { Conversation } from "../../agent/Conversation.ts"
import type { navigate } from "../../agent/navigate.ts"
import type { openConversation } from "../../agent/openConversation.ts"
import type { UserCommands } from "../../extensions/commands/UserCommands.ts"
import type { McpServers } from "../../extensions/mcp/McpServers.ts"
import type { Skills } from "../../extensions/skills/Skills.ts"
import type { LiteLlm } from "../../llm/LiteLlm.ts"
import type { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import type { Permissions } from "../../permissions/Permissions.ts"
import type { Shell } from "../../process/Shell.ts"
import type { OpenOptions } from "../../sessions/Sessions.ts"
import type { StreamRules } from "../../stream-rules/StreamRules.ts"
import type { TodoStore } from "../../tools/todo/TodoStore.ts"
import type { Usage } from "../../domain/message.ts"
import type { Ui } from "../Ui.ts"

/** All that the loop and its commands stand on. */
export type TalkServices =
  | Ui
  | Agent
  | LiteLlm
  | FolderTrust
  | FileSystem.FileSystem
  | Path.Path
  | Permissions
  | Shell
  | Skills
  | UserCommands
  | McpServers
  | StreamRules
  | TodoStore
  | Effect.Services<ReturnType<typeof openConversation>>
  | Effect.Services<ReturnType<typeof compactNow>>
  | Effect.Services<ReturnType<typeof compactWhereFull>>
  | Effect.Services<ReturnType<typeof navigate>>

/** Where to go on after this conversation. */
export interface Reopen {
  readonly session: OpenOptions
  /** What was said so far is shown again. */
  readonly showHistory: boolean
}

/** What the loop does after a command. */
export type Outcome =
  | { readonly type: "stay" }
  /** A turn of the model, without showing the text as typed. */
  | { readonly type: "turn"; readonly text: string }
  | { readonly type: "reopen"; readonly reopen: Reopen }
  | { readonly type: "leave" }

export const STAY: Outcome = { type: "stay" }

export interface Talk {
  conversation: Conversation
  /** Of the last answer. */
  usage: Usage | undefined
}
