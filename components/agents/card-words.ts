/** The words on an agent's card: how its last run went, and what it consists of. Pure. */
import { type StatusWord, statusWords } from '#components/run/status-words'
import { ago } from '#components/ui/when'
import type { GraphDigest } from '#lib/spec/digest'
import type { RunSummary } from '#lib/wire/runs'

/** `Running, step 4`, `1 waits for you`, `Completed 2 h ago`. `now` is in milliseconds since 1970. */
export function lastRunWords(
  { status, steps, pending, finishedAt }: RunSummary,
  now: number,
): Pick<StatusWord, 'icon' | 'tone'> & { readonly text: string } {
  const { word, icon, tone } = statusWords[status]
  const said = (text: string) => ({ text, icon, tone })
  if (tone === 'wait') return said(pending.length > 1 ? `${pending.length} wait for you` : '1 waits for you')
  if (tone === 'work') return said(steps > 0 ? `${word}, step ${steps}` : word)
  return said(finishedAt === null ? word : `${word} ${ago(finishedAt, now)}`)
}

/** `4 tools, 2 policies`: what is wired and switched on. */
export function countsOf({ tools, policies }: GraphDigest): string {
  const parts = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    ...(policies === 0 ? [] : [policies === 1 ? '1 policy' : `${policies} policies`]),
  ]
  return parts.join(', ')
}
