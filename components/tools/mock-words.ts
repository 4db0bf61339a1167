/** What a mock does, in words. */
import { wholeDuration } from '#components/run/figures'
import type { Mock } from '#lib/spec/mock'

/** One sentence. */
export function mockSentence({ answer, delayMs = 0, failure }: Mock): string {
  const after = delayMs > 0 ? ` after ${wholeDuration(delayMs)}` : ''
  if (failure !== undefined && failure.times === undefined)
    return `Every call fails with ${failure.code}${after}.`
  const first =
    failure === undefined
      ? ''
      : `The first ${failure.times === 1 ? 'try' : `${failure.times} tries`} of a run ${failure.times === 1 ? 'fails' : 'fail'} with ${failure.code}. Then `
  return sentence(`${first}${answerWords[answer.kind]}${after}.`)
}

const answerWords = {
  fixed: 'calls get the fixed result',
  echo: 'calls get their own arguments',
  recorded: 'calls get what equal calls of the recorded run got',
} as const

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
