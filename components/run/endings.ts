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

const retried = 'Several attempts failed. Try again in a few minutes, or choose another model.'

/**
 * By the error code of the run; a model's error has the code `model_` plus its kind. `advice` is set only
 * where the message gives none.
 */
const endings: Readonly<Record<string, Omit<EndingWords, 'tone'> & Partial<Pick<EndingWords, 'tone'>>>> = {
  truncated: {
    title: 'Cut off at the model’s limit',
    advice: 'Raise “Max output tokens” in the model’s settings, or ask for a shorter answer.',
    tone: 'plain',
  },
  empty_response: {
    title: 'Empty answer',
    advice: 'Word the question differently, or choose another model.',
  },
  max_steps: { title: 'Step limit', advice: 'Raise the limit in the policy “Step limit”.', tone: 'policy' },
  budget: {
    title: 'Budget spent',
    advice: 'Raise the limit in the policy “Budget”, or ask for less.',
    tone: 'policy',
  },
  hook_denied: { title: 'Ended by a hook', tone: 'policy' },
  hook_failed: {
    title: 'A hook failed',
    advice: 'Check that its address answers, or set the policy “Ask a program” to continue when it fails.',
  },
  price_unknown: { title: 'No price for this model', anchor: 'prices' },
  model_filter: {
    title: 'Stopped by the provider’s content rules',
    advice: 'Word the question differently.',
  },
  model_settings: { title: 'The model is not set up', anchor: 'models' },
  model_auth: { title: 'No valid key', anchor: 'models' },
  model_quota: { title: 'The provider’s quota is used up' },
  model_not_found: { title: 'The provider does not have this model', anchor: 'models' },
  model_connection: { title: 'Could not reach the provider', anchor: 'models' },
  model_timeout: {
    title: 'The answer took too long',
    advice: 'Slow local models need a higher silence limit: Settings, Models, Edit, More.',
    anchor: 'models',
  },
  model_stalled: {
    title: 'The answer stopped coming',
    advice: 'Slow local models need a higher silence limit: Settings, Models, Edit, More.',
    anchor: 'models',
  },
  model_rate_limit: { title: 'Rate limited', advice: retried },
  model_overloaded: { title: 'The provider is overloaded', advice: retried },
  model_http: { title: 'The provider failed', advice: retried },
  model_cut: { title: 'The answer broke off', advice: 'Try again.' },
  model_resting: {
    title: 'Paused after repeated failures',
    advice: 'It failed several times in a row. Try again in half a minute.',
  },
  model_context_length: { title: 'Too long for the model' },
  model_bad_request: {
    title: 'The provider refused the request',
    advice: 'Clear the settings of the model’s card that this model may not support.',
  },
  model_too_large: { title: 'The answer was too large' },
  model_protocol: {
    title: 'The answer could not be read',
    advice: 'Check that the endpoint uses the OpenAI protocol at this address.',
    anchor: 'models',
  },
}

export function endingOf({ code }: RunError): EndingWords | undefined {
  const known = endings[code]
  return known && { ...known, tone: known.tone ?? 'error' }
}
