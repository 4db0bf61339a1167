/** Plays an answer that needs calls: written in one piece, it goes on where the results of its calls are known. */
import { type JsonObject, jsonKey } from '#lib/spec/json'
import type { ScriptedTurn } from '../scripted/turn'
import type { Done, Trail } from './trail'

export interface NeededCall {
  readonly name: string
  readonly args: JsonObject
}

/** Calls whose results an answer needs before it can go on. */
interface NeededCalls {
  readonly reasoning: string
  readonly calls: readonly NeededCall[]
  /** Whether only results since the question count, since figures may have changed. */
  readonly isFresh?: boolean
}

/** An answer that yields the calls it needs, gets their results in the same order, and returns its text. */
export type Steps<T = string> = Generator<NeededCalls, T, readonly Done[]>

/** The next turn of the answer: the calls without a result yet, or its text. */
export function playSteps(steps: Steps, { done, known }: Trail): ScriptedTurn {
  let next = steps.next()
  while (!next.done) {
    const { calls, reasoning, isFresh } = next.value
    const results = calls.map(({ name, args }) => {
      const isResult = (each: Done) => each.name === name && hasArgs(each.args, args)
      return done.findLast(isResult) ?? known.findLast((each) => !isFresh && !each.isError && isResult(each))
    })
    const missing = calls.filter((_, index) => results[index] === undefined)
    if (missing.length > 0) return { reasoning, calls: [...missing] }
    next = steps.next(results.filter((each) => each !== undefined))
  }
  return { text: next.value }
}

/** Whether a call was made with these arguments, and perhaps more. */
function hasArgs(args: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => jsonKey(args[name] ?? null) === jsonKey(value))
}

/** Needs a single call. */
export function* callOne(reasoning: string, call: NeededCall, isFresh = false): Steps<Done> {
  const [result] = yield { reasoning, calls: [call], isFresh }
  if (result === undefined) throw new Error(`There is no result of ${call.name}.`)
  return result
}
