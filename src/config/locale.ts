/** Language of the interface from the locale of the environment. Pure. */

/** `LC_ALL`, then `LC_MESSAGES`, then `LANG`; English for anything that is not French. */
export const localeLanguage = (env: Readonly<Record<string, string | undefined>>): "en" | "fr" =>
  /^fr/i.test(env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "") ? "fr" : "en"
