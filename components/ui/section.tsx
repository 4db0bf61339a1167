/** A section of a page of settings: its heading and what it is about on the left, its content on the right. */
import type { ReactNode } from 'react'
import styles from './section.module.css'

export interface SectionProps {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section id={id} className={styles.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{about}</p>
      </header>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
