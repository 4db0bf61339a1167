'use client'
/**
 * The palette: every part of the catalog, by family; dragged onto the canvas, or added by a click or Enter.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useCommands } from '#components/commands/commands-context'
import type { PalettePart } from '#components/drawing/carried-part'
import { focusCard } from '#components/drawing/focus-card'
import { useGraphStore } from '#components/drawing/graph-context'
import { addPart, carryPart, endCarry } from '#components/drawing/part'
import { useReveal } from '#components/drawing/use-reveal'
import { useWall, type WallFace } from '#components/drawing/use-wall'
import { Kbd } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { Tile } from '#components/ui/tile'
import { useRemembered } from '#components/ui/use-remembered'
import { dragImage } from './drag-image'
import { DrawnMatches } from './drawn-matches'
import { readFolds, writeFolds } from './folds'
import styles from './palette.module.css'
import { findParts, type PaletteItem, type PaletteSection } from './palette-items'
import { PartPicker } from './part-picker'
import { RailTip, type Tip } from './rail-tip'
import { searchCommand } from './search-command'
import { usePaletteSections } from './use-palette-sections'

/** @param props.isSearching whether a person pressed the key of the search before the palette was there */
export function Palette({ isSearching = false }: { isSearching?: boolean }) {
  const [query, setQuery] = useState('')
  const [tip, setTip] = useState<Tip | null>(null)
  const palette = useRef<HTMLElement>(null)
  const all = usePaletteSections()
  const { sections, isNearest } = useMemo(() => findParts(all, query), [all, query])
  const first = sections[0]?.items[0]
  const add = useAdd()
  const flyout = useFlyout(palette, isSearching)
  const folds = useFolds()
  const isFolded = ({ label, folds: starts }: PaletteSection) =>
    query === '' && starts !== undefined && folds.isFolded(label, starts)
  const [stop, setStop] = useState<string>()
  const stops = sections.flatMap((each) => stopsOf(each, isFolded(each)))
  const tabStop = stop !== undefined && stops.includes(stop) ? stop : stops[0]
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const inSearch = event.target instanceof HTMLInputElement
    if (inSearch && event.key === 'Enter' && query !== '' && first !== undefined) {
      const id = add(first.part)
      setQuery('')
      // The next key acts on the new card: Enter opens its settings.
      if (id !== undefined) focusCard(id)
    } else if (inSearch && event.key === 'Escape') setQuery('')
    else if (!walk(event, palette.current)) return
    event.preventDefault()
  }
  const focus = ({ target }: FocusEvent) => {
    const to = target instanceof HTMLElement ? target.dataset.stop : undefined
    if (to !== undefined) setStop(to)
  }
  const point = (item: PaletteItem, row: HTMLElement | null) => setTip(row === null ? null : { item, row })
  return (
    <aside ref={palette} className={styles.palette} aria-label="Parts" onKeyDown={keys} onFocus={focus}>
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
      {isNearest && (
        <p className={styles.none} role="status">
          No part matches “{query}”.
        </p>
      )}
      <div className={styles.list}>
        {isNearest && <DrawnMatches query={query} />}
        {sections.map((section) => (
          <section key={section.label} aria-label={section.label} data-pinned={section.isPinned || undefined}>
            <Heading
              section={section}
              isFolded={query === '' && section.folds !== undefined ? isFolded(section) : undefined}
              tabStop={tabStop}
              onFold={folds.set}
            />
            <ul className={isFolded(section) ? styles.folded : undefined}>
              {section.items.map((each) => (
                <Row
                  key={each.id}
                  item={each}
                  isTabStop={tabStop === each.id}
                  isFirst={query !== '' && each === first}
                  onAdd={add}
                  onPoint={point}
                />
              ))}
            </ul>
          </section>
        ))}
        {!isNearest && <DrawnMatches query={query} />}
      </div>
      <RailTip tip={tip} />
      {flyout.at !== null && <PartPicker at={flyout.at} parts={all} onPick={add} onClose={flyout.close} />}
    </aside>
  )
}

/** What the arrow keys can reach in a section: its heading if it folds, and its rows while they show. */
function stopsOf({ label, folds, items }: PaletteSection, isFolded: boolean): string[] {
  const rows = isFolded ? [] : items.map((each) => each.id)
  return folds === undefined ? rows : [headingStop(label), ...rows]
}

const headingStop = (label: string) => `section ${label}`

function Heading({
  section: { label, items, isPinned },
  isFolded,
  tabStop,
  onFold,
}: {
  section: PaletteSection
  /** Undefined for a section that is always open. */
  isFolded: boolean | undefined
  tabStop: string | undefined
  onFold(label: string, isFolded: boolean): void
}) {
  if (isPinned) return <PinnedHeading label={label} />
  if (isFolded === undefined) return <h2 className={styles.heading}>{label}</h2>
  return (
    // Named itself, since the narrow rail hides the button.
    <h2 className={styles.heading} aria-label={label}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={!isFolded}
        data-stop={headingStop(label)}
        tabIndex={tabStop === headingStop(label) ? 0 : -1}
        onClick={() => onFold(label, !isFolded)}
      >
        <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={12} />
        {label}
        {isFolded && <span className={styles.count}>{items.length}</span>}
      </button>
    </h2>
  )
}

/** It is in view wherever the list is, and leads to its parts; with the keys, the rows themselves do. */
function PinnedHeading({ label }: { label: string }) {
  return (
    <h2 className={styles.heading} data-pinned="" aria-label={label}>
      <button
        type="button"
        className={styles.fold}
        tabIndex={-1}
        title={`Go to ${label}`}
        onClick={({ currentTarget }) =>
          currentTarget.parentElement?.nextElementSibling?.scrollIntoView({ block: 'start' })
        }
      >
        {label}
      </button>
    </h2>
  )
}

/** Which sections a person folded or opened; this browser remembers it. */
function useFolds() {
  const [text, keep] = useRemembered('palette.folds')
  const chosen = useMemo(() => readFolds(text), [text])
  return {
    isFolded: (label: string, starts: boolean) => chosen.get(label) ?? starts,
    set: (label: string, isFolded: boolean) =>
      keep(writeFolds(new Map([...chosen, [label, isFolded] as const]))),
  }
}

/** A part added by a click or Enter is wired and scrolled into view. */
function useAdd(): (part: PalettePart) => string | undefined {
  const store = useGraphStore()
  const reveal = useReveal()
  return (part) => {
    const id = addPart({ store, part })
    if (id !== undefined) reveal(id)
    return id
  }
}

/** `/` moves to the search; where the palette is a rail, the search opens next to it. */
function useFlyout(palette: { readonly current: HTMLElement | null }, isSearching: boolean) {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  const [open] = useState(() => () => {
    const box = palette.current?.getBoundingClientRect()
    if (box !== undefined) setAt({ x: box.right + 4, y: box.top + 8 })
  })
  const [close] = useState(() => () => setAt(null))
  const [search] = useState(() => () => {
    const field = palette.current?.querySelector('input')
    if (field?.checkVisibility() === true) field.focus()
    else open()
  })
  useCommands(useMemo(() => [searchCommand(search)], [search]))
  const starts = useRef(isSearching)
  useEffect(() => {
    if (starts.current) search()
    starts.current = false
  }, [search])
  return { at, open, close }
}

function Row({
  item,
  isTabStop,
  isFirst,
  onAdd,
  onPoint,
}: {
  item: PaletteItem
  isTabStop: boolean
  /** Enter in the search adds this part. */
  isFirst: boolean
  onAdd(part: PalettePart): void
  onPoint(item: PaletteItem, row: HTMLElement | null): void
}) {
  // The walls are tested only for a person who looks at such a tool, not for everyone who opens the page.
  const [isLookedAt, setLookedAt] = useState(false)
  const wall = useWall(item.walled, isLookedAt)
  const enter = (event: PointerEvent<HTMLElement>) => {
    setLookedAt(true)
    onPoint(item, event.currentTarget)
  }
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        data-stop={item.id}
        data-first={isFirst || undefined}
        tabIndex={isTabStop ? 0 : -1}
        draggable
        title={titleOf(item, wall)}
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
        {item.name !== undefined && <span className={styles.name}>{item.name}</span>}
        {isFirst && (
          <span className={styles.key} aria-hidden="true">
            <Kbd>Enter</Kbd>
          </span>
        )}
      </button>
    </li>
  )
}

function titleOf({ label, name, risk, help }: PaletteItem, wall: WallFace | undefined): string {
  const facts = [name, risk && `risk: ${risk}`, wall?.name].filter((each) => each !== undefined)
  return facts.length === 0 ? `${label}. ${help}` : `${label} (${facts.join(', ')}). ${help}`
}

/**
 * Arrow keys move from the search through headings and rows and back, so that all parts are one stop of the
 * Tab key; returns true when the key was handled.
 */
function walk(event: KeyboardEvent, palette: HTMLElement | null): boolean {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Home' && event.key !== 'End')
    return false
  const rows = [...(palette?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])].filter((each) =>
    each.checkVisibility({ visibilityProperty: true }),
  )
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
