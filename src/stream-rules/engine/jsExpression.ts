/**
 * Expressions of rules with `engine: js`: JavaScript's own, line-wise like the others, with flags in front as in `(?i)`.
 * Pure. They run only in `jsWorker.ts`, which can be ended.
 */
export type JsExpression =
  | { readonly ok: true; readonly program: undefined }
  | { readonly ok: false; readonly problem: string; readonly needsJs: false }

/** Throws a SyntaxError where it is not valid. */
export const jsExpression = (expression: string): RegExp => {
  const [whole, flags = ""] = /^\(\?([ims]+)\)/.exec(expression) ?? [""]
  return new RegExp(expression.slice(whole.length), [...new Set(`gm${flags}`)].join(""))
}

export const testJsExpression = (expression: string): JsExpression => {
  try {
    const compiled = jsExpression(expression)
    compiled.lastIndex = 0
    return compiled.test("")
      ? { ok: false, problem: "it matches the empty text", needsJs: false }
      : { ok: true, program: undefined }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return { ok: false, problem: cause.message.replace(/^Invalid regular expression: /, ""), needsJs: false }
  }
}
