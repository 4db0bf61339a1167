/** The policy `context`: how a run's own steps are cut when they no longer fit the model's context window. */
import { z } from 'zod'
import { compaction } from '#lib/spec/event'
import { type ContextLimits, defaultLimits, type ModelNamed, type Policy } from '#lib/spec/policy'

const { context: defaults } = defaultLimits

const modelNamed = z.strictObject({
  provider: z.string().trim().min(1).max(200).meta({ title: 'Provider', format: 'provider' }),
  endpoint: z.string().trim().min(1).max(200).optional().meta({ title: 'Endpoint', format: 'endpoint' }),
  name: z.string().trim().min(1).max(200).meta({ title: 'Model', format: 'model' }),
})

const settings = z.object({
  at: z.number().min(0.1).max(0.95).default(defaults.at).meta({
    title: 'Cut above',
    description: 'The part of the model’s context window, from 0.1 to 0.95, above which a request is cut.',
  }),
  how: compaction.default(defaults.how).meta({
    title: 'How',
    description:
      'Clear: the oldest results are taken out, and the agent can read them again. Summarize: the model sums up the oldest steps once, which costs one more request. Both: results are cleared first, and steps are summed up if that is not enough.',
  }),
  keep: z.int().min(0).max(100).default(defaults.keep).meta({
    title: 'Newest results to keep',
    description: 'They are cut only if the request would not fit otherwise.',
    unit: 'results',
  }),
  clearTo: z.number().min(0.05).max(0.9).default(defaults.clearTo).meta({
    title: 'Cut down to',
    description:
      'The part of the context window that a cut request may take. One large cut is cheaper than many small ones, since the provider’s cache keeps what does not change.',
  }),
  model: modelNamed.optional().meta({
    title: 'Model for summaries',
    format: 'model-choice',
    description: 'A cheaper model is often enough. If it cannot be reached, results are cleared instead.',
  }),
})

const says: Readonly<Record<ContextLimits['how'], string>> = {
  clear: 'takes out the oldest results',
  summarize: 'sums up the oldest steps',
  both: 'takes out the oldest results, then sums up the oldest steps',
}

function named({ provider, endpoint, name }: z.output<typeof modelNamed>): ModelNamed {
  return { provider, ...(endpoint !== undefined && { endpoint }), name }
}

export const context: Policy<typeof settings> = {
  id: 'context',
  label: 'Long runs',
  help: 'Cuts a run’s own steps when they no longer fit the model’s context window. If there are several, the last one applies.',
  keywords: [
    'context',
    'window',
    'tokens',
    'compact',
    'summary',
    'summarize',
    'clear',
    'long',
    'memory',
    'limit',
  ],
  icon: 'scissors',
  settings,
  scoped: false,
  unsaid: true,
  lastWins: true,
  says: ({ at, how }) => `Above ${Math.round(at * 100)} % of the context window, ${says[how]}`,
  limit({ at, how, keep, clearTo, model }, limits) {
    limits.context = { at, how, keep, clearTo: Math.min(clearTo, at), ...(model && { model: named(model) }) }
  },
}
