/** What reading an OpenAPI document has changed, in a sentence or two. */
import type { AddedOpenapiDocument } from '#lib/wire/openapi-documents'

export function changeWords({
  document: { name, operations, usedBy },
  changes,
}: AddedOpenapiDocument): string {
  if (changes === null) return `${name} was added with ${operationsInWords(operations)}.`
  const { added, changed, removed } = changes
  const parts = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ]
  if (parts.length === 0) return `${name} was read again. No operation has changed.`
  const isUsed = usedBy.length > 0 && changed.length + removed.length > 0
  const advice =
    ' Agents do not use those that have changed or are gone until you have looked at them in the agent.'
  return `${name} was read again: ${parts.join(', ')}.${isUsed ? advice : ''}`
}

/** `1 operation`, `500 operations`. */
export function operationsInWords(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'operation' : 'operations'}`
}
