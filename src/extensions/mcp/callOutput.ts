/** What an MCP tool or resource gave, as the output of a tool. Pure. */
import { Base64 } from "effect/encoding"
import type * as McpSchema from "effect/ai/McpSchema"
import { imageType } from "../../domain/imageType.ts"
import type { Attachment } from "../../domain/message.ts"
import type { ToolOutput } from "../../domain/tool.ts"

const MAX_IMAGE_BYTES = 5_000_000

/** Texts in order; images as attachments where the model takes them; anything else is named. */
export const callOutput = (result: McpSchema.CallToolResult, images: boolean): ToolOutput => {
  const attachments: Array<Attachment> = []
  const parts = result.content.map((block) => blockText(block, images, attachments)).filter((part) => part !== "")
  // Servers repeat the structured result as text for clients that know only text.
  if (parts.length === 0 && attachments.length === 0 && result.structuredContent !== undefined) {
    parts.push(JSON.stringify(result.structuredContent, null, 2))
  }
  const text = parts.join("\n")
  return {
    text: text === "" ? (attachments.length === 0 ? "(no output)" : "(see the image)") : text,
    ...(result.isError === true ? { isError: true } : {}),
    ...(attachments.length === 0 ? {} : { attachments })
  }
}

const blockText = (
  block: McpSchema.CallToolResult["content"][number],
  images: boolean,
  attachments: Array<Attachment>
): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image": {
      const mediaType = imageType(block.data) ?? block.mimeType
      if (!images || block.data.length > MAX_IMAGE_BYTES || !mediaType.startsWith("image/")) {
        return `[image ${block.mimeType}, ${block.data.length} bytes; not shown]`
      }
      attachments.push({ type: "image", mediaType, data: Base64.encode(block.data) })
      return ""
    }
    case "audio":
      return `[audio ${block.mimeType}, ${block.data.length} bytes; it cannot be heard here]`
    case "resource":
      return resourceText(block.resource)
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`
  }
}

export const resourceText = (resource: McpSchema.TextResourceContents | McpSchema.BlobResourceContents): string =>
  "text" in resource
    ? resource.text
    : `[${resource.mimeType ?? "binary data"} ${resource.uri}, ${resource.blob.length} bytes; not shown]`
