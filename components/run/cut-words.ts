/** A cut of the run's own steps in words: what was cut, why, and what replaces it. */
import type { CompactionState } from '#lib/spec/state'
import { count, plural } from './figures'

/** What was cut: `Steps 1 to 7 summed up, 3 old results taken out`. */
export function cutTitle({ calls, summary, usage, edited, failed, ...cut }: CompactionState): string {
  const isWritten = edited === true || (usage !== undefined && failed === undefined)
  const parts = [
    ...(summary === undefined ? [] : [`${replacedSteps(cut)} ${isWritten ? 'summed up' : 'left out'}`]),
    ...(calls.length === 0 ? [] : [`${plural(calls.length, 'old result')} taken out`]),
  ]
  return parts.join(', ')
}

/** The steps that a summary replaces: `Steps 1 to 7`. */
export function replacedSteps({ from, to }: Pick<CompactionState, 'from' | 'to'>): string {
  return from === to ? `Step ${from}` : `Steps ${from} to ${to}`
}

export function cutReason({ refused }: CompactionState): string {
  return refused
    ? 'The provider refused the request as too long.'
    : 'The request came near the end of the model’s context window.'
}

export function cutSizes({ tokensBefore, tokensAfter }: CompactionState): string {
  return `${count(tokensBefore)} tokens before, about ${count(tokensAfter)} after.`
}

/** Who wrote the summary, or why the model wrote none; empty when there is nothing to say. */
export function cutAuthor({ summary, edited, usage, model, failed }: CompactionState): string {
  if (edited) return 'Written by a person, in a fork.'
  if (failed !== undefined) return `The model wrote no summary: ${failed}`
  if (summary === undefined || usage === undefined) return ''
  return model === undefined ? 'Written by the model.' : `Written by ${model.name}.`
}
