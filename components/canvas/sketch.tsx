'use client'
/**
 * The outlines of cards and wires that are not rendered yet, in three paths, so that a large drawing is seen
 * whole at once.
 */
import { Position, ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import { boxOf } from '#components/drawing/boxes'
import { edgeId, type FlowNode } from '#components/drawing/flow'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { wireEnds } from '#lib/graph/wire-ends'
import styles from './sketch.module.css'
import type { Staged } from './use-staged'
import { wirePath } from './wire-path'

const positions = { right: Position.Right, left: Position.Left, top: Position.Top, bottom: Position.Bottom }

/** Of a card: the radius of its corners is too small to be seen in a frame or two. */
function outline(node: FlowNode): string {
  const { x, y, width, height } = boxOf(node)
  return `M${x} ${y}h${width}v${height}h${-width}z`
}

export const Sketch = memo(function Sketch({ nodes, edges }: Staged['rest']) {
  const lineOf = useLines(nodes.length + edges.length === 0)
  if (nodes.length + edges.length === 0) return null
  const linesOf = (isPolicy: boolean) =>
    edges
      .filter(({ data }) => (data?.family === 'policy') === isPolicy)
      .map(({ id }) => lineOf.get(id) ?? '')
      .join('')
  const cards = nodes.filter(({ type }) => type === 'card')
  return (
    <ViewportPortal>
      <svg className={styles.sketch} data-sketch="" aria-hidden="true">
        <path className={styles.wires} d={linesOf(false)} />
        <path className={styles.wires} data-policy="" d={linesOf(true)} />
        <path className={styles.cards} d={cards.map(outline).join('')} />
      </svg>
    </ViewportPortal>
  )
})

const noLines: ReadonlyMap<string, string> = new Map()

/** The lines of all wires by their ids on the canvas. New routes mean that cards have moved. */
function useLines(isDone: boolean): ReadonlyMap<string, string> {
  const store = useGraphStore()
  const routes = useGraph((state) => state.routes)
  return useMemo(() => {
    if (isDone) return noLines
    const { history, catalog, nodes } = store.getState()
    const cards = nodes.flatMap((each) => (each.type === 'card' ? [boxOf(each)] : []))
    const wires = wireEnds({ graph: history.present, catalog, cards, idOf: edgeId })
    return new Map(
      wires.map(({ id, from, to }) => {
        const ends = {
          ...{ sourceX: from.x, sourceY: from.y, sourcePosition: positions[from.side] },
          ...{ targetX: to.x, targetY: to.y, targetPosition: positions[to.side] },
        }
        return [id, wirePath(ends, routes.get(id))]
      }),
    )
  }, [isDone, store, routes])
}
