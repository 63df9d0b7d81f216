/**
 * Failures of WebFetch in the three classes of seed 003 ("Le contrat des outils"), so that a model corrects its call
 * only where the call is at fault. Pure.
 */
import { Schema } from "effect"

/** 1: not convertible; 2: not reachable (host, status, refusal, robots.txt); 3: the call is wrong. */
export class WebFailure extends Schema.TaggedError<WebFailure>()("WebFailure", {
  code: Schema.Literals([1, 2, 3]),
  /** Two or three words. */
  label: Schema.String,
  /** One or two sentences. */
  reason: Schema.String
}) {}

export const notConvertible = (label: string, reason: string): WebFailure => new WebFailure({ code: 1, label, reason })

export const notReachable = (label: string, reason: string): WebFailure => new WebFailure({ code: 2, label, reason })

export const wrongCall = (reason: string): WebFailure =>
  new WebFailure({ code: 3, label: "invalid argument", reason: `${reason} Correct your call.` })

/** What the model reads. */
export const failureText = ({ code, label, reason }: WebFailure): string =>
  `[WebFetch: error ${code} (${label}) — ${reason}]`
