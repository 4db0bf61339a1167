/** Keeps what the configs that ran last come to, so that the runs of one version share it. */
import type { OtherModel } from '#lib/agent/deps'
import { type AgentConfig, defaultModel, type Parts } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import { productParts } from '../parts'
import { type Assembled, assemble, chargesOf, type Surroundings } from './assemble'
import { summaryModelOf } from './summary-model'

/** How many configs are kept. */
const most = 32

/**
 * `assemble` for the text of a config. Parts are pure values and hold nothing of a run, so everything but the
 * price and the breaker is made once for a text. Configs that do not fit are read again each time.
 */
export function keepAssembled(context: Surroundings): (text: string) => Promise<Result<Assembled>> {
  const { parts = productParts } = context
  const known = new Map<string, Assembled>()
  return async (text) => {
    const kept = known.get(text)
    if (kept === undefined) {
      const made = await assemble(text, context)
      if (made.ok) known.set(text, made.value)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
      return made
    }
    // The config used last is dropped last.
    known.delete(text)
    known.set(text, kept)
    const { price: _price, breaker: _breaker, summaryModel, ...made } = kept
    const charges = chargesOf(made.config.model ?? defaultModel, context, parts.providers)
    const forSummaries = summaryModel && withPriceNow(summaryModel, made.config, context, parts)
    return { ok: true, value: { ...made, ...charges, ...(forSummaries && { summaryModel: forSummaries }) } }
  }
}

function withPriceNow(
  { price: _price, ...model }: OtherModel,
  { policies }: Pick<AgentConfig, 'policies'>,
  context: Surroundings,
  parts: Parts,
): OtherModel {
  const named = summaryModelOf(policies, parts.policies)
  const { price } = named === undefined ? {} : chargesOf({ ...named.model }, context, parts.providers)
  return { ...model, ...(price && { price }) }
}
