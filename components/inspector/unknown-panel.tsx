'use client'
/** A node of a kind that this server does not have: it is kept unchanged. */
import { useState } from 'react'
import { useGraphStore } from '#components/drawing/graph-context'
import { deleteSelection } from '#components/drawing/part'
import type { GraphNode } from '#lib/spec/graph'
import { CompilesTo } from './compiles-to'
import styles from './inspector.module.css'
import { PanelHead } from './panel-head'
import { WholeConfig } from './whole-config'

export function UnknownPanel({ node }: { node: GraphNode }) {
  const store = useGraphStore()
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <PanelHead
        family="note"
        icon="box"
        name={node.kind}
        kind="Not known here"
        items={[{ label: 'Delete', icon: 'trash-2', danger: true, run: () => deleteSelection(store) }]}
      />
      <section className={styles.section}>
        This server does not have this part. Its settings are kept as they are, and are included when the
        agent is exported.
      </section>
      <CompilesTo node={node.id} onWhole={() => setWhole(true)} />
      {isWhole && <WholeConfig node={node.id} onClose={() => setWhole(false)} />}
    </>
  )
}
