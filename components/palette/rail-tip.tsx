'use client'
/**
 * Where the palette is a rail of tiles: the name and risk of the hovered or focused tile, shown next to it.
 */
import styles from './palette.module.css'
import type { PaletteItem } from './palette-items'

export interface Tip {
  readonly item: PaletteItem
  readonly row: HTMLElement
}

export function RailTip({ tip }: { tip: Tip | null }) {
  if (tip === null) return null
  const { right, top, height } = tip.row.getBoundingClientRect()
  return (
    <div className={styles.tip} aria-hidden="true" style={{ left: right + 4, top: top + height / 2 }}>
      {tip.item.label}
      {tip.item.risk !== undefined && <span className={styles.risk}>{tip.item.risk}</span>}
    </div>
  )
}
