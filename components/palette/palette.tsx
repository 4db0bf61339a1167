'use client'
/** The palette: every part the catalog holds, by family; dragged onto the canvas, or added by a click or Enter. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useGraph, useGraphStore } from '#components/canvas/graph-context'
import { addPart, carryPart, type Part } from '#components/canvas/part'
import { useReveal } from '#components/canvas/use-reveal'
import { Kbd } from '#components/ui/bits'
import { TextField } from '#components/ui/field'
import { Tile } from '#components/ui/tile'
import styles from './palette.module.css'
import { type PaletteItem, paletteSections, searched } from './palette-items'

export function Palette() {
  const catalog = useGraph((state) => state.catalog)
  const [query, setQuery] = useState('')
  const search = useRef<HTMLDivElement>(null)
  const sections = useMemo(() => searched(paletteSections(catalog), query), [catalog, query])
  useSlash(() => search.current?.querySelector('input')?.focus())
  const first = sections[0]?.items[0]
  const add = useAdd()
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && query !== '' && first !== undefined) add(first.part)
    if (event.key === 'Escape') setQuery('')
  }
  return (
    <aside className={styles.palette} aria-label="Parts">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the field inside bubble to here */}
      <div ref={search} className={styles.search} onKeyDown={keys}>
        <TextField
          value={query}
          onChange={setQuery}
          icon="search"
          end={<Kbd>/</Kbd>}
          placeholder="Search parts"
          aria-label="Search parts"
        />
      </div>
      <div className={styles.list}>
        {sections.map((section) => (
          <section key={section.label} aria-label={section.label}>
            <h3 className={styles.heading}>{section.label}</h3>
            <ul>
              {section.items.map((each) => (
                <Row key={each.id} item={each} />
              ))}
            </ul>
          </section>
        ))}
        {sections.length === 0 && <p className={styles.none}>No part is called “{query}”.</p>}
      </div>
    </aside>
  )
}

/** By a click or Enter a part comes wired, and into view. */
function useAdd(): (part: Part) => void {
  const store = useGraphStore()
  const reveal = useReveal()
  return (part) => {
    const id = addPart({ store, part, isWired: true })
    if (id !== undefined) reveal(id)
  }
}

function Row({ item }: { item: PaletteItem }) {
  const add = useAdd()
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        draggable
        title={`${item.label}. ${item.help}`}
        onDragStart={(event) => carryPart(event.dataTransfer, item.part)}
        onClick={() => add(item.part)}
      >
        <Tile family={item.family} icon={item.icon} size="s" />
        <span className={styles.label}>{item.label}</span>
        {item.risk !== undefined && <span className={styles.risk}>{item.risk}</span>}
      </button>
    </li>
  )
}

function useSlash(focus: () => void) {
  const latest = useRef(focus)
  useEffect(() => {
    latest.current = focus
  })
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable]') !== null
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
