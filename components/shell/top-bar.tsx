'use client'
/**
 * The top bar, rendered once by the layout; a page adds to it with `<TopBarSlot>`. A page that people use
 * without the rest of the product has none.
 */
import { usePathname } from 'next/navigation'
import { type ReactNode, useMemo, useState } from 'react'
import type { MenuItem } from '#components/ui/menu'
import { NearLink } from '#components/ui/near-link'
import { BarMenuContext, TopBarContext } from '#components/ui/top-bar-slot'
import { BarMenu } from './bar-menu'
import { places } from './places'
import { SearchButton } from './search-button'
import styles from './top-bar.module.css'
import { useViewHeight } from './use-view-height'
import { WaitingCount } from './waiting-count'

const noBar = /^\/(agents\/[^/]+\/talk|talk\/[^/]+)$/

/** Renders the bar and the page, so that the page's slots find the bar. */
export function TopBar({ children }: { children: ReactNode }) {
  const [start, setStart] = useState<HTMLElement | null>(null)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const [end, setEnd] = useState<HTMLElement | null>(null)
  const [items, setItems] = useState<readonly MenuItem[]>([])
  const path = usePathname()
  useViewHeight()
  const slots = useMemo(() => ({ start, tools, end }), [start, tools, end])
  return (
    <TopBarContext.Provider value={slots}>
      {!noBar.test(path) && (
        <header className={styles.bar}>
          <NearLink href="/" className={styles.mark} aria-label="Loopwright, all agents">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M16.6 5.4A8 8 0 1 0 20 12" />
              <circle cx="19.1" cy="8.1" r="2.1" fill="currentColor" stroke="none" />
            </svg>
            {/* Pages of one agent or run need the room for its name. */}
            {!/^\/(agents|runs)\/./.test(path) && <span>Loopwright</span>}
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
          </nav>
          <WaitingCount />
          <div ref={setStart} className={styles.start} />
          <div ref={setTools} className={styles.tools} />
          <SearchButton />
          <div ref={setEnd} className={styles.end} />
          <BarMenu items={items} />
        </header>
      )}
      <BarMenuContext.Provider value={setItems}>{children}</BarMenuContext.Provider>
    </TopBarContext.Provider>
  )
}
