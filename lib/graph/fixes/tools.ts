/** Fixes of what an entry offers: duplicate tools, presets without arguments, impossible classes. */
import { matchesGlob } from '#lib/spec/glob'
import { bothWays } from '#lib/spec/tool-scope'
import { textsOf } from '../equal'
import { kindOf, toolsOf } from '../kinds'
import { globsOf } from '../scope'
import type { FixableFinding } from './finding'
import type { Fix } from './fix'
import { deleting } from './nodes'
import { setting } from './patterns'

export function twiceFixes(finding: FixableFinding): Fix[] {
  const { node, kind } = finding
  if (node === undefined || kind?.scope === undefined) return []
  // A new name given by the entry is taken, not the tool's own: leaving tools out by name would not help.
  if (node.config.rename !== undefined || (kind.scope.name ?? 'name') !== 'name')
    return setting(finding, ['onDuplicate'], { label: 'Add a number to its name', value: 'rename' })
  const before = offeredBefore(finding)
  const { name: nameKey, list, prefix } = kind.scope
  if (nameKey !== undefined) return renaming(finding, nameKey, before)
  if (list === undefined) return []
  const head = prefix === undefined ? '' : `${String(node.config[prefix] ?? '')}.`
  const items = textsOf(node.config[list])
  const left = items.flatMap((item) =>
    rest(finding, `${head}${item}`, before).map((each) => each.slice(head.length)),
  )
  if (left.length === 0) return [deleting(node.id, 'Delete this one')]
  const twice = items.filter((item) => !left.includes(item))
  const label =
    twice.length === 1 && twice[0] !== undefined ? `Remove “${twice[0]}” here` : 'Remove them here'
  return setting(finding, [list], { label, value: [...new Set(left)] })
}

/** Every tool that an earlier entry offers: its name, or a pattern when names are known only at run time. */
function offeredBefore({ drawing, catalog, node }: FixableFinding): ReadonlySet<string> {
  const names = new Set<string>()
  for (const entry of drawing.toolEntries) {
    if (entry.id === node?.id) break
    const kind = kindOf(catalog, entry.kind)
    if (kind === undefined) continue
    const globs = globsOf(entry.config, kind)
    const known = toolsOf(catalog, kind.use ?? '')
    for (const glob of globs) {
      names.add(glob)
      for (const tool of known ?? []) if (matchesGlob(glob, tool.name)) names.add(tool.name)
    }
  }
  return names
}

/** What remains of a pattern without the taken names: the pattern itself, or its other names one by one. */
function rest({ catalog, kind }: FixableFinding, glob: string, taken: ReadonlySet<string>): string[] {
  const known = toolsOf(catalog, kind?.use ?? '')
  if (known === undefined || !glob.includes('*')) return taken.has(glob) ? [] : [glob]
  const names = known.map(({ name }) => name).filter((name) => matchesGlob(glob, name))
  return names.some((name) => taken.has(name)) ? names.filter((name) => !taken.has(name)) : [glob]
}

function renaming(finding: FixableFinding, key: string, taken: ReadonlySet<string>): Fix[] {
  const name = finding.node?.config[key]
  if (typeof name !== 'string') return []
  const stem = name.replace(/_\d+$/, '').slice(0, 56)
  let number = 2
  while (taken.has(`${stem}_${number}`)) number += 1
  const value = `${stem}_${number}`
  return setting(finding, [key], { label: `Name it “${value}”`, value })
}

/** A preset hides an argument from the model. Without the preset, the model supplies it. */
export function presetFixes(finding: FixableFinding): Fix[] {
  const { diagnostic, steps } = finding
  const [key, tool, argument] = steps
  if (key === undefined || tool === undefined) return []
  if (diagnostic.code === 'preset_unmatched') {
    const label = argument === undefined ? `Remove the preset of “${tool}”` : `Remove “${argument}”`
    return setting(finding, steps, { label, value: undefined })
  }
  if (argument === undefined) return []
  return setting(finding, [key, tool, argument], {
    label: `Let the model give “${argument}”`,
    value: undefined,
  })
}

/** A value for a tool that the entry does not offer. */
export function perToolFixes(finding: FixableFinding): Fix[] {
  const [key, tool] = finding.steps
  if (key === undefined || tool === undefined) return []
  return setting(finding, [key, tool], { label: `Remove the value for “${tool}”`, value: undefined })
}

/** Without the setting, the tools have their own class. */
export function classFixes(finding: FixableFinding): Fix[] {
  const [key] = finding.steps
  return key === undefined ? [] : setting(finding, [key], { label: `Remove the ${key}`, value: undefined })
}

/** Names that an entry both lists and takes out: one of the lists loses them. */
export function bothWaysFixes(finding: FixableFinding): Fix[] {
  const { node, kind } = finding
  const { list, without } = kind?.scope ?? {}
  if (node === undefined || kind?.scope === undefined || list === undefined || without === undefined)
    return []
  const both = new Set(bothWays(kind.scope, node.config))
  const left = (key: string) => textsOf(node.config[key]).filter((each) => !both.has(each))
  const restOf = (key: string) => (left(key).length === 0 ? undefined : left(key))
  return [
    ...setting(finding, [without], { label: 'Offer them', value: restOf(without) }),
    ...setting(finding, [list], { label: 'Leave them out', value: restOf(list) }),
  ]
}

/** The agent that the entry calls is not published, or not in this version. */
export function draftFixes(finding: FixableFinding): Fix[] {
  return setting(finding, ['version'], { label: 'Use its draft', value: 'draft' })
}
