'use client'
/** A panel that comes in from the left and keeps the focus; Escape or a press outside closes it. */
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button'
import styles from './drawer.module.css'
import { useModal } from './use-modal'

export interface DrawerProps {
  readonly label: string
  onClose(): void
  readonly children: ReactNode
}

export function Drawer({ label, onClose, children }: DrawerProps) {
  const element = useRef<HTMLDialogElement>(null)
  useModal(element, (dialog) => dialog.querySelector<HTMLElement>('[aria-current]'))
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={element}
      aria-label={label}
      className={styles.drawer}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
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
