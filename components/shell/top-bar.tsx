'use client'
/** The top bar, rendered once by the layout; a page adds to it with `<TopBarSlot>`. */
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { NearLink } from '#components/ui/near-link'
import { TopBarContext } from '#components/ui/top-bar-slot'
import { SearchButton } from './search-button'
import styles from './top-bar.module.css'
import { WaitingCount } from './waiting-count'

const places = [
  { href: '/', label: 'Agents', holds: (path: string) => path === '/' || path.startsWith('/agents') },
  { href: '/runs', label: 'Runs', holds: (path: string) => path.startsWith('/runs') },
  { href: '/settings', label: 'Settings', holds: (path: string) => path.startsWith('/settings') },
]

/** Renders the bar and the page, so that the page's slots find the bar. */
export function TopBar({ children }: { children: ReactNode }) {
  const [start, setStart] = useState<HTMLElement | null>(null)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const [end, setEnd] = useState<HTMLElement | null>(null)
  const path = usePathname()
  return (
    <TopBarContext.Provider value={{ start, tools, end }}>
      <header className={styles.bar}>
        <NearLink href="/" className={styles.mark} aria-label="Loopwright, all agents">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M16.6 5.4A8 8 0 1 0 20 12" />
            <circle cx="19.1" cy="8.1" r="2.1" fill="currentColor" stroke="none" />
          </svg>
        </NearLink>
        <nav aria-label="Main" className={styles.nav}>
          {places.map((each) => (
            <NearLink
              key={each.href}
              href={each.href}
              className={styles.link}
              aria-current={each.holds(path) ? 'page' : undefined}
            >
              {each.label}
            </NearLink>
          ))}
          <WaitingCount />
        </nav>
        <div ref={setStart} className={styles.start} />
        <div ref={setTools} className={styles.end} />
        <SearchButton />
        <div ref={setEnd} className={styles.end} />
      </header>
      {children}
    </TopBarContext.Provider>
  )
}
