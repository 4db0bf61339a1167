/** Prepares the agents that come with the product for a first run: with samples, and slow enough to follow. */
import { defaultModel } from '#lib/spec/config'
import { isObject, type JsonObject } from '#lib/spec/json'

export interface FirstRun {
  /** How long a scripted model waits after each word, in milliseconds. */
  readonly paceMs: number
}

/** Agents whose scripted turns answer one question only; the pages read it from the description. */
const samples: Readonly<Record<string, string>> = {
  'report-writer': 'Write a report on revenue by country.',
  'guarded-analyst': 'How is the retail database built?',
}

/**
 * Both are ordinary settings, which the inspector shows and the exported file has; what a config says itself
 * stands. Without a first run the config is left as it is.
 */
export function prepareFirstRun(config: JsonObject, firstRun: FirstRun | undefined): JsonObject {
  if (firstRun === undefined) return config
  const { name, description, model } = config
  const sample = typeof name === 'string' && Object.hasOwn(samples, name) ? samples[name] : undefined
  const isPlayed = isObject(model) && model.provider === defaultModel.provider && model.paceMs === undefined
  return {
    ...config,
    ...(sample !== undefined &&
      typeof description === 'string' &&
      !description.includes('Ask: ') && { description: `${description} Ask: ${sample}` }),
    ...(isPlayed && firstRun.paceMs > 0 && { model: { ...model, paceMs: firstRun.paceMs } }),
  }
}
