/**
 * The contents of a model request: its parts with their shares, and the changes since the previous
 * request. Pure.
 */
import type { StepRequest } from '#lib/wire/runs'

type Context = StepRequest['context']

export interface ContextPart {
  readonly id: 'system' | 'servers' | 'skills' | 'tools' | 'history' | 'observations'
  readonly label: string
  /** Estimated here. */
  readonly tokens: number
  /** Whole percentages; all parts add up to 100. */
  readonly percent: number
  /** The change since the previous request; null where there was none. */
  readonly change: number | null
}

export interface ContextParts {
  readonly parts: readonly ContextPart[]
  readonly total: number
  /** The size of the model's context window; null where it is not known. */
  readonly window: number | null
}

/** The parts are always in this order. The texts of MCP servers and the skills are shown where there are any. */
const order = [
  { id: 'system', label: 'System' },
  { id: 'servers', label: 'Servers' },
  { id: 'skills', label: 'Skills' },
  { id: 'tools', label: 'Tools' },
  { id: 'history', label: 'History' },
  { id: 'observations', label: 'Results' },
] as const

export function contextParts(context: Context, before: Context | null): ContextParts {
  const mayLack: readonly string[] = ['servers', 'skills']
  const shown = order.filter(({ id }) => !mayLack.includes(id) || context[id] !== undefined)
  const tokens = shown.map(({ id }) => context[id] ?? 0)
  const total = tokens.reduce((sum, each) => sum + each, 0)
  const shares = percents(tokens, total)
  const parts = shown.map(
    ({ id, label }, index): ContextPart => ({
      id,
      label,
      tokens: tokens[index] ?? 0,
      percent: shares[index] ?? 0,
      change: before === null ? null : (context[id] ?? 0) - (before[id] ?? 0),
    }),
  )
  return { parts, total, window: context.window }
}

/** Rounds so that the sum is 100: the remainder goes to the largest fractions. */
function percents(values: readonly number[], total: number): number[] {
  if (total === 0) return values.map(() => 0)
  const exact = values.map((each) => (each / total) * 100)
  const floors = exact.map(Math.floor)
  const left = 100 - floors.reduce((sum, each) => sum + each, 0)
  const neediest = exact
    .map((each, index) => ({ index, rest: each - Math.floor(each) }))
    .sort((a, b) => b.rest - a.rest)
    .slice(0, left)
  for (const { index } of neediest) floors[index] = (floors[index] ?? 0) + 1
  return floors
}

/** `same`, `+854`, `−62`. */
export function changeText(change: number): string {
  if (change === 0) return 'same'
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString('en-US')}`
}
