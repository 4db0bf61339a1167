/** What a body may know of the result of another call. */
import type { CallState } from '#lib/spec/state'
import type { EarlierResult } from '#lib/spec/tool'
import { isCutText } from '../observation/observe'

/** Undefined while the call has no result. */
export function earlierResult(call: CallState | undefined): EarlierResult | undefined {
  if (call?.result === undefined) return undefined
  const { text, blocks } = call.result
  const isCut = call.artifact !== undefined || isCutText(text)
  if (!isWholeForModels(call)) return { text, isCut }
  const [only, ...more] = blocks
  return {
    text,
    isCut,
    ...(only?.type === 'json' && more.length === 0 && { value: only.value }),
    ...(call.artifact !== undefined && { artifact: call.artifact }),
  }
}

/**
 * Whether a model may have all that was stored of the result: a hook that replaced the text may have taken
 * something out of it, and a copy does not tell whether one did.
 */
function isWholeForModels({ cached, hooks = [] }: CallState): boolean {
  return !cached && !hooks.some(({ on, changed }) => on === 'post_acting' && changed?.text !== undefined)
}
