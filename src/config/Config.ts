/**
 * Effective settings and the places of this run, read once at launch (spec 01, 02). Knows files and the environment;
 * nothing above it reads either for settings.
 */
import { Context, type Redacted } from "effect"
import type { Text } from "../domain/text.ts"
import type { Settings } from "./settings.ts"

/** Where an effective value comes from. */
export type Origin =
  | { readonly from: "default" }
  | { readonly from: "flag"; readonly name: string }
  | { readonly from: "environment"; readonly name: string }
  | { readonly from: "file"; readonly file: string; readonly line: number }

export interface PermissionRuleSource {
  /** `Tool` or `Tool(pattern)`, as written. */
  readonly rule: string
  readonly kind: "allow" | "ask" | "deny"
  readonly scope: "user" | "project" | "flag"
  readonly file: string
  /** From 1; 0 for rules that came from flags. */
  readonly line: number
}

/** Settings of an extension (servers, hooks), as written; whoever owns the key checks and merges them. */
export interface ExtensionSettings {
  readonly key: ExtensionKey
  readonly scope: "user" | "project"
  readonly file: string
  readonly line: number
  readonly value: unknown
}

export type ExtensionKey = "mcpServers" | "hooks" | "lsp"

export class Config extends Context.Service<
  Config,
  {
    /** Real path of the launch folder; the base of all relative paths. */
    readonly launchFolder: string
    /** Real path of the user's home. */
    readonly home: string
    /** `~/.maia`. */
    readonly userDir: string
    /** `<launch folder>/.maia`. */
    readonly projectDir: string
    /** Private folder (0700) for whole outputs of tools; Read may read it without asking. Made when first needed. */
    readonly outputDir: string
    /** Cache folder of the user (`~/.cache/maia` or `XDG_CACHE_HOME`); made when first needed. */
    readonly cacheDir: string
    /** The process environment as it was at launch. */
    readonly env: Readonly<Record<string, string | undefined>>
    readonly platform: NodeJS.Platform
    readonly settings: Settings
    readonly apiKey: Redacted.Redacted<string> | undefined
    /** By dotted key, for `maia config`. */
    readonly origins: ReadonlyMap<string, Origin>
    /** Rules of both settings files and of the flags, in file order; project allow rules included (trust decides later). */
    readonly rules: ReadonlyArray<PermissionRuleSource>
    /** The user's first. The project's count only while its folder is trusted. */
    readonly extensionSettings: ReadonlyArray<ExtensionSettings>
    readonly warnings: ReadonlyArray<Text>
    readonly language: "en" | "fr"
    /** Version of this build. */
    readonly version: string
  }
>()("maia/config/Config") {}
