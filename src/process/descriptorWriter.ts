/**
 * Writes text to descriptors completely, however slow the reader (field case H1). What comes while a write is under way
 * goes out with the next one, so many small texts cost few writes.
 *
 * Raw `node:fs`: `process.stdout` drops what is not written when the process ends, and a blocking write would stop
 * signals from being seen; `fs.write` waits in a thread. Touches the descriptors it is given, nothing else.
 */
import * as fs from "node:fs"

export interface DescriptorWriter {
  readonly write: (descriptor: number, text: string) => void
  /** Characters that are not written yet. */
  readonly pending: () => number
  /** Calls back once fewer than `characters` are left to write, at once when that is so. Returns how to take it back. */
  readonly whenBelow: (characters: number, done: () => void) => () => void
  /** What made a descriptor unusable, `EPIPE` for a reader that has gone; undefined while it works. */
  readonly failure: (descriptor: number) => string | undefined
}

/** The part of `node:fs` in use; tests give another one. */
export type RawWrite = (
  descriptor: number,
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void
) => void

const rawWrite: RawWrite = (descriptor, bytes, done) => {
  fs.write(descriptor, bytes, 0, bytes.length, null, done)
}

/** Milliseconds until the next try on a descriptor that does not block and is full. */
const retryAfter = 5
/** Characters encoded at once. */
const batch = 1024 * 1024

interface Waiter {
  readonly below: number
  readonly done: () => void
}

export const makeDescriptorWriter = (raw: RawWrite = rawWrite): DescriptorWriter => {
  let queue: Array<{ readonly descriptor: number; text: string }> = []
  let pending = 0
  let busy = false
  const failures = new Map<number, string>()
  const waiters = new Set<Waiter>()

  const settle = (): void => {
    for (const waiter of waiters) {
      if (pending >= waiter.below) continue
      waiters.delete(waiter)
      waiter.done()
    }
  }

  const next = (): void => {
    const first = queue[0]
    if (first === undefined) {
      busy = false
      return
    }
    busy = true
    let text = first.text
    if (text.length > batch) {
      const end = splitsPair(text, batch) ? batch - 1 : batch
      text = text.slice(0, end)
      first.text = first.text.slice(end)
    } else {
      queue.shift()
    }
    send(first.descriptor, new TextEncoder().encode(text), () => {
      pending -= text.length
      settle()
      next()
    })
  }

  const send = (descriptor: number, bytes: Uint8Array, done: () => void): void => {
    raw(descriptor, bytes, (error, written) => {
      if (error === null) {
        if (written < bytes.length) send(descriptor, bytes.subarray(written), done)
        else done()
      } else if (error.code === "EAGAIN" || error.code === "EINTR") {
        setTimeout(() => send(descriptor, bytes, done), retryAfter)
      } else {
        fail(descriptor, error.code ?? error.message)
        done()
      }
    })
  }

  const fail = (descriptor: number, reason: string): void => {
    failures.set(descriptor, reason)
    for (const { descriptor: other, text } of queue) if (other === descriptor) pending -= text.length
    queue = queue.filter((item) => item.descriptor !== descriptor)
  }

  return {
    write: (descriptor, text) => {
      if (text === "" || failures.has(descriptor)) return
      pending += text.length
      const last = queue.at(-1)
      if (last?.descriptor === descriptor) last.text += text
      else queue.push({ descriptor, text })
      if (!busy) next()
    },
    pending: () => pending,
    whenBelow: (characters, done) => {
      const waiter = { below: characters, done }
      if (pending < characters) done()
      else waiters.add(waiter)
      return () => waiters.delete(waiter)
    },
    failure: (descriptor) => failures.get(descriptor)
  }
}

const splitsPair = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff
}
