'use client'
/**
 * Hands a large change of the drawing to the canvas library in portions, so that no frame takes so long that a
 * person notices: when the drawing opens, when all of its cards move or are selected, and when the view moves so
 * far that many cards come into sight.
 */
import { useStoreApi } from '@xyflow/react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'
import { afterPaint } from '#components/drawing/portions'
import { manyNodes } from './flow-types'
import { type Drawn, drawnFor, everything, nextSeen, type SeenPart } from './seen'

export interface Staged extends Drawn {
  /** What later frames will render: until then it is sketched. */
  readonly rest: Drawn
  /** Whether all cards are rendered where the drawing has them. */
  readonly isPlaced: boolean
  /** Whether nothing is left for later frames. */
  readonly isWhole: boolean
}

/** How many cards and wires one frame may add or change. */
interface Portion {
  readonly nodes: number
  readonly edges: number
}

/** In the same frame as the rest of the page. */
const first: Portion = { nodes: 16, edges: 32 }
/** Not fewer: in each frame the library also looks at everything that was rendered before. */
const perFrame: Portion = { nodes: 24, edges: 80 }
/** While an event is handled that changes the whole drawing: the frames after it render the change. */
const none: Portion = { nodes: 0, edges: 0 }
const nothing: Drawn = { nodes: [], edges: [] }
/** Up to this many cards or wires are selected or deselected at once, so that a click is answered at once. */
const mostOfClick = 24

/** The part of the drawing that is rendered now; each frame brings it closer to the whole. */
export function useStaged(nodes: FlowNode[], edges: FlowEdge[]): Staged {
  const seen = useSeen(nodes.length > manyNodes)
  const goal = useMemo(
    () => (seen === null ? { nodes, edges } : drawnFor({ nodes, edges }, seen)),
    [nodes, edges, seen],
  )
  const rendered = useRef<(Staged & { readonly turn: number }) | null>(null)
  const [turn, setTurn] = useState(0)
  const staged = useMemo(() => {
    const now = rendered.current
    if (now === null) return advance(nothing, goal, first)
    const next = advance(now, goal, perFrame)
    return next.isWhole || now.turn !== turn ? next : advance(now, goal, none)
  }, [goal, turn])
  useLayoutEffect(() => {
    rendered.current = { ...staged, turn }
  }, [staged, turn])
  useEffect(() => (staged.isWhole ? undefined : afterPaint(() => setTurn((last) => last + 1))), [staged])
  return staged
}

/** Null for a drawing that is small enough to be rendered completely at every zoom. */
function useSeen(isMany: boolean): SeenPart | null {
  const library = useStoreApi()
  const [seen, setSeen] = useState(everything)
  useEffect(() => {
    if (!isMany) return
    let last = everything
    const look = () => {
      const next = nextSeen(last, library.getState())
      if (next !== last) setSeen(next)
      last = next
    }
    look()
    return library.subscribe(look)
  }, [isMany, library])
  return isMany ? seen : null
}

/**
 * What is rendered next on the way from `now` to `goal`. A list that does not change stays the same object.
 * A card whose turn has not come stays as it was; wires are added after all cards, with what a frame has left.
 */
export function advance(now: Drawn, goal: Drawn, portion: Portion): Staged {
  const nodes = approach(now.nodes, goal.nodes, { most: portion.nodes, turnOf: turnOfNode })
  const isComplete = nodes.rest.length === 0
  const edges = approach<FlowEdge>(now.edges, goal.edges, {
    most: isComplete && nodes.left > 0 ? Math.floor((portion.edges * nodes.left) / portion.nodes) : 0,
    turnOf: () => 'soon',
  })
  return {
    nodes: nodes.list,
    edges: edges.list,
    rest: isComplete && edges.rest.length === 0 ? nothing : { nodes: nodes.rest, edges: edges.rest },
    isPlaced: isComplete && nodes.pending.every(([before, item]) => isSamePlace(before, item)),
    isWhole: nodes.isDone && edges.isDone,
  }
}

/** When a change is rendered: in this frame, in this or the next ones, or when nothing else is left. */
type Turn = 'now' | 'soon' | 'later'

/**
 * Frames and notes are few. A selected card is moved by the keys and a dragged one by the pointer, which start
 * from where it is rendered.
 */
function turnOfNode(node: FlowNode, before: FlowNode): Turn {
  if (node.type !== 'card') return 'now'
  // What a card loses can no longer be seen.
  if (isSamePlace(node, before)) return detail(node) < detail(before) ? 'later' : 'soon'
  const isHeld = node.dragging === true || (node.selected === true && before.selected === true)
  return isHeld ? 'now' : 'soon'
}

function detail(node: FlowNode): number {
  const face = node.type === 'card' ? node.data.face : undefined
  return face === undefined ? 2 : face === 'named' ? 1 : 0
}

function isSamePlace({ position: a }: FlowNode, { position: b }: FlowNode): boolean {
  return a === b || (a.x === b.x && a.y === b.y)
}

interface Selectable {
  readonly id: string
  readonly selected?: boolean
}

interface Approach<T> {
  /** How many items may be added or changed. */
  readonly most: number
  turnOf(item: T, before: T): Turn
}

/** The items of `goal`, of which at most `most` are new or changed; what is gone from `goal` is left out at once. */
function approach<T extends Selectable>(now: T[], goal: T[], { most, turnOf }: Approach<T>) {
  if (now === goal) return { list: now, rest: [], pending: [], isDone: true, left: most }
  const changes = changesOf(now, goal, turnOf)
  const countOfTurn = (turn: Turn) => countOf(changes, (each) => each.turn === turn)
  const [atOnce, soon, later] = [countOfTurn('now'), countOfTurn('soon'), countOfTurn('later')]
  const quota = { now: atOnce, soon: most, later: most - atOnce - soon }
  const [list, rest]: [T[], T[]] = [[], []]
  const pending: [before: T, item: T][] = []
  for (const { item, before, turn } of changes) {
    if (turn === null) list.push(item)
    else if (quota[turn] > 0) {
      quota[turn] -= 1
      list.push(item)
    } else if (before === undefined) rest.push(item)
    else {
      list.push(before)
      pending.push([before, item])
    }
  }
  const isDone = rest.length + pending.length === 0
  const next = isDone ? goal : list
  return {
    list: isSameList(now, next) ? now : next,
    rest,
    pending,
    isDone,
    left: Math.max(0, most - atOnce - soon - later),
  }
}

/** Each item of `goal` with what is rendered of it; without a turn if that is the same. */
function changesOf<T extends Selectable>(
  now: readonly T[],
  goal: readonly T[],
  turnOf: Approach<T>['turnOf'],
) {
  const known = new Map(now.map((each) => [each.id, each]))
  const pairs = goal.map((item) => ({ item, before: known.get(item.id) }))
  const isClick = countOf(pairs, isNewlyChosen) <= mostOfClick
  return pairs.map((pair): Pair<T> & { readonly turn: Turn | null } => {
    const { item, before } = pair
    if (item === before) return { ...pair, turn: null }
    if (before === undefined) return { ...pair, turn: 'soon' }
    return { ...pair, turn: isClick && isNewlyChosen(pair) ? 'now' : turnOf(item, before) }
  })
}

interface Pair<T> {
  readonly item: T
  readonly before: T | undefined
}

function isNewlyChosen({ item, before }: Pair<Selectable>): boolean {
  return before !== undefined && (item.selected ?? false) !== (before.selected ?? false)
}

function countOf<T>(items: readonly T[], isCounted: (item: T) => boolean): number {
  return items.reduce((count, each) => count + (isCounted(each) ? 1 : 0), 0)
}

function isSameList<T>(before: readonly T[], now: readonly T[]): boolean {
  return before.length === now.length && before.every((each, index) => each === now[index])
}
