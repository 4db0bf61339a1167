/** Finds an entry in the text of a config so that it can be marked there. */
import { placesAlong, placesIn } from '#lib/spec/json-text'

export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * The spans of an entry path; for the agent, those of its own keys. Empty when the text does not contain it.
 */
export function spansOf(text: string, path: string, agentKeys: readonly string[]): Span[] {
  if (path === 'agent') {
    const members = placesIn(text, placesAlong(text, [])[0]?.value ?? 0)
    return members.filter(({ key }) => agentKeys.includes(key)).map(({ from, to }) => ({ from, to }))
  }
  const steps = path.startsWith('parked/') ? ['canvas', ...path.split('/')] : path.split('/')
  const found = placesAlong(text, steps)[steps.length]
  return found === undefined ? [] : [{ from: found.value, to: found.to }]
}
