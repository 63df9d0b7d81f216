/**
 * Which call a piece belongs to (spec 01, field cases A1 to A6): servers number and name calls so differently that it takes
 * several small rules, one idea each. Pure.
 */
import type { CallDelta } from "./callDelta.ts"
import type { JsonScan } from "./jsonScan.ts"

/** What the rules see of a call that is being assembled. */
export interface CallSoFar {
  readonly id: string
  readonly name: string
  readonly args: string
  readonly scan: JsonScan
}

const startsObject = (args: string): boolean => args.trimStart().startsWith("{")
const ended = (call: CallSoFar): boolean => call.scan.state === "complete" || call.scan.state === "overrun"

/** An index not seen before, with neither id nor name, goes on with the open call (MAIA §7.1). */
export const isFragment = (delta: CallDelta): boolean => delta.id === "" && delta.name === ""

/** The same id under a new index is the same call, unless a named call with arguments of its own follows a finished one. */
export const sameIdNewIndex = (call: CallSoFar, delta: CallDelta): boolean =>
  delta.name === "" || (delta.name === call.name && !(ended(call) && delta.args !== "" && delta.args !== call.args))

/**
 * A2 and A4: another id begins a new call when a name comes with it; without a name it goes on with the open one. A server
 * that makes up a new id and repeats the name on every piece is seen by arguments that are still open.
 */
export const otherIdBegins = (call: CallSoFar, delta: CallDelta): boolean =>
  delta.name !== "" && !(delta.name === call.name && call.scan.state === "open" && !startsObject(delta.args))

/** A3: the same id on every piece is one call, unless another tool follows a finished one under a constant id. */
export const sameIdBegins = (call: CallSoFar, delta: CallDelta): boolean =>
  delta.name !== "" && delta.name !== call.name && call.name !== "" && ended(call) && delta.args !== ""

/** Without ids to compare, a name begins a new call when the open one has a name and cannot go on. */
export const nameBegins = (call: CallSoFar, delta: CallDelta, declared: ReadonlySet<string>): boolean => {
  if (delta.name === "" || call.name === "") return false
  if (ended(call)) return delta.name !== call.name || (delta.args !== "" && delta.args !== call.args)
  if (call.args !== "") return delta.name !== call.name && (delta.args === "" || startsObject(delta.args))
  // Nothing but a name so far: two calls without arguments, or a name that comes in pieces.
  return (
    delta.name !== call.name &&
    declared.has(call.name) &&
    !declared.has(call.name + delta.name) &&
    !delta.name.startsWith(call.name)
  )
}

/** Without ids: the name came again after whole arguments. If arguments follow, they are those of a second call. */
export const nameAgain = (call: CallSoFar, delta: CallDelta): boolean =>
  delta.name !== "" && delta.name === call.name && delta.args === "" && ended(call)

export const begins = (call: CallSoFar, delta: CallDelta, declared: ReadonlySet<string>): boolean => {
  if (call.id === "" || delta.id === "") return nameBegins(call, delta, declared)
  return delta.id === call.id ? sameIdBegins(call, delta) : otherIdBegins(call, delta)
}

/** A name may be repeated on every piece, come in pieces, or grow from piece to piece. */
export const mergeName = (name: string, piece: string, declared: ReadonlySet<string>): string => {
  if (piece === "" || name === "") return name + piece
  if (declared.has(name + piece) && (piece !== name || !declared.has(name))) return name + piece
  if (piece === name) return name
  if (piece.startsWith(name)) return piece
  return declared.has(name) ? name : name + piece
}
