'use client'
/** A wire: what it means, what it carries, its two ends, and a button to delete it. */
import { useMemo } from 'react'
import { describeNode } from '#components/drawing/describe'
import { edgeId } from '#components/drawing/flow'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { deleteSelection } from '#components/drawing/part'
import { ToolRows } from '#components/form/tool-rows'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import shared from '#components/ui/shared.module.css'
import { kindOf } from '#lib/graph/kinds'
import { meaningOf, type WireEnds } from './edge-words'
import styles from './inspector.module.css'
import { NodeRow } from './node-row'
import { PanelHead } from './panel-head'

export function EdgePanel({ id }: { id: string }) {
  const store = useGraphStore()
  const graph = useGraph((state) => state.history.present)
  const off = useGraph((state) => state.off)
  const catalog = useGraph((state) => state.catalog)
  const wire = useMemo((): WireEnds | undefined => {
    const edge = graph.edges.find((each) => edgeId(each) === id)
    const from = graph.nodes.find((each) => each.id === edge?.from.node)
    const to = graph.nodes.find((each) => each.id === edge?.to.node)
    if (edge === undefined || from === undefined || to === undefined) return undefined
    return { edge, from, to, isOff: off.has(from.id) || off.has(to.id) }
  }, [graph, id, off])
  if (wire === undefined) return null
  const { sentence, tools } = meaningOf(wire, catalog)
  const family = kindOf(catalog, wire.from.kind)?.family ?? 'note'
  return (
    <>
      <PanelHead
        family={family}
        icon="waypoints"
        name={`${describeNode(wire.from, catalog).title} to ${describeNode(wire.to, catalog).title}`}
        kind={`Wire, ${wire.edge.from.port} into ${wire.edge.to.port}`}
      />
      <section className={styles.section} aria-label="What it means">
        <p>{sentence}</p>
        {tools.length > 0 && <ToolRows tools={tools} label="Tools it applies to" />}
      </section>
      <section className={styles.section} aria-label="Ends">
        <div className={shared.stack}>
          <NodeRow node={wire.from}>from</NodeRow>
          <NodeRow node={wire.to}>to</NodeRow>
        </div>
      </section>
      <section className={styles.section}>
        <Button icon="trash-2" onClick={() => deleteSelection(store)}>
          Delete the wire <Kbd>Del</Kbd>
        </Button>
      </section>
    </>
  )
}
