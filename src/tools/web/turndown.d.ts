/** The part of turndown 7.2 that `htmlToMarkdown.ts` uses; the package ships no types. */
declare module "turndown" {
  export interface TurndownOptions {
    readonly headingStyle?: "setext" | "atx"
    readonly codeBlockStyle?: "indented" | "fenced"
    readonly bulletListMarker?: "-" | "+" | "*"
    readonly hr?: string
  }
  export interface TurndownRule {
    readonly filter: string | ReadonlyArray<string> | ((node: Node) => boolean)
    readonly replacement: (content: string, node: Node) => string
  }
  export default class TurndownService {
    constructor(options?: TurndownOptions)
    addRule(key: string, rule: TurndownRule): this
    turndown(input: string | Node): string
  }
}
