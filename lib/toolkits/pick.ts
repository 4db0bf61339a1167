/** Applies the path of an entry's `pick` to the result of its tool: the model reads only what the path finds. */
import { type JsonValue, tryParseJson } from '#lib/spec/json'
import { type JsonPath, pickPath } from '#lib/spec/json-path'
import type { Block } from '#lib/spec/message'
import { json, type ToolOutput, text } from '#lib/spec/tool'

/**
 * Picks from the first block that is JSON. A failure and a question stay as they are. Where there is no JSON, or the path finds
 * nothing, the model reads that: the rest of the result never gets through.
 */
export function pickOutput(output: ToolOutput, path: JsonPath): ToolOutput {
  if (output.ok !== true) return output
  const { metadata, note } = output
  const more = { ...(metadata && { metadata }), ...(note !== undefined && { note }) }
  return { ...pickFrom(output.blocks, path), ...more }
}

function pickFrom(blocks: readonly Block[], path: JsonPath): ToolOutput {
  for (const block of blocks) {
    const value = valueIn(block)
    if (value === undefined) continue
    const found = pickPath(value, path)
    if (found === undefined) return text('(The path set for this result finds nothing in it.)')
    return typeof found === 'string' ? text(found) : json(found)
  }
  return text('(The result is not JSON, so nothing could be picked from it.)')
}

/** A result as JSON: a table is a list of objects, and a text may hold JSON. Undefined for anything else. */
function valueIn(block: Block): JsonValue | undefined {
  switch (block.type) {
    case 'json':
      return block.value
    case 'text':
      return tryParseJson(block.text)
    case 'table':
      return block.rows.map((row) =>
        Object.fromEntries(block.columns.map((column, index) => [column, row[index] ?? null])),
      )
    case 'image':
      return undefined
  }
  return block satisfies never
}
