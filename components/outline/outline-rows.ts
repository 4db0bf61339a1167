/**
 * The drawing as a tree: the agent with what is wired to it, each tool with the policies that cover it, and
 * last the parts that are not in use. Pure.
 */
import { describeNode } from '#components/drawing/describe'
import { type Drawing, readDrawing } from '#lib/graph/drawing'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { Family } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'

export interface OutlineRow {
  /** Unique in the tree: a policy appears under each tool it covers. */
  readonly key: string
  /** The node, note or frame of the row; absent for a heading. */
  readonly node?: string
  readonly note?: string
  readonly frame?: string
  readonly title: string
  readonly caption: string
  readonly family: Family
  readonly icon: string
  readonly isOff: boolean
  /** From 1. */
  readonly level: number
  readonly position: number
  readonly setSize: number
  readonly parent: string | null
  /** Undefined when the row has no children. */
  readonly isOpen?: boolean
}

interface Branch {
  readonly row: Omit<OutlineRow, 'level' | 'position' | 'setSize' | 'parent' | 'isOpen'>
  readonly under: readonly Branch[]
}

const looseKey = 'loose'
const notesKey = 'notes'
const framesKey = 'frames'

/** Every visible row in order; rows below a closed row are left out. */
export function outlineRows(
  graph: GraphDocument,
  catalog: Catalog,
  closed: ReadonlySet<string>,
): OutlineRow[] {
  return flat(branchesOf(readDrawing(graph, catalog)), { closed, level: 1, parent: null })
}

function flat(
  branches: readonly Branch[],
  at: { closed: ReadonlySet<string>; level: number; parent: string | null },
): OutlineRow[] {
  return branches.flatMap(({ row, under }, index) => {
    const isOpen = under.length === 0 ? undefined : !at.closed.has(row.key)
    const own: OutlineRow = {
      ...row,
      level: at.level,
      position: index + 1,
      setSize: branches.length,
      parent: at.parent,
      ...(isOpen !== undefined && { isOpen }),
    }
    return isOpen === true ? [own, ...flat(under, { ...at, level: at.level + 1, parent: row.key })] : [own]
  })
}

function branchesOf(drawing: Drawing): Branch[] {
  const { graph, agents, parked, catalog } = drawing
  const [agent, ...others] = agents
  const loose = [...others, ...parked.map(({ node }) => node)].map((node) => leaf(drawing, node, looseKey))
  const notes = graph.notes.map(
    (note): Branch => ({
      row: {
        key: `note ${note.id}`,
        note: note.id,
        title: note.text.split('\n')[0]?.trim() || 'Empty note',
        caption: 'Note',
        family: 'note',
        icon: 'sticky-note',
        isOff: false,
      },
      under: [],
    }),
  )
  const frames = graph.look.frames.map(
    (frame): Branch => ({
      row: {
        key: `frame ${frame.id}`,
        frame: frame.id,
        title: frame.title.trim() || 'Untitled frame',
        caption: 'Frame',
        family: 'note',
        icon: 'square',
        isOff: false,
      },
      under: [],
    }),
  )
  return [
    ...(agent === undefined
      ? []
      : [{ ...leaf(drawing, agent, ''), under: partsOf(drawing, agent, catalog) }]),
    ...(loose.length === 0 ? [] : [heading(looseKey, 'Not part of the agent', loose)]),
    ...(notes.length === 0 ? [] : [heading(notesKey, 'Notes', notes)]),
    ...(frames.length === 0 ? [] : [heading(framesKey, 'Frames', frames)]),
  ]
}

/**
 * The model, the protocol and the lists in the order of the config; a policy that covers single tools is
 * under those tools.
 */
function partsOf(drawing: Drawing, agent: GraphNode, catalog: Catalog): Branch[] {
  const over = new Map<string, GraphNode[]>()
  for (const { from, to } of drawing.wires) {
    const source = drawing.byId.get(from.node)
    if (source === undefined || source === agent || to.node === agent.id || !drawing.live.has(source.id))
      continue
    addTo(over, to.node, source)
  }
  const hanging = new Set([...over.values()].flat())
  const known = [...[...drawing.objects.values()].flat(), ...[...drawing.lists.values()].flat()]
  const strange = [...drawing.live].flatMap((id) => {
    const node = drawing.byId.get(id)
    return node !== undefined && kindOf(catalog, node.kind) === undefined ? [node] : []
  })
  const nodes = [...known, ...strange]
  const wired = new Set(drawing.wires.flatMap(({ from, to }) => (to.node === agent.id ? [from.node] : [])))
  const isRoot = (node: GraphNode) => wired.has(node.id) || !hanging.has(node)
  return nodes
    .filter((node) => node.id !== agent.id && isRoot(node))
    .map((node) => ({
      ...leaf(drawing, node, ''),
      under: (over.get(node.id) ?? [])
        .filter((each) => kindOf(catalog, each.kind) !== undefined)
        .map((each) => leaf(drawing, each, node.id)),
    }))
}

function leaf({ catalog, live }: Drawing, node: GraphNode, under: string): Branch {
  const { title, caption, family, icon } = describeNode(node, catalog)
  return {
    row: {
      key: under === '' ? node.id : `${node.id} under ${under}`,
      node: node.id,
      title,
      caption,
      family,
      icon,
      isOff: !live.has(node.id),
    },
    under: [],
  }
}

function heading(key: string, title: string, under: readonly Branch[]): Branch {
  return { row: { key, title, caption: '', family: 'note', icon: 'box', isOff: false }, under }
}

export type OutlineStep = 'next' | 'previous' | 'first' | 'last' | 'in' | 'out'

/** Which row a key moves to, or whether it opens or closes the current row. */
export function stepFrom(
  rows: readonly OutlineRow[],
  key: string | null,
  step: OutlineStep,
): { readonly to?: string; readonly open?: boolean } {
  const at = rows.findIndex((each) => each.key === key)
  const row = rows[at]
  const first = rows[0]?.key
  if (row === undefined) return { to: first }
  switch (step) {
    case 'next':
      return { to: rows[at + 1]?.key ?? row.key }
    case 'previous':
      return { to: rows[at - 1]?.key ?? row.key }
    case 'first':
      return { to: first }
    case 'last':
      return { to: rows.at(-1)?.key }
    case 'in':
      if (row.isOpen === false) return { open: true }
      return { to: row.isOpen === true ? rows[at + 1]?.key : row.key }
    case 'out':
      if (row.isOpen === true) return { open: false }
      return { to: row.parent ?? row.key }
    default:
      return step satisfies never
  }
}
