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
  readonly cacheWrite: string
  /** The row as it is stored; absent while it is new. */
  readonly stored?: PriceRow
}

export type PriceCell = Exclude<keyof PriceDraft, 'id' | 'stored'>

/** The model whose price somebody came to enter, and its provider or endpoint. */
export type WantedPrice = Pick<PriceDraft, 'model' | 'provider'>

export function draftsOf(rows: readonly PriceRow[]): PriceDraft[] {
  return rows.map((stored, id) => {
    const { model, provider, input, output, cached, cacheWrite } = stored
    return {
      id,
      model,
      provider: provider ?? '',
      input: String(input),
      output: String(output),
      cached: cached === undefined ? '' : String(cached),
      cacheWrite: cacheWrite === undefined ? '' : String(cacheWrite),
      stored,
    }
  })
}

/** The row of a model that is wanted, or a new one with the model and its provider filled in. */
export function withWanted(
  drafts: readonly PriceDraft[],
  { model, provider }: WantedPrice,
): { readonly drafts: readonly PriceDraft[]; readonly id: number } {
  const known = drafts.find((each) => each.model === model && each.provider === provider)
  if (known !== undefined) return { drafts, id: known.id }
  const fresh = { ...emptyDraft(drafts), model, provider }
  return { drafts: [...drafts, fresh], id: fresh.id }
}

export function emptyDraft(drafts: readonly PriceDraft[]): PriceDraft {
  const id = Math.max(-1, ...drafts.map((each) => each.id)) + 1
  return { id, model: '', provider: '', input: '', output: '', cached: '', cacheWrite: '' }
}

/** The error of a cell, in one sentence. */
export function cellFault(draft: PriceDraft, cell: PriceCell): string | undefined {
  const text = draft[cell].trim()
  switch (cell) {
    case 'model':
      if (text === '') return 'Enter the name of a model, or a pattern such as gpt-5*.'
      return text.length > 200 ? 'At most 200 characters.' : undefined
    case 'provider':
      return text.length > 64 ? 'At most 64 characters.' : undefined
    case 'cached':
    case 'cacheWrite':
      return text === '' ? undefined : priceFault(text)
    case 'input':
    case 'output':
      return text === '' ? 'Enter a price in dollars; 0 if it costs nothing.' : priceFault(text)
    default:
      return cell satisfies never
  }
}

function priceFault(text: string): string | undefined {
  const value = readPrice(text)
  if (!Number.isFinite(value))
    return `“${text}” is not a number${/^\d+,\d+$/.test(text) ? '; write decimals with a point' : ''}.`
  if (value < 0) return 'A price cannot be below 0.'
  return value > 1_000_000 ? 'At most 1,000,000.' : undefined
}

/** A leading dollar sign is ignored. */
function readPrice(text: string): number {
  const figure = text.trim().replace(/^\$\s*/, '')
  return figure === '' ? Number.NaN : Number(figure)
}

const cells: readonly PriceCell[] = ['model', 'provider', 'input', 'output', 'cached', 'cacheWrite']

/** The row of a draft; undefined while a cell has an error. */
export function rowOf(draft: PriceDraft): PriceRow | undefined {
  if (cells.some((cell) => cellFault(draft, cell) !== undefined)) return undefined
  const read = priceRow.safeParse({
    model: draft.model.trim(),
    ...(draft.provider.trim() !== '' && { provider: draft.provider.trim() }),
    input: readPrice(draft.input),
    output: readPrice(draft.output),
    ...(draft.cached.trim() !== '' && { cached: readPrice(draft.cached) }),
    ...(draft.cacheWrite.trim() !== '' && { cacheWrite: readPrice(draft.cacheWrite) }),
  })
  return read.success ? read.data : undefined
}

/** Nothing has been typed into a new row. */
export function isBlank(draft: PriceDraft): boolean {
  return draft.stored === undefined && cells.every((cell) => draft[cell].trim() === '')
}

export interface PriceSave {
  readonly rows: PriceRow[]
  /** The drafts once these rows are stored. */
  readonly drafts: readonly PriceDraft[]
}

/**
 * What to save: every complete row. A row with an error keeps its stored values until it is mended, and a new
 * one is left out; neither keeps the others from being saved. Undefined when nothing would change.
 */
export function saveOf(drafts: readonly PriceDraft[], before: readonly PriceRow[]): PriceSave | undefined {
  const next = drafts.map((each): PriceDraft => {
    const stored = rowOf(each) ?? each.stored
    return stored === undefined ? each : { ...each, stored }
  })
  const rows = next.flatMap(({ stored }) => stored ?? [])
  return JSON.stringify(rows) === JSON.stringify(before) ? undefined : { rows, drafts: next }
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
