/**
 * The prices that come with the product: US dollars for a million tokens, as the providers published them for standard
 * requests. Long prompts, batches and faster tiers cost otherwise; models whose price was not certain are left out.
 */
import type { PriceRow } from '#lib/wire/settings'

/** The day on which the providers' pages were read. */
export const pricesAsOf = '2026-10-27'

type Figures = readonly [input: number, output: number, cached?: number]

/** A name, or with a star every name that begins so. */
const openai: Readonly<Record<string, Figures>> = {
  'gpt-6-astra*': [10, 50, 1],
  'gpt-6.1-sol*': [2, 10, 0.1],
  'gpt-6-sol*': [2, 10, 0.2],
  'gpt-6.1-terra*': [1, 5, 0.05],
  'gpt-6-luna*': [0.1, 0.5, 0.01],
  'gpt-5.6-sol*': [4, 20, 0.4],
  'gpt-5.6-terra*': [2, 12, 0.2],
  'gpt-5.6-luna*': [0.2, 1.2, 0.02],
  'gpt-5.5': [5, 30, 0.5],
  'gpt-5.5-pro*': [30, 180],
  'gpt-5.4': [2.5, 15, 0.25],
  'gpt-5.4-mini*': [0.75, 4.5, 0.075],
  'gpt-5.4-nano*': [0.2, 1.25, 0.02],
  'gpt-5.4-pro*': [30, 180],
  'gpt-5.2': [1.75, 14, 0.175],
  'gpt-5.2-pro*': [21, 168],
  'gpt-5.1': [1.25, 10, 0.125],
  'gpt-5': [1.25, 10, 0.125],
  'gpt-5-mini*': [0.25, 2, 0.025],
  'gpt-5-nano*': [0.05, 0.4, 0.005],
  'gpt-4.1': [2, 8, 0.5],
  'gpt-4.1-mini*': [0.4, 1.6, 0.1],
  'gpt-4.1-nano*': [0.1, 0.4, 0.025],
  'gpt-4o': [2.5, 10, 1.25],
  'gpt-4o-mini': [0.15, 0.6, 0.075],
}

const anthropic: Readonly<Record<string, Figures>> = {
  'claude-fable-5-1*': [10, 50, 0.25],
  'claude-fable-5': [10, 50, 1],
  'claude-opus-5-5*': [4, 20, 0.2],
  'claude-opus-5': [5, 25, 0.5],
  'claude-opus-4-8*': [5, 25, 0.5],
  'claude-opus-4-7*': [5, 25, 0.5],
  'claude-opus-4-6*': [5, 25, 0.5],
  'claude-opus-4-5*': [5, 25, 0.5],
  'claude-sonnet-5-5*': [2, 10, 0.1],
  'claude-sonnet-5': [2, 10, 0.2],
  'claude-sonnet-4-6*': [3, 15, 0.3],
  'claude-sonnet-4-5*': [3, 15, 0.3],
  // For prompts of up to 100,000 tokens; longer ones cost five times as much.
  'claude-haiku-5-5*': [0.1, 0.5, 0.01],
  'claude-haiku-4-5*': [1, 5, 0.1],
}

/** The rows as Settings shows them. */
export const defaultPrices: readonly PriceRow[] = [
  ...rowsOf('openai', openai),
  ...rowsOf('anthropic', anthropic),
]

/** A plain name stands for itself and its dated snapshots (`gpt-5-2025-08-07`), not for its siblings (`gpt-5-pro`). */
function rowsOf(provider: string, table: Readonly<Record<string, Figures>>): PriceRow[] {
  return Object.entries(table).flatMap(([model, [input, output, cached]]) => {
    const figures = { provider, input, output, ...(cached !== undefined && { cached }) }
    const names = model.endsWith('*') ? [model] : [model, `${model}-20*`]
    return names.map((each) => ({ model: each, ...figures }))
  })
}
