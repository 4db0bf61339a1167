/** What a list says of a key: what it is for, how long it works, and how much of it is used. Pure. */
import { count, usd } from '#components/run/figures'
import { ago } from '#components/ui/when'
import type { KeyUse } from '#lib/spec/agent-key'
import type { AgentKeyView } from '#lib/wire/agent-keys'

export const useLabels: Readonly<Record<KeyUse, string>> = { mcp: 'MCP', chat: 'Chat', api: 'API' }

const day = 24 * 60 * 60_000

/** How long keys may be made to work; an empty value is for ever. */
export const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

export function expiryOf(lifetime: string, now: number): number | undefined {
  return lifetime === '' ? undefined : now + Number(lifetime) * day
}

export function isExpired({ expiresAt }: Pick<AgentKeyView, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** `expires in 12 days`, `expires in 5 h`, `expired`; null for a key that never expires. */
export function expiryWords({ expiresAt }: Pick<AgentKeyView, 'expiresAt'>, now: number): string | null {
  if (expiresAt === null) return null
  const left = expiresAt - now
  if (left <= 0) return 'expired'
  if (left >= 2 * day) return `expires in ${Math.round(left / day)} days`
  return `expires in ${Math.max(1, Math.floor(left / 3_600_000))} h`
}

export function lastUseWords({ lastUsedAt }: Pick<AgentKeyView, 'lastUsedAt'>, now: number): string {
  return lastUsedAt === null ? 'never used' : `used ${ago(lastUsedAt, now)}`
}

/** `3 of 100 runs, $0.02 of $1 today`. */
export function spendWords({
  today,
  runsPerDay,
  usdPerDay,
}: Pick<AgentKeyView, 'today' | 'runsPerDay' | 'usdPerDay'>): string {
  const runs =
    runsPerDay === null
      ? `${count(today.runs)} ${today.runs === 1 ? 'run' : 'runs'}`
      : `${count(today.runs)} of ${count(runsPerDay)} ${runsPerDay === 1 ? 'run' : 'runs'}`
  const cost = usdPerDay === null ? usd(today.usd) : `${usd(today.usd)} of $${usdPerDay}`
  return `${runs}, ${cost} today`
}
