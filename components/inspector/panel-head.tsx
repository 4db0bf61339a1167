'use client'
/** The head of a panel, 52 px high: tile, name, kind, one main action, a menu, close. */
import type { ReactNode } from 'react'
import { useGraphStore } from '#components/drawing/graph-context'
import { IconButton } from '#components/ui/button'
import { Menu, type MenuItem } from '#components/ui/menu'
import { Tile } from '#components/ui/tile'
import type { Family } from '#lib/spec/kind'
import styles from './inspector.module.css'

export interface PanelHeadProps {
  readonly family: Family
  readonly icon: string
  /** A text, or the field that edits it. */
  readonly name: ReactNode
  readonly kind: string
  readonly action?: ReactNode
  readonly items?: readonly MenuItem[]
  /** Without a close button, for when nothing is selected. */
  readonly isFixed?: boolean
}

export function PanelHead({ family, icon, name, kind, action, items = [], isFixed }: PanelHeadProps) {
  const store = useGraphStore()
  return (
    <header className={styles.head}>
      <Tile family={family} icon={icon} />
      <div className={styles.title}>
        {typeof name === 'string' ? (
          <span className={styles.name} title={name}>
            {name}
          </span>
        ) : (
          name
        )}
        <span className={styles.kind} title={kind}>
          {kind}
        </span>
      </div>
      {action}
      <div className={styles.headEnd}>
        {items.length > 0 && <Menu label="More" items={items} />}
        {!isFixed && <IconButton icon="x" label="Close" onClick={() => store.getState().select({})} />}
      </div>
    </header>
  )
}
