/** Parses origins typed one a line; addresses are cut to their origin. Pure. */

/** Each origin once, in the order typed; a full address counts by its origin. */
export function originsOf(text: string): string[] {
  const typed = text.split(/[\s,]+/).filter((each) => each !== '')
  return [...new Set(typed.map((each) => (isHttp(each) ? new URL(each).origin : each)))]
}

export function originFault(origins: readonly string[]): string | undefined {
  const wrong = origins.find((each) => !isHttp(each) && !isDatabase(each))
  return wrong === undefined
    ? undefined
    : `“${wrong}” is not an origin. An origin begins with https:// or http://.`
}

/** The server of a database, as the password of a connection has it. */
function isDatabase(text: string): boolean {
  return /^postgresql:\/\/[^/\s]+:\d+$/.test(text)
}

function isHttp(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
}
