/** What a wire means, in a sentence, and the tools it concerns. */
import { describeNode } from '#components/drawing/describe'
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import { globsOf, typedGlobs } from '#lib/graph/scope'
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import { matchesAny } from '#lib/spec/glob'
import type { GraphEdge, GraphNode } from '#lib/spec/graph'

export interface WireEnds {
  readonly edge: GraphEdge
  readonly from: GraphNode
  readonly to: GraphNode
  readonly isOff: boolean
}

export interface Meaning {
  readonly sentence: string
  readonly tools: readonly CatalogTool[]
}

export function meaningOf(wire: WireEnds, catalog: Catalog): Meaning {
  const { sentence, tools } = readMeaning(wire, catalog)
  return wire.isOff
    ? { sentence: `${sentence} One of them is switched off, so it does nothing now.`, tools }
    : { sentence, tools }
}

function readMeaning({ from, to }: WireEnds, catalog: Catalog): Meaning {
  const source = kindOf(catalog, from.kind)
  const target = kindOf(catalog, to.kind)
  const title = (node: GraphNode) => describeNode(node, catalog).title
  const nothing: readonly CatalogTool[] = []
  switch (source?.out) {
    case 'model':
      return { sentence: `${title(to)} asks ${title(from)}.`, tools: nothing }
    case 'protocol':
      return {
        sentence: `${title(from)} sets how tools are presented to the model of ${title(to)}.`,
        tools: nothing,
      }
    case 'tool': {
      const tools = entryTools(from, source, catalog)
      const what = tools.length > 1 ? `${tools.length} tools` : (tools[0]?.name ?? title(from))
      return { sentence: `Offers ${what} to ${title(to)}.`, tools }
    }
    case 'policy': {
      if (target?.scope !== undefined) {
        const globs = globsOf(to.config, target)
        const tools = catalog.tools.filter((each) => each.use === target.use && matchesAny(globs, each.name))
        return { sentence: `${title(from)} covers ${globs.join(', ') || title(to)}.`, tools }
      }
      const globs = typedGlobs(from.config)
      if (globs === undefined)
        return {
          sentence: `${title(from)} covers ${source.scoped === true ? `every tool of ${title(to)}` : 'the whole run'}.`,
          tools: nothing,
        }
      return {
        sentence: `${title(from)} covers ${globs.join(', ')}.`,
        tools: catalog.tools.filter((each) => matchesAny(globs, each.name)),
      }
    }
    default:
      // Other wires, as into the output, are told by their ends.
      return { sentence: `${title(from)} goes into ${title(to)}.`, tools: nothing }
  }
}
