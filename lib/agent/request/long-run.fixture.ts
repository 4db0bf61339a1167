/** For tests of long runs: a model that refuses every request over its window, by a measure that the engine does not know. */
import type { ModelFault, ModelRequest } from '#lib/spec/model'
import { defaultLimits } from '#lib/spec/policy'
import type { RunDeps } from '../deps'
import { calls, createPolicy, createRig, createTool, limiting, said, type Turn, text } from '../rig.fixture'

export const tooLong: ModelFault = { code: 'context_length', message: 'The prompt is too long.', status: 400 }

export interface Measured {
  readonly window: number
  /** Tokens of a whole request, by a measure that the engine does not know. */
  measure(body: string): number
  play(request: ModelRequest): Turn
}

/** A model that refuses every request over its window and reports what it counted. */
export function measured({ window, measure, play }: Measured) {
  const sizes: number[] = []
  let refused = 0
  return {
    sizes,
    get refused() {
      return refused
    },
    play(request: ModelRequest): Turn {
      const size = Math.ceil(measure(JSON.stringify(request)))
      if (size > window) {
        refused += 1
        return [{ type: 'fault', fault: tooLong }]
      }
      sizes.push(size)
      return play(request).map((beat) =>
        typeof beat === 'object' && 'type' in beat && beat.type === 'finish'
          ? { ...beat, usage: { input: size, output: 5 } }
          : beat,
      )
    },
  }
}

export const bytes = (part: number) => (body: string) => Buffer.byteLength(body) * part
export const long = (maxSteps: number, context: Partial<typeof defaultLimits.context> = {}) =>
  limiting({ maxSteps, context: { ...defaultLimits.context, ...context } })

/** A run of `steps` calls whose results have this text, then an answer. */
export function longRun(
  steps: number,
  result: (step: number) => string,
  model: Omit<Measured, 'play'> & { readonly context?: Partial<typeof defaultLimits.context> },
  deps: Partial<RunDeps> = {},
) {
  let step = 0
  const read = createTool('page.read', { run: () => said(result(++step)) })
  const played = measured({
    ...model,
    play: (asked) =>
      asked.step > steps || asked.tools.length === 0 ? text('The key of step 3 is k-3.') : calls('page.read'),
  })
  const rig = createRig({
    play: (asked) => played.play(asked),
    tools: [read],
    policies: [long(steps + 10, model.context), limitChars()],
    deps: { contextWindow: model.window, ...deps },
  })
  return { rig, played, read }
}

/** Results reach the model whole. */
export function limitChars() {
  return createPolicy('results', 'policies/2', {
    limitTool: (limits) => void Object.assign(limits, { maxChars: 1e9 }),
  })
}

export const kinds: readonly (readonly [string, (step: number) => string, number])[] = [
  ['English', (step) => `Key k-${step}. ${'The quick brown fox reads a page. '.repeat(60)}`, 0.25],
  ['Chinese', (step) => `Key k-${step}. ${'快速的棕色狐狸读一页书。'.repeat(120)}`, 0.5],
  ['base64', (step) => `Key k-${step}. ${Buffer.from(String(step).repeat(900)).toString('base64')}`, 0.7],
]
