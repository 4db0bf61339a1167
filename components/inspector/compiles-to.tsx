'use client'
/** The exact JSON that a node becomes, with its path; a click on the path opens the whole config there. */
import { useMemo, useState } from 'react'
import { partAt } from '#components/canvas/compiled'
import { useGraph } from '#components/canvas/graph-context'
import { Button } from '#components/ui/button'
import { JsonText } from '#components/ui/json-text'
import styles from './compiles-to.module.css'
import inspector from './inspector.module.css'

export function CompilesTo({ node }: { node: string }) {
  const text = useGraph((state) => state.compiled.text)
  const path = useGraph((state) => state.paths.get(node))
  const kinds = useGraph((state) => state.catalog.kinds)
  const [isWhole, setWhole] = useState(false)
  const part = useMemo(() => {
    if (text === null || path === undefined) return undefined
    const agent = kinds.find((each) => each.place.at === 'root')
    return partAt(text, path, Object.keys(agent?.schema.properties ?? {}))
  }, [text, path, kinds])
  return (
    <section className={inspector.section} aria-label="Compiles to">
      <h3 className={inspector.heading}>
        {isWhole ? 'The whole config' : 'Compiles to'}
        {path !== undefined && text !== null && (
          <Button
            variant="quiet"
            size="s"
            className={styles.path}
            title={isWhole ? 'Only this part' : 'Show the whole config'}
            aria-pressed={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'only this part' : path}
          </Button>
        )}
      </h3>
      {text === null && (
        <p className={inspector.quiet}>Nothing yet: the drawing has errors, which stand under Problems.</p>
      )}
      {text !== null && isWhole && <JsonText text={text} />}
      {text !== null && !isWhole && part !== undefined && <JsonText text={JSON.stringify(part, null, 2)} />}
      {text !== null && path === undefined && (
        <p className={inspector.quiet}>Nothing: it has no place in the config.</p>
      )}
    </section>
  )
}
