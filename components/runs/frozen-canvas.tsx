'use client'
/** The drawing that a run started from, with the states of this run on its cards. */
import { useMemo } from 'react'
import { GraphView } from '#components/canvas/graph-view'
import { Icon } from '#components/ui/icon'
import { decompile } from '#lib/graph/decompile'
import type { Catalog } from '#lib/spec/catalog'
import type { JsonObject } from '#lib/spec/json'
import styles from './run-page.module.css'

export interface FrozenCanvasProps {
  readonly config: JsonObject
  readonly catalog: Catalog
  /** The entry that another part of the page points at. */
  readonly pointed: { readonly path: string } | null
  onSelectNode(node: string, path: string | undefined): void
}

export function FrozenCanvas({ config, catalog, pointed, onSelectNode }: FrozenCanvasProps) {
  const { graph, origins } = useMemo(() => decompile(config, catalog), [config, catalog])
  const node = pointed === null ? undefined : origins[pointed.path]
  // A new object each time, so that the same node can be shown again.
  const shown = useMemo(() => (pointed === null || node === undefined ? null : { node }), [pointed, node])
  return (
    <section className={styles.canvas} aria-label="The drawing as it ran">
      <GraphView
        graph={graph}
        catalog={catalog}
        origins={origins}
        onSelectNode={onSelectNode}
        pointed={shown}
      />
      <span className={styles.frozen}>
        <Icon name="lock" size={14} />
        Frozen as it ran
      </span>
    </section>
  )
}
