/** Checks what the process that reads documents says, since a hostile file may speak through it. */
import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import type { DocumentSaid } from './document-wire'

const count = z.int().nonnegative()

const head = z.strictObject({
  sheet: z.string().max(1_000),
  hidden: z.boolean(),
  columns: z.array(
    z.strictObject({
      name: z.string().max(1_000),
      type: z.enum(['integer', 'number', 'boolean', 'date', 'datetime', 'time', 'text']),
    }),
  ),
  headerRow: count.nullable(),
  rowCount: count,
  errorCells: count,
})

const format = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('xlsx') }),
  z.strictObject({
    kind: z.literal('csv'),
    encoding: z.enum(['utf-8', 'utf-16', 'latin-1']),
    delimiter: z.string().max(10),
  }),
])

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])

const said = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('table'), head }),
  z.strictObject({ type: z.literal('rows'), rows: z.array(z.array(value)) }),
  z.strictObject({ type: z.literal('done'), format }),
  z.strictObject({
    type: z.literal('text'),
    document: z.strictObject({
      kind: z.enum(['pdf', 'docx', 'xlsx', 'text']),
      summary: z.string().max(100_000),
      text: z.string(),
      lines: count.optional(),
      pages: count.optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('failed'),
    code: z.enum([
      'not_supported',
      'not_text',
      'damaged',
      'encrypted',
      'unknown_sheet',
      'bad_range',
      'too_large',
    ]),
    message: z.string().max(20_000),
  }),
]) satisfies z.ZodType<DocumentSaid>

/** Undefined for a line that breaks the rules. */
export function readSaid(line: string): DocumentSaid | undefined {
  return said.safeParse(tryParseJson(line)).data
}
