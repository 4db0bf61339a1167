'use client'
/**
 * The Settings page: models and their keys, secrets, databases, prices, appearance, and facts about the
 * server.
 */
import Link from 'next/link'
import { type ReactNode, useEffect } from 'react'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { Theme } from '#components/ui/theme'
import { About } from './about'
import { Appearance } from './appearance'
import { Databases } from './databases'
import { Models } from './models'
import { Prices } from './prices'
import { Secrets } from './secrets'
import styles from './settings.module.css'

export interface SettingsPageProps {
  readonly theme: Theme
  /** The page of this product that a person came from; the back link returns to it. */
  readonly back: string | null
}

const parts = [
  { id: 'models', title: 'Models' },
  { id: 'secrets', title: 'Secrets' },
  { id: 'databases', title: 'Databases' },
  { id: 'prices', title: 'Prices' },
  { id: 'appearance', title: 'Appearance' },
  { id: 'about', title: 'About' },
] as const

export function SettingsPage({ theme, back }: SettingsPageProps) {
  useAnchor()
  return (
    <main className={shared.page}>
      <div className={styles.wrap}>
        <header className={styles.top}>
          <h1 className={shared.pageTitle}>Settings</h1>
          <nav className={styles.anchors} aria-label="Sections">
            {parts.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </nav>
          {back !== null && (
            <Link href={back} className={styles.back}>
              <Icon name="arrow-left" size={14} />
              {back.startsWith('/agents/') ? 'Back to the agent' : 'Back'}
            </Link>
          )}
        </header>
        <Part
          id="models"
          about="Where real models are asked. A key stays on this server and is sent to its own address only; no agent’s file ever holds it."
        >
          <Models />
        </Part>
        <Part
          id="secrets"
          about="Values that are kept encrypted, named where they are used, and never shown again. Each goes only to the origins it lists."
        >
          <Secrets />
        </Part>
        <Part
          id="databases"
          about="SQLite files on the server’s machine that the SQL tools may read. They are opened read-only; an agent names one in its sql tools."
        >
          <Databases />
        </Part>
        <Part
          id="prices"
          about="What a run costs is reckoned from these. Of several that fit a model, the longest pattern counts. A model without a price shows tokens alone."
        >
          <Prices />
        </Part>
        <Part id="appearance" about="Kept in this browser.">
          <Appearance initial={theme} />
        </Part>
        <Part id="about" about="This server, where its data lies, and how to be rid of it.">
          <About />
        </Part>
      </div>
    </main>
  )
}

function Part({
  id,
  about,
  children,
}: {
  id: (typeof parts)[number]['id']
  about: string
  children: ReactNode
}) {
  const title = parts.find((each) => each.id === id)?.title
  return (
    <section id={id} className={styles.part} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{about}</p>
      </header>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

/**
 * Content that loads late pushes sections down: the section in the hash is kept in view until a person
 * scrolls.
 */
function useAnchor(): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    const section = id === '' ? null : document.getElementById(id)
    const content = section?.parentElement
    if (section === null || content == null) return
    const reveal = () => section.scrollIntoView({ block: 'start' })
    const observer = new ResizeObserver(reveal)
    observer.observe(content)
    const stop = () => observer.disconnect()
    const hands = ['wheel', 'pointerdown', 'keydown', 'touchstart']
    for (const each of hands) window.addEventListener(each, stop, { once: true, passive: true })
    return () => {
      stop()
      for (const each of hands) window.removeEventListener(each, stop)
    }
  }, [])
}
