/** What a step adds to the dialogue, and the text of its answer. */
import { type Message, textOf } from '#lib/spec/message'
import type { CallState, RunState, StepState } from '#lib/spec/state'

/** Adds an answer to the dialogue together with its calls' results, so no message is ever unpaired. */
export function addToDialogue(state: RunState, step: StepState): void {
  const { parts } = step
  if (parts === undefined || step.open > 0 || step.fault !== undefined || isEmpty(step)) return
  state.messages.push({ role: 'assistant', parts })
  for (const call of step.calls) state.messages.push(resultOf(call))
  // A later reader of the dialogue finds the answer in an assistant message.
  if (step.final !== undefined)
    state.messages.push({ role: 'assistant', parts: [{ type: 'text', text: step.final.answer }] })
}

function resultOf({ id, name, status, result, background }: CallState): Message {
  if (background !== undefined) return { role: 'tool', callId: id, name, text: background, isError: false }
  const pictures = (result?.blocks ?? []).flatMap((each) => (each.type === 'image' && each.picture) || [])
  const shown = pictures.length > 0 && { pictures }
  return { role: 'tool', callId: id, name, text: result?.text ?? '', isError: status !== 'ok', ...shown }
}

/** The text of an answer so far, including the text that it continues. */
export function answerText({ before = '', parts = [] }: StepState): string {
  return before + textOf(parts)
}

/** The text of an answer as it streams, after the text that it continues. Text next to calls is no answer. */
export function streamingText({ before = '', live, parts = [], calls }: StepState): string {
  return before + (live.text || (calls.length > 0 ? '' : textOf(parts)))
}

/** No text for a reader and no call. Reasoning alone is no answer. */
export function isEmpty(step: StepState): boolean {
  return step.calls.length === 0 && textOf(step.parts ?? []).trim() === ''
}
