'use client'
/**
 * The Settings page: models and their keys, secrets, databases, MCP servers, APIs, knowledge, skills, web search, the sandbox, prices, appearance, and
 * facts about the server.
 */
import Link from 'next/link'
import { type ReactNode, useEffect } from 'react'
import { Icon } from '#components/ui/icon'
import { Section } from '#components/ui/section'
import shared from '#components/ui/shared.module.css'
import type { Theme } from '#components/ui/theme'
import { About } from './about'
import { ApiDocuments } from './apis/api-documents'
import { Appearance } from './appearance'
import { Databases } from './databases'
import { Collections } from './knowledge/collections'
import { McpServers } from './mcp/mcp-servers'
import { Models } from './models'
import type { WantedPrice } from './price-draft'
import { Prices } from './prices'
import { Sandbox } from './sandbox/sandbox'
import { Secrets } from './secrets'
import styles from './settings.module.css'
import { Skills } from './skills/skills'
import { WebSearch } from './web-search'

export interface SettingsPageProps {
  readonly theme: Theme
  /** The page of this product that a person came from; the back link returns to it. */
  readonly back: string | null
  /** The model whose price somebody came to enter. */
  readonly wantedPrice: WantedPrice | null
}

const parts = [
  { id: 'models', title: 'Models' },
  { id: 'secrets', title: 'Secrets' },
  { id: 'databases', title: 'Databases' },
  { id: 'mcp', title: 'MCP servers' },
  { id: 'apis', title: 'APIs' },
  { id: 'knowledge', title: 'Knowledge' },
  { id: 'skills', title: 'Skills' },
  { id: 'web-search', title: 'Web search' },
  { id: 'sandbox', title: 'Sandbox' },
  { id: 'prices', title: 'Prices' },
  { id: 'appearance', title: 'Appearance' },
  { id: 'about', title: 'About' },
] as const

export function SettingsPage({ theme, back, wantedPrice }: SettingsPageProps) {
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
          about="The services and servers whose models your agents use. A key stays on this server and is sent only to its own address. It is never part of an agent’s file."
        >
          <Models />
        </Part>
        <Part
          id="secrets"
          about="Values that agents use by name. They are stored encrypted and never shown again. Each is sent only to the origins it lists."
        >
          <Secrets />
        </Part>
        <Part
          id="databases"
          about="SQLite files on the server’s machine and PostgreSQL databases that the SQL tools may read. Only sql.write may change rows, where you allow it here."
        >
          <Databases />
        </Part>
        <Part
          id="mcp"
          about="Programs and services that bring tools of their own, over the Model Context Protocol. An agent uses those that you wire to it. Each program is confirmed once, and tools that change are off until you have looked at them."
        >
          <McpServers />
        </Part>
        <Part
          id="apis"
          about="OpenAPI documents whose operations your agents can use as tools. An agent keeps the operations that you choose, so it also runs where the document is not."
        >
          <ApiDocuments />
        </Part>
        <Part
          id="knowledge"
          about="Documents that your agents search and cite. Only their text is kept, in passages. An agent uses the collections that its Knowledge part names."
        >
          <Collections />
        </Part>
        <Part
          id="skills"
          about="Folders with a SKILL.md: instructions for one kind of task, with files and scripts. The model of an agent reads a skill when a task needs it. A skill that changes is off in every agent until you have looked."
        >
          <Skills />
        </Part>
        <Part
          id="web-search"
          about="The service with which web.search and research.deep_search look for pages. A key is sent only to the address it was entered for."
        >
          <WebSearch />
        </Part>
        <Part
          id="sandbox"
          about="Code that a model or a stranger wrote runs behind a wall. The strongest one that holds on this machine is used; each is tested by a program that tries to get out."
        >
          <Sandbox />
        </Part>
        <Part
          id="prices"
          about="Used to work out what runs cost. The longest matching pattern wins. Runs of a model without a price show only tokens."
        >
          <Prices wanted={wantedPrice} />
        </Part>
        <Part id="appearance" about="Saved in this browser.">
          <Appearance initial={theme} />
        </Part>
        <Part id="about" about="This server, where its data is stored, and how to remove it.">
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
  const title = parts.find((each) => each.id === id)?.title ?? ''
  return (
    <Section id={id} title={title} about={about}>
      {children}
    </Section>
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
