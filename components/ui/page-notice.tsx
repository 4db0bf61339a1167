/** A page with a single message: a title, one more sentence, and one link. */
import type { ReactNode } from 'react'
import { Icon } from './icon'
import styles from './page-notice.module.css'
import shared from './shared.module.css'

export interface PageNoticeProps {
  readonly icon: string
  readonly title: string
  readonly text: string
  /** A screen reader announces it at once, because something failed. */
  readonly isAlert?: boolean
  readonly children?: ReactNode
}

export function PageNotice({ icon, title, text, isAlert, children }: PageNoticeProps) {
  return (
    <main className={styles.page}>
      <Icon name={icon} size={20} className={styles.icon} />
      <div role={isAlert ? 'alert' : undefined}>
        <h1 className={shared.pageTitle}>{title}</h1>
        <p>{text}</p>
      </div>
      <div className={styles.ways}>{children}</div>
    </main>
  )
}
