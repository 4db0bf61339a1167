/** Removes known secrets from everything that a body returns or shows. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { Redact } from '#lib/spec/redact'

interface Redacting {
  readonly redact?: Redact | undefined
}

export function redactText({ redact }: Redacting, text: string): string {
  return redact?.(text) ?? text
}

/** Redacts every string and number of the object, keys included. */
export function redactKeyed({ redact }: Redacting, value: JsonObject): JsonObject {
  return redact === undefined ? value : redactEntries(value, redact)
}

/** Redacts every string and number of the blocks, keys and column names included. */
export function redactBlocks({ redact }: Redacting, blocks: Block[]): Block[] {
  if (redact === undefined) return blocks
  return blocks.map((block): Block => {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: redact(block.text) }
      case 'image':
        return block
      case 'json':
        return { type: 'json', value: redactJson(block.value, redact) }
      case 'table':
        return {
          type: 'table',
          columns: block.columns.map((each) => redact(each)),
          rows: block.rows.map((row) => row.map((cell) => redactJson(cell, redact))),
        }
    }
    return block satisfies never
  })
}

function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number') {
    const written = String(value)
    const shown = redact(written)
    return shown === written ? value : shown
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => redactJson(each, redact))
  return redactEntries(value, redact)
}

function redactEntries(value: JsonObject, redact: Redact): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redact(key), redactJson(each, redact)]),
  )
}
