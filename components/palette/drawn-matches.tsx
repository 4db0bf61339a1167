'use client'
/** Parts of the drawing that match what was typed into the search of parts; a click shows the part. */
import { useMemo } from 'react'
import { rankFound } from '#components/commands/rank'
import { describeNode } from '#components/drawing/describe'
import { useGraph } from '#components/drawing/graph-context'
import { nodeWords } from '#components/drawing/node-words'
import { useShow } from '#components/drawing/use-show'
import { Tile } from '#components/ui/tile'
import styles from './palette.module.css'

const most = 8

export function DrawnMatches({ query }: { query: string }) {
  const nodes = useGraph((state) => state.history.present.nodes)
  const catalog = useGraph((state) => state.catalog)
  const show = useShow()
  const found = useMemo(() => {
    if (query.trim() === '') return []
    const all = nodes.map((node) => ({ node, look: describeNode(node, catalog) }))
    return rankFound(all, query, ({ node, look }) => ({
      label: look.title,
      text: [look.caption, ...nodeWords(node, catalog)].join(' '),
    }))
  }, [nodes, catalog, query])
  if (found.length === 0) return null
  return (
    <section aria-label="In your drawing">
      <h2 className={styles.heading}>In your drawing</h2>
      <ul>
        {found.slice(0, most).map(({ node: { id }, look: { title, caption, family, icon } }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.row}
              data-drawn=""
              data-stop={`drawn ${id}`}
              title={`Show ${title} (${caption})`}
              onClick={() => show(id)}
            >
              <Tile family={family} icon={icon} size="s" />
              <span className={styles.label}>{title}</span>
              <span className={styles.name}>show</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > most && <p className={styles.none}>{found.length - most} more match.</p>}
    </section>
  )
}
