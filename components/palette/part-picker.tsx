'use client'
/** A small list of parts at a point, filtered while typing: arrows move, Enter chooses, Escape closes. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PalettePart } from '#components/drawing/carried-part'
import { TextField } from '#components/ui/field'
import { firstSentence } from '#components/ui/first-sentence'
import { placeAt } from '#components/ui/place-at'
import shared from '#components/ui/shared.module.css'
import { Tile } from '#components/ui/tile'
import { findParts, type PaletteItem, type PaletteSection } from './palette-items'
import styles from './part-picker.module.css'

export interface PartPickerProps {
  /** In screen pixels. */
  readonly at: { readonly x: number; readonly y: number }
  readonly parts: readonly PaletteSection[]
  /** The placeholder and the accessible name of the search field. */
  readonly label?: string
  onPick(part: PalettePart): void
  onClose(): void
}

export function PartPicker({ at, parts, label = 'Add a part', onPick, onClose }: PartPickerProps) {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const { sections, isNearest } = useMemo(() => findParts(parts, query), [parts, query])
  const items = useMemo(() => sections.flatMap((each) => each.items), [sections])
  const { panel, leave } = usePanel(at, onClose)
  const pick = (item: PaletteItem | undefined) => {
    if (item === undefined) return
    leave()
    onPick(item.part)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' || event.key === 'Tab') leave()
    else if (event.key === 'Enter') pick(items[active])
    else if (event.key === 'ArrowDown') setActive(items.length === 0 ? 0 : (active + 1) % items.length)
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? Math.max(0, items.length - 1) : active - 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const rowId = (item: PaletteItem | undefined) => (item === undefined ? undefined : `${id}-${item.id}`)
  useEffect(() => {
    panel.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div ref={panel} popover="manual" role="dialog" aria-label={label} className={styles.picker}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only catches keys from the field inside */}
      <div className={styles.search} onKeyDown={keys}>
        <TextField
          value={query}
          onChange={(next) => {
            setQuery(next)
            setActive(0)
          }}
          icon="search"
          placeholder={label}
          aria-label={label}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={rowId(items[active])}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {(isNearest || parts.length === 0) && (
        <p className={shared.empty} role="status">
          {parts.length === 0 ? 'No part of this server fits here.' : `No part here matches “${query}”.`}
        </p>
      )}
      <div id={`${id}-list`} role="listbox" aria-label="Parts that fit" className={styles.list}>
        {sections.map((section) => (
          <div key={section.label} role="group" aria-label={section.label}>
            <div className={styles.heading} role="presentation">
              {section.label}
            </div>
            {section.items.map((item) => (
              <Option
                key={item.id}
                id={rowId(item)}
                item={item}
                isActive={item === items[active]}
                onPoint={() => setActive(items.indexOf(item))}
                onPick={() => pick(item)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function Option({
  id,
  item,
  isActive,
  onPoint,
  onPick,
}: {
  id: string | undefined
  item: PaletteItem
  isActive: boolean
  onPoint(): void
  onPick(): void
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.row}
      title={item.help}
      onPointerMove={isActive ? undefined : onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Tile family={item.family} icon={item.icon} size="s" />
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={styles.label}>{item.label}</span>
          {item.name !== undefined && <span className={styles.name}>{item.name}</span>}
          {item.risk !== undefined && <span className={styles.risk}>{item.risk}</span>}
        </span>
        <span className={styles.help}>{firstSentence(item.help)}</span>
      </span>
    </div>
  )
}

/**
 * Shows the panel in the top layer with the field focused; a press outside closes it, and the focus returns.
 */
function usePanel(at: PartPickerProps['at'], onClose: () => void) {
  const panel = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return
    cameFrom.current = document.activeElement
    element.showPopover()
    placeAt(element, at)
    element.querySelector('input')?.focus({ preventScroll: true })
  }, [at])
  useEffect(() => {
    const away = ({ target }: PointerEvent) => {
      if (target instanceof Node && !panel.current?.contains(target)) onClose()
    }
    // A dialog that opens over it takes the focus and leaves this list behind.
    const moved = ({ target }: FocusEvent) => {
      if (target instanceof Element && !panel.current?.contains(target) && target.closest('dialog[open]'))
        onClose()
    }
    document.addEventListener('pointerdown', away, true)
    document.addEventListener('focusin', moved)
    return () => {
      document.removeEventListener('pointerdown', away, true)
      document.removeEventListener('focusin', moved)
    }
  }, [onClose])
  const leave = () => {
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected)
      cameFrom.current.focus({ preventScroll: true })
    onClose()
  }
  return { panel, leave }
}
