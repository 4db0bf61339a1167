/** The words by which a node can be found although its card does not show them. Pure. */
import { classedTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import { describeNode } from './describe'

/** The names and labels of its tools, and what its author wrote about it. */
export function nodeWords(node: GraphNode, catalog: Catalog): string[] {
  const kind = kindOf(catalog, node.kind)
  const tools = kind === undefined ? [] : classedTools(node, kind, catalog)
  const { description } = node.config
  return [
    describeNode(node, catalog).names,
    kind?.label ?? '',
    ...tools.flatMap(({ name, label }) => [name, label]),
    ...(typeof description === 'string' ? [description] : []),
  ].filter((each) => each !== '')
}
