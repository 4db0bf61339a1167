/** The rows of memory and knowledge: what was found, best first, and what was recorded. Pure. */
import { plural } from '#components/run/figures'
import { shortenText } from '#lib/spec/line'
import type { RecallState } from '#lib/spec/state'
import { type Row, row } from './row'

/** `holder` is the id of the row they belong to. */
export function recallRows(
  recall: readonly RecallState[] | undefined,
  { holder, step, tool }: { holder: string; step: number; tool?: string },
  isShown: (each: RecallState) => boolean = () => true,
): Row[] {
  return (recall ?? []).flatMap((each, index) => {
    if (!isShown(each)) return []
    const { title, detail, words } = wordsOf(each)
    return [
      row({
        id: `${holder}-recall-${index}`,
        kind: 'notice',
        depth: step === 0 ? 0 : 2,
        step,
        tone: 'muted',
        title,
        detail,
        recall: each,
        at: each.at,
        ...(words !== '' && { words }),
        ...(tool !== undefined && { tool }),
      }),
    ]
  })
}

function wordsOf(each: RecallState): { title: string; detail: string; words: string } {
  switch (each.type) {
    case 'memory.retrieved': {
      const { entries, problem, query } = each
      const lines = entries.map(({ text }, index) => `${index + 1}.  ${text}`)
      return found({ title: 'From memory', problem, query, lines, noun: 'note' })
    }
    case 'knowledge.retrieved': {
      const { passages, problem, query } = each
      const lines = passages.map(({ file, place, text }, index) => {
        const where = place === '' ? file : `${file}, ${place}`
        return `${index + 1}.  ${where}\n${text}`
      })
      return found({ title: 'From knowledge', problem, query, lines, noun: 'passage' })
    }
    case 'memory.recorded': {
      const { entries, skipped } = each
      if (skipped !== undefined) return { title: 'Not remembered', detail: skipped, words: skipped }
      const texts = entries.map(({ text }) => text)
      return {
        title: 'Remembered',
        detail: texts.map((each) => shortenText(each)).join(' · '),
        words: texts.join('\n\n'),
      }
    }
  }
  return each satisfies never
}

interface Found {
  readonly title: string
  readonly problem: string | undefined
  readonly query: string
  readonly lines: readonly string[]
  readonly noun: string
}

function found({ title, problem, query, lines, noun }: Found) {
  if (lines.length === 0)
    return { title, detail: problem ?? `nothing fits “${shortenText(query)}”`, words: problem ?? '' }
  const words = [...(problem === undefined ? [] : [problem]), `Searched for: ${query}`, ...lines].join('\n\n')
  return {
    title,
    detail: `${plural(lines.length, noun)}: ${lines.map((each) => shortenText(each)).join(' · ')}`,
    words,
  }
}
