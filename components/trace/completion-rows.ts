/** The rows of what a call asked a model: what for, the answer, and what it took. */
import { shortenText } from '#lib/spec/line'
import type { CallState, CompletionState } from '#lib/spec/state'
import { type Row, row } from './row'

export function completionRows(step: number, { id, name, completions = [] }: CallState): Row[] {
  return completions.map((each, index) => {
    const { purpose, usage, costUsd, durationMs, at, text, error } = each
    return row({
      id: `${id}-completion-${index}`,
      kind: 'notice',
      depth: 2,
      step,
      title: `Asked the model: ${purpose}`,
      detail: shortenText(error?.message ?? text),
      words: completionWords(each),
      tone: error === undefined ? 'muted' : 'error',
      bar: { kind: 'model', start: at - durationMs, end: at },
      tokens: usage.input + usage.output || null,
      ...(usage.estimated && { isEstimated: true }),
      cost: costUsd,
      ms: durationMs,
      ...(tailOf(each) !== undefined && { tail: tailOf(each) }),
      tool: name,
    })
  })
}

function tailOf({ cut, attempts }: CompletionState): string | undefined {
  if (cut) return 'cut at a limit'
  return attempts > 1 ? `attempt ${attempts}` : undefined
}

/** The whole answer below the beginning of the question. */
function completionWords({ model, prompt, text, error }: CompletionState): string {
  const answer = error === undefined ? text : `${error.message}${text === '' ? '' : `\n\n${text}`}`
  return `Question to ${model.provider}/${model.name}:\n${prompt}\n\nAnswer:\n${answer}`
}
