/** Fixes of patterns and names that match nothing, or that are taken. */
import type { JsonValue } from '#lib/spec/json'
import { addNode, setConfig } from '../edit/nodes'
import { kindOf, toolNames, toolOf, toolsOf } from '../kinds'
import { type FixableFinding, valueAt, withValue } from './finding'
import type { Fix } from './fix'
import { deleting } from './nodes'

/** Sets another value in the node's config. */
export function setting(
  { node, catalog }: FixableFinding,
  at: readonly string[],
  { label, value }: { label: string; value: JsonValue | undefined },
): Fix[] {
  if (node === undefined) return []
  return [
    {
      label,
      apply: (graph) => {
        const config = graph.nodes.find(({ id }) => id === node.id)?.config ?? {}
        return setConfig(graph, node.id, withValue(config, at, value), catalog)
      },
    },
  ]
}

/** The largest edit distance at which a name counts as a misspelling of another. */
const nearEnough = 3

export function globFixes(finding: FixableFinding): Fix[] {
  const { node, kind, catalog, steps } = finding
  const glob = valueAt(node?.config, steps)
  if (node === undefined || kind === undefined || typeof glob !== 'string') return []
  const list = valueAt(node.config, steps.slice(0, -1))
  const others = Array.isArray(list) ? list : []
  const known = toolsOf(catalog, kind.use ?? '')?.map(({ name }) => name) ?? toolNames(catalog)
  const near = glob.includes('*')
    ? undefined
    : nearest(
        glob,
        known.filter((name) => !others.includes(name)),
      )
  // Removing a policy's last glob would make it cover every tool. Removing an entry's last glob would leave a
  // policy wired to that entry without tools to cover.
  const holds = kind.out === 'policy' || finding.drawing.wires.some(({ to }) => to.node === node.id)
  const isLastWord = holds && others.length === 1
  return [
    ...(near === undefined ? [] : setting(finding, steps, { label: `Change to “${near}”`, value: near })),
    ...(isLastWord ? [] : setting(finding, steps, { label: `Remove “${glob}”`, value: undefined })),
  ]
}

/** Removing the last allowed pattern would allow every other tool, so that is left to a person. */
export function allowFixes(finding: FixableFinding): Fix[] {
  const { node, steps } = finding
  const glob = valueAt(node?.config, steps)
  const list = valueAt(node?.config, steps.slice(0, -1))
  if (typeof glob !== 'string' || !Array.isArray(list) || list.length === 1) return []
  return setting(finding, steps, { label: `Remove “${glob}”`, value: undefined })
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, apart: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ apart }) => apart <= Math.min(nearEnough, name.length / 3))
    .sort((a, b) => a.apart - b.apart)
  return best?.each
}

/** Edit distance in letters. Names of very different length are not compared letter by letter. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > nearEnough) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same)
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** For a policy that requires a tool which nothing offers. */
export function toolChoiceFixes(finding: FixableFinding): Fix[] {
  const { node, kind, catalog, steps } = finding
  const [key] = steps
  const name = valueAt(node?.config, steps)
  if (key === undefined || typeof name !== 'string') return []
  const tool = toolOf(catalog, name)
  const source = tool && catalog.kinds.find((each) => each.use === tool.use && each.scope?.list !== undefined)
  const list = source?.scope?.list
  const fallback = kind?.schema.properties?.[key]?.default
  return [
    ...(source === undefined || list === undefined
      ? []
      : [
          {
            label: `Add ${name}`,
            apply: (graph) =>
              addNode(graph, { kind: source.kind, config: { [list]: [name] }, wire: true }, catalog),
          } satisfies Fix,
        ]),
    ...(fallback === undefined
      ? []
      : setting(finding, [key], { label: `Back to ${valueText(fallback)}`, value: undefined })),
  ]
}

/** A value as a person reads it. */
export function valueText(value: JsonValue): string {
  if (typeof value === 'string') return value === '' ? 'empty' : `“${value.slice(0, 40)}”`
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value) && value.length === 0) return 'an empty list'
  return typeof value === 'object' && value !== null ? 'the default' : String(value)
}

export function overruledFixes({ node }: FixableFinding): Fix[] {
  return node === undefined ? [] : [deleting(node.id)]
}

/** Another agent has the name, so the next number is proposed. */
export function nameFixes(finding: FixableFinding): Fix[] {
  const { agent, catalog } = finding
  const name = agent?.config.name
  if (agent === undefined || typeof name !== 'string' || kindOf(catalog, agent.kind) === undefined) return []
  // A longer number is part of the name, for example a date.
  const [, stem = name, number = '1'] = /^(.+?)(?:-(\d{1,5}))?$/.exec(name) ?? []
  const next = `${stem.slice(0, 57).replace(/-+$/, '')}-${Number(number) + 1}`
  return setting({ ...finding, node: agent }, ['name'], { label: `Name it “${next}”`, value: next })
}
