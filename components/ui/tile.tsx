/** A part's tile: its icon on the colour of its family. Only tiles and ports carry that colour. */
import type { Family } from '#lib/spec/kind'
import { Icon } from './icon'
import styles from './tile.module.css'

export function Tile({ family, icon, size = 'm' }: { family: Family; icon: string; size?: 'm' | 's' }) {
  return (
    <span className={styles.tile} data-family={family} data-size={size}>
      <Icon name={icon} size={size === 's' ? 14 : 16} />
    </span>
  )
}
