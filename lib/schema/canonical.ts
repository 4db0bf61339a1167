/** Makes texts that are equal exactly when two JSON values are, whatever the order of their keys. */
import type { JsonValue } from '#lib/spec/json'
import { maxDepth, Unchecked, type Work } from './work'

export function canonicalKey(value: JsonValue, work: Work, depth = 0): string {
  work.spend(typeof value === 'string' ? 10 + value.length / 4 : 10)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth > maxDepth) throw new Unchecked(`the value is nested more than ${maxDepth} levels deep`)
  if (Array.isArray(value)) return `[${value.map((each) => canonicalKey(each, work, depth + 1)).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .map((key) => {
      work.spend(20 + key.length / 4)
      return `${JSON.stringify(key)}:${canonicalKey(value[key] ?? null, work, depth + 1)}`
    })
  return `{${members.join(',')}}`
}
