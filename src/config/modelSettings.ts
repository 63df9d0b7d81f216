/**
 * Settings of one model (spec 06, "Profiles"): what is known of its family and size, and over that all matching patterns of
 * the settings, the most precise one winning key by key. Pure.
 */
import { profiles, sizeProfiles, type Profile, type SizeProfile } from "./profiles.ts"
import type { ModelSettings, Settings } from "./settings.ts"

const matches = (pattern: string, model: string): boolean => {
  const parts = pattern.toLowerCase().split("*")
  const name = model.toLowerCase()
  const first = parts[0] ?? ""
  if (parts.length === 1) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts.at(-1) ?? ""
  return name.length - last.length >= at && name.endsWith(last)
}

/** Characters that are not `*`: the more of them, the more precise the pattern. */
const precision = (pattern: string): number => pattern.replaceAll("*", "").length + (pattern.includes("*") ? 0 : 1000)

/** Patterns that fit, the most precise last. Case is ignored; `*` matches anything. */
const fitting = (settings: Settings, model: string): ReadonlyArray<readonly [pattern: string, value: ModelSettings]> =>
  Object.entries(settings.models)
    .filter(([pattern]) => matches(pattern, model))
    .sort(([left], [right]) => precision(left) - precision(right))

/** Where a value of a model's settings comes from. */
export type ModelOrigin =
  | { readonly from: "profile"; readonly name: string }
  | { readonly from: "size"; readonly name: string }
  | { readonly from: "settings"; readonly pattern: string }

export interface ResolvedModel {
  readonly settings: ModelSettings
  readonly origins: ReadonlyMap<keyof ModelSettings, ModelOrigin>
  /** The family found by name or chosen by the setting `profile`; undefined where none fits. */
  readonly profile: Profile | undefined
}

const known = new WeakMap<Settings, Map<string, ResolvedModel>>()

/** All layers of one model: its family, its size, then the settings. Kept for settings that have been asked before. */
export const resolveModel = (settings: Settings, model: string): ResolvedModel => {
  const models = known.get(settings) ?? new Map<string, ResolvedModel>()
  known.set(settings, models)
  const before = models.get(model)
  if (before !== undefined) return before
  const resolved = resolve(settings, model)
  models.set(model, resolved)
  return resolved
}

const resolve = (settings: Settings, model: string): ResolvedModel => {
  const written = fitting(settings, model)
  const choice = written.findLast(([, value]) => value.profile !== undefined)?.[1].profile
  const profile = choice === undefined ? profileOf(model) : profiles.find(({ name }) => name === choice)
  const size = choice === NO_PROFILE ? undefined : sizeOf(model)
  const layers: ReadonlyArray<readonly [ModelOrigin, ModelSettings]> = [
    ...(profile === undefined ? [] : [[{ from: "profile", name: profile.name }, profile.settings] as const]),
    ...(size === undefined ? [] : [[{ from: "size", name: size.name }, size.settings] as const]),
    ...written.map(([pattern, value]) => [{ from: "settings", pattern }, value] as const)
  ]
  const origins = new Map<keyof ModelSettings, ModelOrigin>()
  let merged: ModelSettings = {}
  for (const [origin, values] of layers) {
    merged = { ...merged, ...values }
    // Keys of an object that has the type `ModelSettings`.
    for (const key of Object.keys(values) as ReadonlyArray<keyof ModelSettings>) origins.set(key, origin)
  }
  return { settings: merged, origins, profile }
}

/** `profile: "none"` in a model's settings: nothing but what the settings say. */
export const NO_PROFILE = "none"

/** The last part of `provider/owner/Name:tag`, lower case. */
const bareName = (model: string): string => model.toLowerCase().slice(model.lastIndexOf("/") + 1)

const profileOf = (model: string): Profile | undefined => profiles.find(({ match }) => match.test(bareName(model)))

/** `30b-a3b` has 30 billion parameters; of several numbers (`8x7b`) the product counts. Undefined where the name says none. */
export const parametersOf = (model: string): number | undefined => {
  const found = /(?<![\w.])(?:(\d+)x)?(\d+(?:\.\d+)?)(b|m)(?![a-z0-9])/.exec(bareName(model))
  if (found === null) return undefined
  const [, times = "1", number = "0", unit] = found
  return (Number(times) * Number(number)) / (unit === "m" ? 1_000 : 1)
}

const sizeOf = (model: string): SizeProfile | undefined => {
  const billions = parametersOf(model)
  return billions === undefined ? undefined : sizeProfiles.find(({ upTo }) => billions <= upTo)
}

/** Settings of one model: what is known of its family and size, and all matching patterns over that. */
export const modelSettings = (settings: Settings, model: string): ModelSettings =>
  resolveModel(settings, model).settings

/** `litellm:NAME` and `NAME` are the same model; the name may hold `:` and `/`. */
export const modelName = (spec: string): string => spec.trim().replace(/^litellm:/, "")
