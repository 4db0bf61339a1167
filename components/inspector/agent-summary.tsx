'use client'
/** Nothing chosen: the agent in a few rows, each of which leads to its node. */
import { describeNode } from '#components/canvas/describe'
import { useGraph, useGraphStore } from '#components/canvas/graph-context'
import { addPart } from '#components/canvas/part'
import { Button } from '#components/ui/button'
import { Empty } from '#components/ui/notice'
import { Tile } from '#components/ui/tile'
import { kindOf } from '#lib/graph/kinds'
import styles from './inspector.module.css'

export function AgentSummary() {
  const store = useGraphStore()
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const agent = graph.nodes.find((each) => kindOf(catalog, each.kind)?.place.at === 'root')
  const root = catalog.kinds.find((each) => each.place.at === 'root')
  if (agent === undefined) {
    return (
      <Empty icon="bot" title="There is no agent on the canvas yet.">
        {root !== undefined && (
          <Button icon="plus" onClick={() => addPart({ store, part: { kind: root.kind }, isWired: true })}>
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
      <header className={styles.head}>
        <Tile family={told.family} icon={told.icon} />
        <div className={styles.title}>
          <span className={styles.name}>{told.title}</span>
          <span className={styles.kind}>Choose a node to see its settings</span>
        </div>
      </header>
      {description !== '' && <section className={styles.section}>{description}</section>}
      <section className={styles.section} aria-label="Nodes">
        <h3 className={styles.heading}>On the canvas</h3>
        <div className={styles.rows}>
          {graph.nodes.map((node) => {
            const each = describeNode(node, catalog)
            return (
              <button
                key={node.id}
                type="button"
                className={styles.row}
                onClick={() => store.getState().select({ nodes: [node.id] })}
              >
                <Tile family={each.family} icon={each.icon} size="s" />
                <span>{each.title}</span>
                {graph.parked.includes(node.id) && <span className={styles.end}>off</span>}
              </button>
            )
          })}
        </div>
      </section>
    </>
  )
}
