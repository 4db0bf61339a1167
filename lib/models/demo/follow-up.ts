/** Completes a question that refers to the one before it. */
import { readPeriod, withoutTimes } from './period'
import type { Trail } from './trail'

/** "and how much in 2024?" with the question before it; its own times and values replace the old ones. */
export function completeQuestion({ question, earlier }: Trail): string {
  const base = isFollowUp(question) ? earlier.find((each) => !isFollowUp(each)) : undefined
  if (base === undefined) return question
  const kept = readPeriod(question) === undefined ? base : withoutTimes(base)
  return `${kept.replace(/[?.!\s]+$/, '')}, ${question}`
}

function isFollowUp(question: string): boolean {
  return /^\s*(and|what about|how about|same|also|now|only|just|but|in|for|since|before|after)\b/i.test(
    question,
  )
}
