/** The line above something that can be folded away: its icon, its title and a word about it. */
import type { ReactNode } from 'react'
import styles from './fold-button.module.css'
import { Icon } from './icon'
import { Line } from './line'

export interface FoldButtonProps {
  readonly icon: ReactNode
  readonly title: string
  /** At the end of the line. */
  readonly aside?: string | undefined
  readonly isOpen: boolean
  /** The id of what it shows. */
  readonly controls: string
  onToggle(): void
}

export function FoldButton({ icon, title, aside, isOpen, controls, onToggle }: FoldButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      {icon}
      <span className={styles.title}>
        <Line text={title} />
      </span>
      {aside !== undefined && <span className={styles.aside}>{aside}</span>}
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
    </button>
  )
}
