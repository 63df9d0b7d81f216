/**
 * The way from the terminal's raw input to events: decoder, then pastes that the terminal does not mark. The front end feeds
 * what it reads and calls `flush` about every 50 ms while `pending` and nothing comes.
 */
import { BurstCollector } from "./burst.ts"
import type { InputEvent } from "./inputEvent.ts"
import { KeyDecoder } from "./keys.ts"

export class TerminalInput {
  readonly #decoder = new KeyDecoder()
  readonly #burst = new BurstCollector()

  get pending(): boolean {
    return this.#decoder.pending || this.#burst.pending
  }

  feed(chunk: string | Uint8Array): ReadonlyArray<InputEvent> {
    return this.#burst.feed(this.#decoder.feed(chunk))
  }

  flush(): ReadonlyArray<InputEvent> {
    const keys = this.#decoder.flush()
    return [...this.#burst.flush(), ...keys]
  }
}
