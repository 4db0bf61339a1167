/** The row of a hook: the moment it was called, and its decision. Pure. */
import type { HookMoment } from '#lib/spec/hook'
import { argumentsLine } from '#lib/spec/line'
import type { HookCalled } from '#lib/spec/state'
import { type Row, type RowTone, row } from './row'

const titles: Readonly<Record<HookMoment, string>> = {
  pre_reply: 'Hook before the reply',
  pre_reasoning: 'Hook before the thought',
  post_reasoning: 'Hook after the thought',
  pre_acting: 'Hook before the call',
  post_acting: 'Hook after the call',
  post_reply: 'Hook on the reply',
  print: 'Hook that prints',
}

/** The hooks of one moment; `holder` is the id of the row they belong to. */
export function hookRows(
  hooks: readonly HookCalled[] | undefined,
  on: HookMoment,
  { holder, step, tool }: { holder: string; step: number; tool?: string },
): Row[] {
  return (hooks ?? []).flatMap((each, index) => {
    // A hook that prints changes nothing: only its failures are worth a row.
    if (each.on !== on || (on === 'print' && each.error === undefined)) return []
    const words = wordsOf(each)
    return [
      row({
        id: `${holder}-hook-${index}`,
        kind: 'notice',
        depth: step === 0 ? 0 : 1,
        step,
        title: titles[on],
        detail: words,
        words,
        tone: toneOf(each),
        bar: { kind: 'policy', start: each.at - each.durationMs, end: each.at },
        ms: each.durationMs,
        ...(tool !== undefined && { tool }),
        // A hook whose only effect was a note to the model.
        ...(each.note !== undefined && isOnlyNote(each) && { isNote: true }),
      }),
    ]
  })
}

function isOnlyNote({ decision, error, changed }: HookCalled): boolean {
  return decision === 'continue' && error === undefined && changed === undefined
}

/** A changed request begins with other bytes than the last one, which the provider has in its cache. */
const cacheWords = ', so the provider’s cache of the last request may not be read'

/** Characters of the changed arguments that an opened row shows. */
const longestChange = 20_000

function wordsOf({ decision, reason, error, changed, note }: HookCalled): string {
  if (error !== undefined) return `failed${decision === 'deny' ? '' : ', and the run went on'}: ${error}`
  if (decision === 'deny') return `denied: ${reason ?? ''}`
  const said = [
    changed?.args !== undefined && `changed the arguments: ${argumentsLine(changed.args, longestChange)}`,
    changed?.text !== undefined && `says instead: ${changed.text}`,
    changed?.question !== undefined && `changed the question: ${changed.question}`,
    changed?.instructions !== undefined && `changed the instructions${cacheWords}: ${changed.instructions}`,
    changed?.lastMessage !== undefined && `changed the last message${cacheWords}: ${changed.lastMessage}`,
    note !== undefined && `note to the model: ${note}`,
  ].filter((each) => each !== false)
  const what = said.length === 0 ? 'no change' : said.join('; ')
  return reason === undefined ? what : `${what} (${reason})`
}

function toneOf({ decision, error, changed, note }: HookCalled): RowTone {
  if (decision === 'deny') return 'denied'
  if (error !== undefined) return 'error'
  return changed === undefined && note === undefined ? 'muted' : 'plain'
}
