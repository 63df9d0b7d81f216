/** How the files that a text names are handed to a model (spec 02, spec README "`@file`"). Pure. */
import { modelSettings } from "../config/modelSettings.ts"
import type { Settings } from "../config/settings.ts"
import type { MentionOptions } from "../tools/mentions.ts"

export type FileReading = Pick<MentionOptions, "images" | "mode">

export const fileReading = (settings: Settings, model: string): FileReading => {
  const { attachments = "content", images = true } = modelSettings(settings, model)
  return { mode: attachments, images }
}
