/** The words and icons of a dry run. */
import { policyLabel } from '#components/run/tool-icon'
import type { Tone } from '#components/ui/bits'
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { DryRun } from '#lib/wire/dry-run'

type Asked = DryRun['asked'][number]

export const verdictMarks: Readonly<
  Record<Asked['verdict'], { readonly icon: string; readonly word: string }>
> = {
  allow: { icon: 'check', word: 'no objection' },
  deny: { icon: 'ban', word: 'denies' },
  confirm: { icon: 'hand', word: 'requires approval' },
  limit: { icon: 'gauge', word: 'limits' },
}

export const severityMarks: Readonly<
  Record<Diagnostic['severity'], { readonly icon: string; readonly word: string }>
> = {
  error: { icon: 'circle-alert', word: 'Error' },
  warning: { icon: 'triangle-alert', word: 'Warning' },
  info: { icon: 'info', word: 'Note' },
}

/** Checks made without a policy: the words for passing and for failing. */
const checkWords: Readonly<Record<string, readonly [well: string, not: string]>> = {
  registered: ['The tool exists', 'There is no such tool'],
  offered: ['Offered to the model', 'Not offered to the model'],
  read: ['The arguments are one JSON object', 'The arguments cannot be read'],
  preset: ['Preset arguments', 'Preset arguments'],
  schema: ['The arguments fit the tool', 'The arguments do not fit the tool'],
}

/** What a policy checks at each stage, for policies that are asked at several stages. */
const aspects: Readonly<Record<string, string>> = {
  'skills.deny': 'tools it denies',
  'skills.allow': 'tools it allows',
}

export function questionOf({ stage, policy, node, verdict }: Asked, catalog: Catalog | undefined): string {
  const words = checkWords[stage]?.[verdict === 'allow' ? 0 : 1]
  if (policy === null) return words ?? stage
  const label = `${policyLabel(catalog, policy)}${whose(node)}`
  const aspect = aspects[stage]
  if (words !== undefined) return `${words}, because of “${label}”`
  return aspect === undefined ? label : `${label}: ${aspect}`
}

function whose(node: string | null): string {
  // A default policy has the agent as its node.
  if (node === 'agent') return ', by default'
  return node?.startsWith('caller/') ? ', of a caller' : ''
}

export function outcomeWords(outcome: DryRun['outcome']): { tone: Tone; icon: string; word: string } {
  switch (outcome.type) {
    case 'runs':
      return { tone: 'ok', icon: 'check', word: 'It would run' }
    case 'asks':
      return { tone: 'wait', icon: 'hand', word: 'A person would decide first' }
    case 'refused':
      return outcome.status === 'denied'
        ? { tone: 'policy', icon: 'ban', word: 'It would be denied' }
        : { tone: 'error', icon: 'circle-x', word: refusals[outcome.status] ?? 'It would be refused' }
  }
  return outcome satisfies never
}

/** Why a call is refused, by the code of the refusal. */
const codeWords: Readonly<Record<string, string>> = {
  args_json: 'The arguments cannot be read.',
  args_schema: 'The arguments do not fit the tool.',
  unknown_tool: 'There is no such tool.',
  invalid_call: 'The call has no tool name.',
  limit: 'A limit is reached.',
}

/** Empty where the outcome says it already. */
export function refusalWords(code: string): string {
  return codeWords[code] ?? ''
}

const refusals: Readonly<Record<string, string>> = {
  skipped: 'It would be skipped, because a limit is reached',
  error: 'It would be refused as an invalid call',
}
