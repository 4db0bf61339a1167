'use client'
/**
 * A dialog over the whole page for something large from the inspector; Escape or a click outside closes it.
 */
import { type ReactNode, useId } from 'react'
import { IconButton } from '#components/ui/button'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { useModal } from '#components/ui/use-modal'
import styles from './wide-dialog.module.css'

export interface WideDialogProps {
  readonly title: string
  /** Shown in the head, at the right. */
  readonly actions?: ReactNode
  readonly foot?: ReactNode
  /** As high as its content, instead of as high as the page. */
  readonly isLow?: boolean
  onClose(): void
  readonly children: ReactNode
}

export function WideDialog({ title, actions, foot, isLow, onClose, children }: WideDialogProps) {
  const id = useId()
  const modal = useModal({ closesOutside: true, onClose })
  return (
    <dialog {...modal} aria-labelledby={id} className={styles.dialog} data-low={isLow || undefined}>
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={id} className={shared.cut}>
            <Line text={title} />
          </h2>
          <div className={styles.actions}>{actions}</div>
          <IconButton icon="x" label="Close" title="Close (Esc)" onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {foot !== undefined && <footer className={styles.foot}>{foot}</footer>}
      </div>
    </dialog>
  )
}
