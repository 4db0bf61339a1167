'use client'
/**
 * The drawing as a tree in which a person can build a whole agent by keyboard: add, connect, reorder, switch
 * and delete.
 */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { nodeWords } from '#components/drawing/node-words'
import { addPart } from '#components/drawing/part'
import { useReveal } from '#components/drawing/use-reveal'
import { PartPicker } from '#components/palette/part-picker'
import { usePaletteSections } from '#components/palette/use-palette-sections'
import { Button } from '#components/ui/button'
import { ContextMenu } from '#components/ui/context-menu'
import { TextField } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import { findRows } from './find-rows'
import styles from './outline.module.css'
import { outlineCommands } from './outline-commands'
import { outlineKey } from './outline-keys'
import { OutlineRowView } from './outline-row'
import { type OutlineRow, outlineRows } from './outline-rows'
import { createTyped } from './typeahead'
import { wireChoices } from './wire-choices'

export interface OutlineProps {
  /** Moves the focus to the form of the selected part. */
  onInspect(): void
  /** Scrolls the canvas to what is selected in the tree. */
  onShow(node: string): void
}

interface Opened {
  readonly what: 'picker' | 'wires'
  readonly at: { readonly x: number; readonly y: number }
}

const commands = outlineCommands()
const nothingClosed: ReadonlySet<string> = new Set()

export function Outline({ onInspect, onShow }: OutlineProps) {
  useCommands(commands)
  const store = useGraphStore()
  const reveal = useReveal()
  const catalog = useGraph((state) => state.catalog)
  const tree = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const graph = useGraph((state) => state.history.present)
  const [query, setQuery] = useState('')
  // A search looks into closed rows too.
  const folded = query.trim() === '' ? closed : nothingClosed
  const all = useMemo(() => outlineRows(graph, catalog, folded), [graph, catalog, folded])
  const { rows, found } = useMemo(() => {
    const nodes = new Map(graph.nodes.map((each) => [each.id, each]))
    return findRows(all, query, ({ node = '' }) => {
      const known = nodes.get(node)
      return known === undefined ? [] : nodeWords(known, catalog)
    })
  }, [all, query, graph, catalog])
  const [current, setCurrent] = useCurrent(rows)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [typed] = useState(createTyped)
  const parts = usePaletteSections()
  const row = rows.find((each) => each.key === current)
  useEffect(() => {
    if (current !== null) document.getElementById(rowId(current))?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const goTo = (key: string | undefined) => {
    if (key === undefined) return
    setCurrent(key)
    const next = rows.find((each) => each.key === key)
    if (next?.node !== undefined) {
      store.getState().select({ nodes: [next.node] })
      onShow(next.node)
    }
    if (next?.note !== undefined) store.getState().select({ notes: [next.note] })
    if (next?.frame !== undefined) store.getState().select({ frames: [next.frame] })
  }
  const toggle = (key: string, isOpen: boolean) =>
    setClosed((known) => {
      const next = new Set(known)
      if (isOpen) next.delete(key)
      else next.add(key)
      return next
    })
  const open = (what: Opened['what']) => setOpened({ what, at: placeBeside(tree.current) })
  const press = (event: KeyboardEvent) => {
    const isTaken = outlineKey(event, { store, rows, current, typed, goTo, toggle, open, inspect: onInspect })
    if (!isTaken) return
    event.preventDefault()
    event.stopPropagation()
  }
  const search = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      const to = found[0] ?? row?.key ?? rows[0]?.key
      // Without a query the tree only takes the focus: nothing was chosen yet.
      if (query.trim() === '' && to !== undefined) setCurrent(to)
      else goTo(to)
      tree.current?.focus({ preventScroll: true })
    } else if (event.key === 'Escape' && query !== '') setQuery('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <section className={styles.outline} aria-label="Outline">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only catches keys from the field inside */}
      <div className={styles.search} onKeyDown={search}>
        <TextField
          value={query}
          onChange={setQuery}
          icon="search"
          placeholder="Search the drawing"
          aria-label="Search the drawing"
        />
      </div>
      {query.trim() !== '' && rows.length === 0 && (
        <p className={styles.none} role="status">
          Nothing in the drawing matches “{query.trim()}”.
        </p>
      )}
      <div
        ref={tree}
        role="tree"
        aria-label="Outline of the agent"
        aria-multiselectable="true"
        aria-activedescendant={row === undefined ? undefined : rowId(row.key)}
        tabIndex={0}
        className={styles.tree}
        onKeyDown={press}
        onFocus={(event) => {
          // The first row takes the keys. It is not selected, so that opening the outline moves nothing.
          const [first] = rows
          if (event.target === event.currentTarget && row === undefined && first !== undefined)
            setCurrent(first.key)
        }}
      >
        {rows.map((each) => (
          <OutlineRowView
            key={each.key}
            id={rowId(each.key)}
            row={each}
            isCurrent={each.key === current}
            onPick={(key) => {
              goTo(key)
              tree.current?.focus({ preventScroll: true })
            }}
            onToggle={toggle}
          />
        ))}
      </div>
      <div className={styles.foot}>
        <Button size="s" variant="quiet" icon="plus" onClick={() => open('picker')}>
          Add a part
        </Button>
        <span className={shared.caption}>? for shortcuts</span>
      </div>
      {opened?.what === 'picker' && (
        <PartPicker
          at={opened.at}
          parts={parts}
          onPick={(part) => {
            setOpened(null)
            const id = addPart({ store, part })
            tree.current?.focus({ preventScroll: true })
            if (id !== undefined) reveal(id)
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.what === 'wires' && row?.node !== undefined && (
        <WireMenu node={row.node} title={row.title} at={opened.at} onClose={() => setOpened(null)} />
      )}
    </section>
  )
}

function WireMenu({
  node,
  title,
  at,
  onClose,
}: {
  node: string
  title: string
  at: Opened['at']
  onClose(): void
}) {
  const store = useGraphStore()
  const items = useMemo(() => {
    const { history, catalog, edit } = store.getState()
    const choices = wireChoices(history.present, catalog, node)
    const firstWired = choices.findIndex((each) => each.isWired)
    return choices.map(({ label, isWired, apply }, at) => ({
      label,
      icon: isWired ? 'scissors' : 'plug',
      beginsGroup: at === firstWired && at > 0,
      run: () => void edit(apply),
    }))
  }, [store, node])
  const nothing = [{ label: 'Nothing fits here yet', disabled: true, run: () => undefined }]
  return (
    <ContextMenu
      at={at}
      label={`Connect ${title}`}
      items={items.length === 0 ? nothing : items}
      onClose={onClose}
    />
  )
}

/** The row that keys act on. It follows the selection; when the row disappears, its neighbour takes over. */
function useCurrent(rows: readonly OutlineRow[]): [string | null, (key: string) => void] {
  const [current, setCurrent] = useState<{ key: string | null; at: number }>({ key: null, at: 0 })
  const selection = useGraph((state) => state.selection)
  const [followed, setFollowed] = useState(selection)
  const at = rows.findIndex((each) => each.key === current.key)
  const { nodes, notes, frames } = selection
  const chosen = nodes.length + notes.length + frames.length === 1 ? selection : null
  if (selection !== followed) {
    setFollowed(selection)
    const here = rows[at]
    const isHere =
      here !== undefined &&
      (here.node === chosen?.nodes[0] || here.node === undefined) &&
      here.note === chosen?.notes[0] &&
      here.frame === chosen?.frames[0]
    const found = rows.findIndex(
      (each) =>
        (each.node !== undefined && each.node === chosen?.nodes[0]) ||
        (each.note !== undefined && each.note === chosen?.notes[0]) ||
        (each.frame !== undefined && each.frame === chosen?.frames[0]),
    )
    const to = rows[found]
    if (!isHere && to !== undefined) setCurrent({ key: to.key, at: found })
  } else if (at < 0 && current.key !== null) {
    const place = Math.min(current.at, rows.length - 1)
    setCurrent({ key: rows[place]?.key ?? null, at: Math.max(0, place) })
  } else if (at >= 0 && at !== current.at) setCurrent({ key: current.key, at })
  return [current.key, (key) => setCurrent({ key, at: rows.findIndex((each) => each.key === key) })]
}

function rowId(key: string): string {
  return `outline ${key}`.replaceAll(' ', '_')
}

function placeBeside(tree: HTMLElement | null): Opened['at'] {
  const box = (tree?.querySelector('[data-current]') ?? tree)?.getBoundingClientRect()
  return { x: (box?.left ?? 0) + 24, y: box === undefined ? 0 : Math.min(box.bottom, window.innerHeight) }
}
