/**
 * Offers fixes for a finding: edits of one click that are safe, clear from their label, and fix only that.
 */
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import { type FixableFinding, findingOf } from './fixes/finding'
import type { Fix } from './fixes/fix'
import {
  agentFixes,
  emptyFixes,
  extraFixes,
  kindFixes,
  lengthFixes,
  modelFixes,
  parkedFixes,
} from './fixes/nodes'
import { allowFixes, globFixes, nameFixes, overruledFixes, toolChoiceFixes } from './fixes/patterns'
import { parametersFixes, schemaFixes, settingFixes } from './fixes/settings'
import { bothWaysFixes, classFixes, draftFixes, perToolFixes, presetFixes, twiceFixes } from './fixes/tools'
import { idFixes, looseFixes, misfitFixes, placeFixes, scopeFixes, unwiredFixes } from './fixes/wires'

type Fixer = (finding: FixableFinding) => Fix[]

/** By the code of the finding. A code that is missing has no safe fix. */
const fixers: Readonly<Record<string, Fixer>> = {
  agent_missing: agentFixes,
  agent_several: agentFixes,
  agent_parked: agentFixes,
  model_missing: modelFixes,
  // Findings of the server, since a provider cannot be reached from here.
  endpoint_missing: modelFixes,
  key_missing: modelFixes,
  kind_unknown: kindFixes,
  list_too_long: lengthFixes,
  node_unwired: unwiredFixes,
  policy_off: parkedFixes,
  policy_empty: overruledFixes,
  policy_overruled: overruledFixes,
  id_twice: idFixes,
  wire_loose: looseFixes,
  wire_misfit: misfitFixes,
  policy_unscoped: scopeFixes,
  scope_twice: scopeFixes,
  scope_empty: scopeFixes,
  glob_unmatched: globFixes,
  allow_denied: allowFixes,
  tool_not_offered: toolChoiceFixes,
  tool_twice: twiceFixes,
  preset_unmatched: presetFixes,
  preset_invalid: presetFixes,
  setting_unmatched: perToolFixes,
  class_contradiction: classFixes,
  class_lowered: classFixes,
  tool_both_ways: bothWaysFixes,
  // A finding of the server, since the other agents are not in the drawing.
  agent_not_published: draftFixes,
  parameters_invalid: parametersFixes,
  schema_invalid: schemaFixes,
  config_invalid: settingFixes,
  name_taken: nameFixes,
  group_empty: emptyFixes,
  skill_twice: emptyFixes,
  tool_placed_twice: placeFixes,
}

/** The best fix first; empty when only a person can know the intention. Reads the drawing at most once. */
export function fixesFor(diagnostic: Diagnostic, graph: GraphDocument, catalog: Catalog): Fix[] {
  const { code } = diagnostic
  const fixer = code.endsWith('_several') && code !== 'agent_several' ? extraFixes : fixers[code]
  return fixer?.(findingOf(diagnostic, graph, catalog)) ?? []
}
