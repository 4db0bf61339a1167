/**
 * The table of prices while it is edited: cells as typed, the error of each cell, and the rows to save. Pure.
 */
import { type PriceRow, priceRow } from '#lib/wire/settings'

export interface PriceDraft {
  /** Identifies the row while its cells change. */
  readonly id: number
  readonly model: string
  readonly provider: string
  readonly input: string
  readonly output: string
  readonly cached: string
}

export type PriceCell = Exclude<keyof PriceDraft, 'id'>

export function draftsOf(rows: readonly PriceRow[]): PriceDraft[] {
  return rows.map(({ model, provider, input, output, cached }, id) => ({
    id,
    model,
    provider: provider ?? '',
    input: String(input),
    output: String(output),
    cached: cached === undefined ? '' : String(cached),
  }))
}

export function emptyDraft(drafts: readonly PriceDraft[]): PriceDraft {
  const id = Math.max(-1, ...drafts.map((each) => each.id)) + 1
  return { id, model: '', provider: '', input: '', output: '', cached: '' }
}

/** The error of a cell, in one sentence. */
export function cellFault(draft: PriceDraft, cell: PriceCell): string | undefined {
  const text = draft[cell].trim()
  switch (cell) {
    case 'model':
      if (text === '') return 'A name of a model, or a pattern such as gpt-5*.'
      return text.length > 200 ? 'At most 200 characters.' : undefined
    case 'provider':
      return text.length > 64 ? 'At most 64 characters.' : undefined
    case 'cached':
      return text === '' ? undefined : priceFault(text)
    case 'input':
    case 'output':
      return text === '' ? 'A price in dollars; 0 where it costs nothing.' : priceFault(text)
    default:
      return cell satisfies never
  }
}

function priceFault(text: string): string | undefined {
  const value = readPrice(text)
  if (!Number.isFinite(value))
    return `“${text}” is no number${/^\d+,\d+$/.test(text) ? '; a fraction is written with a point' : ''}.`
  if (value < 0) return 'A price is not below 0.'
  return value > 1_000_000 ? 'At most 1,000,000.' : undefined
}

/** A leading dollar sign is ignored. */
function readPrice(text: string): number {
  const figure = text.trim().replace(/^\$\s*/, '')
  return figure === '' ? Number.NaN : Number(figure)
}

const cells: readonly PriceCell[] = ['model', 'provider', 'input', 'output', 'cached']

/** The rows to save; null while a cell has an error. */
export function rowsOfDrafts(drafts: readonly PriceDraft[]): PriceRow[] | null {
  if (drafts.some((each) => cells.some((cell) => cellFault(each, cell) !== undefined))) return null
  const rows = drafts.map((each) =>
    priceRow.safeParse({
      model: each.model.trim(),
      ...(each.provider.trim() !== '' && { provider: each.provider.trim() }),
      input: readPrice(each.input),
      output: readPrice(each.output),
      ...(each.cached.trim() !== '' && { cached: readPrice(each.cached) }),
    }),
  )
  return rows.every((each) => each.success) ? rows.map((each) => each.data) : null
}

/** Rows with the same model and provider as an earlier row: only one of them can count. */
export function findDuplicates(drafts: readonly PriceDraft[]): ReadonlySet<number> {
  const seen = new Set<string>()
  const found = new Set<number>()
  for (const { id, model, provider } of drafts) {
    const key = `${provider.trim()}\n${model.trim()}`
    if (model.trim() === '') continue
    if (seen.has(key)) found.add(id)
    seen.add(key)
  }
  return found
}
