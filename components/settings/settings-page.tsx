'use client'
/** Settings: how this browser shows the product, which databases its tools may read, and what server this is. */
import type { ReactNode } from 'react'
import type { Theme } from '#components/ui/theme'
import { About } from './about'
import { Appearance } from './appearance'
import { Databases } from './databases'
import styles from './settings.module.css'

export function SettingsPage({ theme }: { theme: Theme }) {
  return (
    <main className={styles.page}>
      <div className={styles.wrap}>
        <h1>Settings</h1>
        <Part title="Appearance" about="Kept in this browser.">
          <Appearance initial={theme} />
        </Part>
        <Part
          title="Databases"
          about="SQLite files on the server’s machine that the SQL tools may read. They are opened read-only; an agent names one in its sql tools."
        >
          <Databases />
        </Part>
        <Part title="About" about="This server, where its data lies, and how to be rid of it.">
          <About />
        </Part>
      </div>
    </main>
  )
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{about}</p>
      </header>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
