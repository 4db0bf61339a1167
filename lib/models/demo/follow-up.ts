/** Completes a question that refers to the one before it. */
import { periodIn, withoutYears } from './period'
import type { Trail } from './trail'

export interface FollowUp {
  /** The question completed with words of the one before it. */
  readonly whole: string
  readonly own: string
  readonly isFollowUp: boolean
}

/**
 * "and how much in 2024?" refers to the question before it; its own times and values replace the old ones.
 */
export function withSubject({ question, earlier }: Trail): FollowUp {
  const alone = { whole: question, own: question, isFollowUp: false }
  if (!isFollowUp(question)) return alone
  const base = earlier.find((each) => !isFollowUp(each))
  if (base === undefined) return alone
  const kept = periodIn(question) === undefined ? base : withoutYears(base)
  return { whole: `${kept.replace(/[?.!\s]+$/, '')}, ${question}`, own: question, isFollowUp: true }
}

function isFollowUp(question: string): boolean {
  return (
    /^\s*(and|what about|how about|same|also|now|only|just|but)\b/i.test(question) ||
    /^\s*(in|for|since|before|after)\s+\S+\s*\??\s*$/i.test(question)
  )
}
