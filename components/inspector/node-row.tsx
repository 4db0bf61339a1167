'use client'
/** One node of the drawing as a row that links to its settings; its children are shown at the end. */
import type { ReactNode } from 'react'
import { describeNode } from '#components/drawing/describe'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { Tile } from '#components/ui/tile'
import type { GraphNode } from '#lib/spec/graph'
import styles from './inspector.module.css'

export function NodeRow({ node, children }: { node: GraphNode; children?: ReactNode }) {
  const store = useGraphStore()
  const catalog = useGraph((state) => state.catalog)
  const { family, icon, title } = describeNode(node, catalog)
  return (
    <button
      type="button"
      className={styles.row}
      onClick={() => store.getState().select({ nodes: [node.id] })}
    >
      <Tile family={family} icon={icon} size="s" />
      <span>{title}</span>
      {children !== undefined && <span className={styles.end}>{children}</span>}
    </button>
  )
}
