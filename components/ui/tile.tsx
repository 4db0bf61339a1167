/** A part's tile: its icon on the colour of its family. Only tiles and ports carry that colour. */
import type { Family } from '#lib/spec/kind'
import { Icon } from './icon'
import styles from './tile.module.css'

export interface TileProps {
  family: Family
  /** Absent where it would be too small to be seen: the colour remains. */
  icon: string | undefined
  size?: 'm' | 's'
}

export function Tile({ family, icon, size = 'm' }: TileProps) {
  return (
    <span className={styles.tile} data-family={family} data-size={size}>
      {icon !== undefined && <Icon name={icon} size={size === 's' ? 14 : 16} />}
    </span>
  )
}
