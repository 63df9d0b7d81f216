/**
 * A token count without the vocabulary: for what is shown before it is loaded, and for runs too short to come near a window,
 * which never load it. Pure and linear.
 */

/** UTF-16 units of ASCII a token has on average: 3.6 in code, more in prose. */
const ASCII_PER_TOKEN = 3.4
/** Tokens a unit of other scripts costs: between 0.4 (Cyrillic) and 1 (rare ideographs). */
const TOKENS_PER_WIDE = 0.7

/** What a count can be at most, as a multiple of its estimate (base64 is the worst text there is in practice). */
export const ESTIMATE_MARGIN = 2.5

export const estimateTokens = (text: string): number => {
  let wide = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) wide++
  return Math.ceil((text.length - wide) / ASCII_PER_TOKEN + wide * TOKENS_PER_WIDE)
}
