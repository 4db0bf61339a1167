/** An answer of `fetch` in the form in which answers are read. */
import type { Incoming } from '#lib/spec/model'

export function incomingOf({ status, headers, body }: Response): Incoming {
  return { status, header: (name) => headers.get(name), body: body?.getReader() ?? null }
}
