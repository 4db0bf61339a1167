'use client'
/**
 * The left column: the parts or the outline. In a narrow window it is a rail, and the outline opens from it
 * as a flyout.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { Outline, type OutlineProps } from '#components/outline/outline'
import { Palette } from '#components/palette/palette'
import { IconButton } from '#components/ui/button'
import { Tabs } from '#components/ui/tabs'
import styles from './side-column.module.css'

export type LeftSide = 'parts' | 'outline'

export interface SideColumnProps extends OutlineProps {
  readonly side: LeftSide
  /** Whether the palette opens with its search. */
  readonly isSearching: boolean
  onSide(side: LeftSide): void
}

const tabs = [
  { id: 'parts', label: 'Parts' },
  { id: 'outline', label: 'Outline' },
]

export function SideColumn({ side, isSearching, onSide, ...outline }: SideColumnProps) {
  return (
    <div className={styles.column} data-side={side}>
      <div className={styles.tabs}>
        <Tabs
          tabs={tabs}
          value={side}
          onChange={(id) => onSide(id === 'outline' ? 'outline' : 'parts')}
          label="Left column"
        />
      </div>
      <div className={styles.rail}>
        <IconButton
          icon="list-tree"
          label="Outline"
          pressed={side === 'outline'}
          onClick={() => onSide(side === 'outline' ? 'parts' : 'outline')}
        />
      </div>
      <div className={styles.parts}>
        <Palette isSearching={isSearching} />
      </div>
      {side === 'outline' && (
        <Flyout onClose={() => onSide('parts')}>
          <Outline {...outline} />
        </Flyout>
      )}
    </div>
  )
}

/** Takes the focus when it opens, so that its keys work at once. */
function Flyout({ children, onClose }: { children: ReactNode; onClose(): void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('[role="tree"]')?.focus(), [])
  return (
    <div ref={place} className={styles.outline}>
      <div className={styles.flyoutHead}>
        <span>Outline</span>
        <IconButton icon="x" label="Close the outline" size="s" onClick={onClose} />
      </div>
      {children}
    </div>
  )
}
