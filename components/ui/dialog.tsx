'use client'
/** A modal question. Used only where continuing without an answer would lose something. */
import { type ReactNode, useId } from 'react'
import { IconButton } from './button'
import styles from './dialog.module.css'
import { Line } from './line'
import { useModal } from './use-modal'

export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide,
}: {
  title: string
  onClose(): void
  children: ReactNode
  actions?: ReactNode
  /** `page` for a whole document. */
  wide?: boolean | 'page'
}) {
  const id = useId()
  const modal = useModal({ first: firstIn, onClose })
  return (
    <dialog {...modal} aria-labelledby={id} className={styles.dialog} data-wide={wide || undefined}>
      <header className={styles.head}>
        <h2 id={id}>
          <Line text={title} />
        </h2>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
    </dialog>
  )
}

/**
 * The first field, or else the button that loses nothing, or else a long text that keys can scroll. Without
 * this, the browser would focus the close button.
 */
function firstIn(dialog: HTMLElement): HTMLElement | null {
  return (
    dialog.querySelector<HTMLElement>('input, textarea, select') ??
    dialog.querySelector<HTMLElement>('footer button[data-variant="primary"]:not(:disabled)') ??
    dialog.querySelector<HTMLElement>('footer button:not(:disabled)') ??
    dialog.querySelector<HTMLElement>('[data-first]')
  )
}
