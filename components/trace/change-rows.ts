/** The rows for changes of the offered tools, shown before the step that has them. */
import { count } from '#components/run/figures'
import type { StepState, ToolChange } from '#lib/spec/state'
import { type Row, row } from './row'

export function changeRows({ number, toolChanges = [] }: StepState): Row[] {
  return toolChanges.map((change, index) =>
    row({
      id: `tools-${number}-${index}`,
      kind: 'tools',
      step: number,
      title: 'Tools',
      detail: changeWords(change),
      at: change.at,
    }),
  )
}

/** `2 tools added: a, b; 1 tool removed: c. Active groups: web.` Sometimes only what is withheld changes. */
export function changeWords({ added, removed, changed, reason }: ToolChange): string {
  const parts = [
    ...tools(added, 'added'),
    ...tools(removed, 'removed'),
    ...tools(changed, 'with a new description'),
  ]
  const what = parts.length === 0 ? 'The withheld tools are others' : parts.join('; ')
  return `${what}. ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
}

function tools(names: readonly string[], what: string): string[] {
  if (names.length === 0) return []
  return [`${names.length === 1 ? '1 tool' : `${count(names.length)} tools`} ${what}: ${names.join(', ')}`]
}
