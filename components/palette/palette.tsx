'use client'
/**
 * The palette: every part of the catalog, by family; dragged onto the canvas, or added by a click or Enter.
 */
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import type { PalettePart } from '#components/drawing/carried-part'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { addPart, carryPart, endCarry } from '#components/drawing/part'
import { useReveal } from '#components/drawing/use-reveal'
import { Kbd } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Tile } from '#components/ui/tile'
import { dragImage } from './drag-image'
import styles from './palette.module.css'
import { type PaletteItem, paletteSections, searchSections } from './palette-items'
import { PartPicker } from './part-picker'
import { RailTip, type Tip } from './rail-tip'

export function Palette() {
  const catalog = useGraph((state) => state.catalog)
  const [query, setQuery] = useState('')
  const [tip, setTip] = useState<Tip | null>(null)
  const palette = useRef<HTMLElement>(null)
  const all = useMemo(() => paletteSections(catalog), [catalog])
  const sections = useMemo(() => searchSections(all, query), [all, query])
  const first = sections[0]?.items[0]
  const add = useAdd()
  const flyout = useFlyout(palette)
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const inSearch = event.target instanceof HTMLInputElement
    if (inSearch && event.key === 'Enter' && query !== '' && first !== undefined) add(first.part)
    else if (inSearch && event.key === 'Escape') setQuery('')
    else if (!walk(event, palette.current)) return
    event.preventDefault()
  }
  const point = (item: PaletteItem, row: HTMLElement | null) => setTip(row === null ? null : { item, row })
  return (
    <aside ref={palette} className={styles.palette} aria-label="Parts" onKeyDown={keys}>
      <div className={styles.search}>
        <TextField
          value={query}
          onChange={setQuery}
          icon="search"
          end={<Kbd>/</Kbd>}
          placeholder="Search parts"
          aria-label="Search parts"
        />
      </div>
      <div className={styles.find}>
        <IconButton icon="search" label="Search parts" aria-haspopup="dialog" onClick={flyout.open} />
      </div>
      <div className={styles.list}>
        {sections.map((section) => (
          <section key={section.label} aria-label={section.label}>
            <h2 className={styles.heading}>{section.label}</h2>
            <ul>
              {section.items.map((each) => (
                <Row key={each.id} item={each} onAdd={add} onPoint={point} />
              ))}
            </ul>
          </section>
        ))}
        {sections.length === 0 && (
          <p className={styles.none} role="status">
            No part is called “{query}”.
          </p>
        )}
      </div>
      <RailTip tip={tip} />
      {flyout.at !== null && <PartPicker at={flyout.at} parts={all} onPick={add} onClose={flyout.close} />}
    </aside>
  )
}

/** A part added by a click or Enter is wired and scrolled into view. */
function useAdd(): (part: PalettePart) => void {
  const store = useGraphStore()
  const reveal = useReveal()
  return (part) => {
    const id = addPart({ store, part, isWired: true })
    if (id !== undefined) reveal(id)
  }
}

/** `/` moves to the search; where the palette is a rail, the search opens next to it. */
function useFlyout(palette: { readonly current: HTMLElement | null }) {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  const [open] = useState(() => () => {
    const box = palette.current?.getBoundingClientRect()
    if (box !== undefined) setAt({ x: box.right + 4, y: box.top + 8 })
  })
  const [close] = useState(() => () => setAt(null))
  const commands = useMemo(
    (): Command[] => [
      {
        id: 'palette.search',
        label: 'Search parts',
        group: 'Add',
        icon: 'search',
        keys: ['/'],
        run: () => {
          const field = palette.current?.querySelector('input')
          if (field?.checkVisibility() === true) field.focus()
          else open()
        },
      },
    ],
    [palette, open],
  )
  useCommands(commands)
  return { at, open, close }
}

function Row({
  item,
  onAdd,
  onPoint,
}: {
  item: PaletteItem
  onAdd(part: PalettePart): void
  onPoint(item: PaletteItem, row: HTMLElement | null): void
}) {
  const enter = (event: PointerEvent<HTMLElement>) => onPoint(item, event.currentTarget)
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        data-part=""
        draggable
        title={`${item.label}. ${item.help}`}
        onDragStart={(event) => {
          onPoint(item, null)
          carryPart(event.dataTransfer, item.part)
          dragImage(event)
        }}
        onDragEnd={endCarry}
        onClick={() => onAdd(item.part)}
        onPointerEnter={enter}
        onPointerLeave={() => onPoint(item, null)}
        onFocus={(event) =>
          event.currentTarget.matches(':focus-visible') && onPoint(item, event.currentTarget)
        }
        onBlur={() => onPoint(item, null)}
      >
        <Tile family={item.family} icon={item.icon} size="s" />
        <span className={styles.label}>{item.label}</span>
        {item.risk !== undefined && <span className={styles.risk}>{item.risk}</span>}
      </button>
    </li>
  )
}

/** Arrow keys move from the search through the rows and back; returns true when the key was handled. */
function walk(event: KeyboardEvent, palette: HTMLElement | null): boolean {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Home' && event.key !== 'End')
    return false
  const rows = [...(palette?.querySelectorAll<HTMLElement>('[data-part]') ?? [])]
  const at = rows.findIndex((each) => each.matches(':focus'))
  const inSearch = event.target instanceof HTMLInputElement
  if (inSearch && event.key !== 'ArrowDown') return false
  if (!inSearch && at < 0) return false
  const search = palette?.querySelector<HTMLElement>('input')
  const next =
    event.key === 'Home'
      ? rows[0]
      : event.key === 'End'
        ? rows.at(-1)
        : event.key === 'ArrowDown'
          ? rows[Math.min(at + 1, rows.length - 1)]
          : at <= 0
            ? search
            : rows[at - 1]
  next?.focus()
  return true
}
