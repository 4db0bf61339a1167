/** Which model an agent asks for summaries of its long runs, where its config names one. */
import { limitsOf } from '#lib/agent/limits'
import { bindPolicies } from '#lib/policies/bind'
import type { PolicyEntry } from '#lib/spec/config'
import type { ModelNamed, Policy } from '#lib/spec/policy'

export interface NamedModel {
  readonly model: ModelNamed
  /** Its path in the config: `policies/2/model`. */
  readonly path: string
}

/** Undefined when no policy in effect names a model, or when no summary is ever asked for. */
export function summaryModelOf(
  entries: readonly PolicyEntry[],
  policies: readonly Policy[],
): NamedModel | undefined {
  const { model, how } = limitsOf(bindPolicies(entries, policies)).context
  if (model === undefined || how === 'clear') return undefined
  return { model, path: `policies/${entries.findLastIndex((entry) => entry.model !== undefined)}/model` }
}
