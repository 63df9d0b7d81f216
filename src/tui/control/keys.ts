/** A first reading of raw input into keys; text stays text. */

export type Key = { readonly type: "text"; readonly text: string } | { readonly type: "key"; readonly name: string }

const NAMED: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\u001b\r": "newline",
  "\u001b": "escape",
  "\u0003": "ctrl+c",
  "\u0004": "ctrl+d",
  "\u0007": "ctrl+g",
  "\u000f": "ctrl+o",
  "\u0015": "ctrl+u",
  "\u001a": "ctrl+z",
  "\u007f": "backspace",
  "\u001b[A": "up",
  "\u001b[B": "down",
  "\u001b[C": "right",
  "\u001b[D": "left",
  "\u001b[Z": "shift+tab",
  "\t": "tab"
}

const TOKEN = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\r|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g

export const readKeys = (bytes: Uint8Array): ReadonlyArray<Key> =>
  [...new TextDecoder().decode(bytes).matchAll(TOKEN)].flatMap(([token]): ReadonlyArray<Key> => {
    const name = NAMED[token]
    if (name !== undefined) return [{ type: "key", name }]
    return /^[\u0000-\u001f]/.test(token) ? [] : [{ type: "text", text: token }]
  })
