'use client'
/**
 * Shown when nothing is selected: the agent, what it may do, and its nodes, each with a link to its settings.
 */
import { useState } from 'react'
import { describeNode } from '#components/drawing/describe'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { addPart } from '#components/drawing/part'
import { Button } from '#components/ui/button'
import { Empty } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { kindOf } from '#lib/graph/kinds'
import { ApprovalPanel } from './approval-panel'
import { AuthoritySection } from './authority-section'
import styles from './inspector.module.css'
import { NodeRow } from './node-row'
import { PanelHead } from './panel-head'
import { WholeConfig } from './whole-config'

/** The most rows shown; the outline and the search find the others. */
const most = 40

export function AgentSummary() {
  const store = useGraphStore()
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const off = useGraph((state) => state.off)
  const [isWhole, setWhole] = useState(false)
  const agent = graph.nodes.find((each) => kindOf(catalog, each.kind)?.place.at === 'root')
  const root = catalog.kinds.find((each) => each.place.at === 'root')
  if (agent === undefined) {
    return (
      <Empty icon="bot" title="There is no agent on the canvas yet.">
        {root !== undefined && (
          <Button icon="plus" onClick={() => addPart({ store, part: { kind: root.kind } })}>
            Add the agent
          </Button>
        )}
      </Empty>
    )
  }
  const told = describeNode(agent, catalog)
  const description = typeof agent.config.description === 'string' ? agent.config.description : ''
  return (
    <>
      <PanelHead
        family={told.family}
        icon={told.icon}
        name={told.title}
        kind="Choose a node to see its settings"
        items={[{ label: 'Show the whole config', icon: 'braces', run: () => setWhole(true) }]}
        isFixed
      />
      <ApprovalPanel />
      {description !== '' && <section className={styles.section}>{description}</section>}
      <AuthoritySection />
      <section className={styles.section} aria-label="Nodes">
        <h3 className={styles.heading}>
          On the canvas<span className={styles.end}>{graph.nodes.length}</span>
        </h3>
        <div className={shared.stack}>
          {graph.nodes.slice(0, most).map((node) => (
            <NodeRow key={node.id} node={node}>
              {off.has(node.id) ? 'off' : undefined}
            </NodeRow>
          ))}
        </div>
        {graph.nodes.length > most && <p className={shared.quiet}>and {graph.nodes.length - most} more</p>}
      </section>
      {isWhole && <WholeConfig node={undefined} onClose={() => setWhole(false)} />}
    </>
  )
}
