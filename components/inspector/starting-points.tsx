'use client'
/** Starting points for an agent: each sets a few common settings at once, as one entry of the history. */
import { useGraph } from '#components/drawing/graph-context'
import { Button } from '#components/ui/button'
import shared from '#components/ui/shared.module.css'
import { holds, startingPoints, withStart } from '#lib/graph/starting-points'
import inspector from './inspector.module.css'
import styles from './starting-points.module.css'

export function StartingPoints() {
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const edit = useGraph((state) => state.edit)
  return (
    <section className={inspector.section} aria-label="Starting points">
      <h3 className={inspector.heading}>Starting points</h3>
      <ul className={styles.list}>
        {startingPoints.map((start) => (
          <li key={start.id} className={styles.row}>
            <Button
              size="s"
              pressed={holds(graph, start, catalog)}
              onClick={() => edit((drawn, parts) => withStart(drawn, start, parts))}
            >
              {start.label}
            </Button>
            <span className={shared.caption}>{start.says}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
