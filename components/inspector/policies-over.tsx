'use client'
/** The policies that cover a tool entry, directly or through the agent. */
import { useMemo } from 'react'
import { describeNode } from '#components/drawing/describe'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { useToolOf } from '#components/drawing/use-authority'
import { Menu } from '#components/ui/menu'
import shared from '#components/ui/shared.module.css'
import { Tile } from '#components/ui/tile'
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { AskPolicies } from './authority-section'
import styles from './inspector.module.css'
import { usePolicyItems } from './policy-items'

export function PoliciesOver({ node }: { node: GraphNode }) {
  const store = useGraphStore()
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const covering = useMemo(() => policiesOver(graph, node, catalog), [graph, node, catalog])
  const items = usePolicyItems(node)
  const tool = useToolOf(node.id)
  const these = isOneTool(node, catalog) ? 'this tool' : 'these tools'
  return (
    <section className={styles.section} aria-label={`Policies on ${these}`}>
      <h3 className={styles.heading}>
        Policies on {these}
        <span className={styles.headingEnd}>
          {items.length > 0 && <Menu label={`Add a policy to ${these}`} icon="plus" size="s" items={items} />}
        </span>
      </h3>
      <div className={shared.stack}>
        {covering.map(({ policy, through }) => {
          const told = describeNode(policy, catalog)
          return (
            <button
              key={policy.id}
              type="button"
              className={styles.row}
              onClick={() => store.getState().select({ nodes: [policy.id] })}
            >
              <Tile family={told.family} icon={told.icon} size="s" />
              <span>{told.title}</span>
              <span className={styles.end}>{through === 'agent' ? 'through the agent' : `on ${these}`}</span>
            </button>
          )
        })}
      </div>
      {covering.length === 0 && <p className={shared.quiet}>No policies on {these}.</p>}
      {tool !== undefined && <AskPolicies tool={tool} />}
    </section>
  )
}

function isOneTool(node: GraphNode, catalog: Catalog): boolean {
  const kind = kindOf(catalog, node.kind)
  return kind === undefined || kind.scope?.name !== undefined || entryTools(node, kind, catalog).length === 1
}

interface Covering {
  readonly policy: GraphNode
  readonly through: 'entry' | 'agent'
}

function policiesOver(graph: GraphDocument, entry: GraphNode, catalog: Catalog): Covering[] {
  const byId = new Map(graph.nodes.map((each) => [each.id, each]))
  const off = new Set(graph.parked)
  const agents = new Set(graph.edges.flatMap(({ from, to }) => (from.node === entry.id ? [to.node] : [])))
  return graph.edges.flatMap(({ from, to }): Covering[] => {
    const policy = byId.get(from.node)
    if (policy === undefined || off.has(policy.id) || kindOf(catalog, policy.kind)?.out !== 'policy')
      return []
    if (to.node === entry.id) return [{ policy, through: 'entry' }]
    return agents.has(to.node) ? [{ policy, through: 'agent' }] : []
  })
}
