'use client'
/** A panel that comes in from the left and keeps the focus; Escape or a press outside closes it. */
import type { ReactNode } from 'react'
import { IconButton } from './button'
import styles from './drawer.module.css'
import { useModal } from './use-modal'

export interface DrawerProps {
  readonly label: string
  onClose(): void
  readonly children: ReactNode
}

export function Drawer({ label, onClose, children }: DrawerProps) {
  const modal = useModal({
    first: (dialog) => dialog.querySelector<HTMLElement>('[aria-current]'),
    closesOutside: true,
    onClose,
  })
  return (
    <dialog {...modal} aria-label={label} className={styles.drawer}>
      <div className={styles.inside}>
        <header className={styles.head}>
          <span>{label}</span>
          <IconButton icon="x" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
