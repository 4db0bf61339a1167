/** How a run ended, in words: a title, what to do about it, and where. Pure. */
import type { RunError } from '#lib/spec/event'

export interface EndingWords {
  readonly title: string
  /** What to do next; absent when the error message already says it. */
  readonly advice?: string
  /** The section of Settings where that is done. */
  readonly anchor?: 'models' | 'prices'
  /** A limit is a policy's ruling and a cut answer is only a caution; the rest are errors. */
  readonly tone: 'error' | 'plain' | 'policy'
}

const retried =
  'It was asked again and again in vain; ask once more in a few minutes, or choose another model.'

/**
 * By the error code of the run; a model's error has the code `model_` plus its kind. `advice` is set only
 * where the message gives none.
 */
const endings: Readonly<Record<string, Omit<EndingWords, 'tone'> & Partial<Pick<EndingWords, 'tone'>>>> = {
  truncated: {
    title: 'Cut at the model’s limit',
    advice: 'Raise “Longest answer” of the model node, or ask for less at once.',
    tone: 'plain',
  },
  empty_response: {
    title: 'An empty answer',
    advice: 'Ask again in other words, or choose another model.',
  },
  max_steps: { title: 'Step limit', advice: 'Raise the limit of the steps policy.', tone: 'policy' },
  budget: {
    title: 'Budget spent',
    advice: 'Raise it at the budget policy, or ask for less.',
    tone: 'policy',
  },
  hook_denied: { title: 'Ended by a hook', tone: 'policy' },
  hook_failed: {
    title: 'A hook failed',
    advice: 'See that its address answers, or let the hook policy continue when it fails.',
  },
  price_unknown: { title: 'No price for this model', anchor: 'prices' },
  model_filter: { title: 'Broken off by the provider’s content rules', advice: 'Ask in other words.' },
  model_settings: { title: 'The model is not set up', anchor: 'models' },
  model_auth: { title: 'No valid key', anchor: 'models' },
  model_quota: { title: 'The provider’s quota is used up' },
  model_not_found: { title: 'No such model there', anchor: 'models' },
  model_connection: { title: 'The provider was not reached', anchor: 'models' },
  model_timeout: {
    title: 'The answer took too long',
    advice: 'A slow local model needs a longer silence: Settings, Models, Edit, More.',
    anchor: 'models',
  },
  model_stalled: {
    title: 'The answer stopped coming',
    advice: 'A slow local model needs a longer silence: Settings, Models, Edit, More.',
    anchor: 'models',
  },
  model_rate_limit: { title: 'Rate limited', advice: retried },
  model_overloaded: { title: 'The provider is overloaded', advice: retried },
  model_http: { title: 'The provider failed', advice: retried },
  model_cut: { title: 'The answer broke off', advice: 'Ask again.' },
  model_resting: {
    title: 'Paused after repeated failures',
    advice: 'It failed several times in a row. Try again in half a minute.',
  },
  model_context_length: { title: 'Too long for the model' },
  model_bad_request: {
    title: 'The provider refused the request',
    advice: 'Clear what the model node sets and this model may not know.',
  },
  model_too_large: { title: 'The answer was too large to take' },
  model_protocol: {
    title: 'The answer could not be read',
    advice: 'Check that the endpoint speaks the OpenAI protocol under this address.',
    anchor: 'models',
  },
}

export function endingOf({ code }: RunError): EndingWords | undefined {
  const known = endings[code]
  return known && { ...known, tone: known.tone ?? 'error' }
}
