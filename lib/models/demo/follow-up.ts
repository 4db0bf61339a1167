/** Puts a question that leans on the one before it back on its feet. */
import { periodIn, withoutYears } from './period'
import type { Trail } from './trail'

export interface FollowUp {
  /** With what it leaves out of the question before it. */
  readonly whole: string
  readonly own: string
  readonly isFollowUp: boolean
}

/** "and how much in 2024?" speaks of what was asked before it; its own times and values take the place of the old ones. */
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
