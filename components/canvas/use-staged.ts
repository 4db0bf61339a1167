'use client'
/**
 * Hands a large change of the drawing to the canvas library in portions, so that no frame takes so long that a
 * person notices: when the drawing opens, and when all of its cards move.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FlowEdge, FlowNode } from '#components/drawing/flow'
import { afterPaint } from '#components/drawing/portions'

interface Drawn {
  readonly nodes: FlowNode[]
  readonly edges: FlowEdge[]
}

export interface Staged extends Drawn {
  /** What later frames will render: until then it is sketched. */
  readonly rest: Drawn
  /** Whether everything is rendered, and rendered where the drawing has it. */
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

/** The part of the drawing that is rendered now; each frame brings it closer to the whole. */
export function useStaged(nodes: FlowNode[], edges: FlowEdge[]): Staged {
  const rendered = useRef<(Staged & { readonly turn: number }) | null>(null)
  const [turn, setTurn] = useState(0)
  const staged = useMemo(() => {
    const [now, goal] = [rendered.current, { nodes, edges }]
    if (now === null) return advance(nothing, goal, first)
    const next = advance(now, goal, perFrame)
    return next.isWhole || now.turn !== turn ? next : advance(now, goal, none)
  }, [nodes, edges, turn])
  useLayoutEffect(() => {
    rendered.current = { ...staged, turn }
  }, [staged, turn])
  useEffect(() => (staged.isWhole ? undefined : afterPaint(() => setTurn((last) => last + 1))), [staged])
  return staged
}

/**
 * What is rendered next on the way from `now` to `goal`. A list that does not change stays the same object.
 * A card whose turn has not come stays as it was; wires are added after all cards, with what a frame has left.
 */
export function advance(now: Drawn, goal: Drawn, portion: Portion): Staged {
  const nodes = approach(now.nodes, goal.nodes, { most: portion.nodes, isUrgent: isUrgentNode })
  const isComplete = nodes.rest.length === 0
  const edges = approach<FlowEdge>(now.edges, goal.edges, {
    most: isComplete && nodes.left > 0 ? Math.floor((portion.edges * nodes.left) / portion.nodes) : 0,
    isUrgent: isNewlyChosen,
  })
  return {
    nodes: nodes.list,
    edges: edges.list,
    rest: isComplete && edges.rest.length === 0 ? nothing : { nodes: nodes.rest, edges: edges.rest },
    isWhole: nodes.isDone && edges.isDone,
  }
}

/**
 * Frames and notes are few. A selected card is moved by the keys and a dragged one by the pointer, which start
 * from where it is rendered.
 */
function isUrgentNode(node: FlowNode, before: FlowNode | undefined): boolean {
  if (before === undefined) return false
  return (
    node.type !== 'card' || node.selected === true || node.dragging === true || isNewlyChosen(node, before)
  )
}

interface Selectable {
  readonly id: string
  readonly selected?: boolean
}

/** A click is answered at once. */
function isNewlyChosen(item: Selectable, before: Selectable | undefined): boolean {
  return before !== undefined && (item.selected ?? false) !== (before.selected ?? false)
}

interface Approach<T> {
  readonly most: number
  isUrgent(item: T, before: T | undefined): boolean
}

/** The items of `goal`, of which at most `most` are new or changed; what is gone from `goal` is left out at once. */
function approach<T extends Selectable>(now: T[], goal: T[], { most, isUrgent }: Approach<T>) {
  if (now === goal) return { list: now, rest: [], isDone: true, left: most }
  const known = new Map(now.map((each) => [each.id, each]))
  const [list, rest]: [T[], T[]] = [[], []]
  let left = most
  let isDone = true
  for (const item of goal) {
    const before = known.get(item.id)
    const isSame = before === item
    const isNow = isSame || left > 0 || isUrgent(item, before)
    if (isNow && !isSame) left -= 1
    if (isNow) list.push(item)
    else {
      isDone = false
      ;(before === undefined ? rest : list).push(before ?? item)
    }
  }
  return { list: isDone ? goal : isSameList(now, list) ? now : list, rest, isDone, left: Math.max(0, left) }
}

function isSameList<T>(before: readonly T[], now: readonly T[]): boolean {
  return before.length === now.length && before.every((each, index) => each === now[index])
}
