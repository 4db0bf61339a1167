'use client'
/** Registers for the search what is in the drawing and which parts can be added. */
import { useCallback } from 'react'
import { useEntries } from '#components/commands/commands-context'
import type { Entry } from '#components/commands/entries'
import { describeNode } from '#components/drawing/describe'
import { focusCard } from '#components/drawing/focus-card'
import { useGraphStore } from '#components/drawing/graph-context'
import { nodeWords } from '#components/drawing/node-words'
import { addPart } from '#components/drawing/part'
import { useReveal } from '#components/drawing/use-reveal'
import { usePaletteSections } from '#components/palette/use-palette-sections'

export function useBuilderEntries(show: (node: string) => void): void {
  const store = useGraphStore()
  const reveal = useReveal()
  const sections = usePaletteSections()
  const source = useCallback((): readonly Entry[] => {
    const { history, catalog, paths, select } = store.getState()
    const { nodes, notes } = history.present
    const go = (id: string) => {
      show(id)
      focusCard(id)
    }
    const drawn = nodes.map((node): Entry => {
      const { title, caption, family, icon } = describeNode(node, catalog)
      return {
        id: `node ${node.id}`,
        label: title,
        detail: caption,
        group: 'On the canvas',
        family,
        icon,
        words: [paths.get(node.id) ?? '', node.kind, ...nodeWords(node, catalog)],
        isDrawn: true,
        run: () => go(node.id),
      }
    })
    const written = notes.map(
      ({ id, text }): Entry => ({
        id: `note ${id}`,
        label: text.split('\n')[0]?.trim() || 'Empty note',
        detail: 'Note',
        group: 'On the canvas',
        family: 'note',
        icon: 'sticky-note',
        isDrawn: true,
        run: () => select({ notes: [id] }),
      }),
    )
    const parts = sections.flatMap((section) =>
      section.items.map(
        (item): Entry => ({
          id: `part ${item.id}`,
          label: item.label,
          detail: item.name ?? section.label,
          group: 'Add a part',
          family: item.family,
          icon: item.icon,
          keywords: [...(item.name === undefined ? [] : [item.name]), ...(item.keywords ?? [])],
          words: [item.help, section.label, item.id],
          isFallback: item.isOwnTool,
          run: () => {
            const id = addPart({ store, part: item.part })
            if (id === undefined) return
            reveal(id)
            focusCard(id)
          },
        }),
      ),
    )
    return [...drawn, ...written, ...parts]
  }, [store, show, reveal, sections])
  useEntries(source)
}
