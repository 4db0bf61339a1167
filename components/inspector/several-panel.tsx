'use client'
/** Several things chosen at once: what can be done with all of them. */
import { useGraphStore } from '#components/canvas/graph-context'
import { deleteSelection, duplicateSelection } from '#components/canvas/part'
import { Kbd } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Tile } from '#components/ui/tile'
import styles from './inspector.module.css'

export function SeveralPanel({ count }: { count: number }) {
  const store = useGraphStore()
  return (
    <>
      <header className={styles.head}>
        <Tile family="note" icon="layers" />
        <div className={styles.title}>
          <span className={styles.name}>{count} chosen</span>
          <span className={styles.kind}>Choose one to see its settings</span>
        </div>
        <IconButton icon="x" label="Close" onClick={() => store.getState().select({})} />
      </header>
      <section className={styles.section}>
        <div className={styles.actions}>
          <Button icon="copy" onClick={() => duplicateSelection(store)}>
            Duplicate
          </Button>
          <Button icon="trash-2" onClick={() => deleteSelection(store)}>
            Delete <Kbd>Del</Kbd>
          </Button>
        </div>
      </section>
    </>
  )
}
