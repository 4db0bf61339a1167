'use client'
/**
 * The whole name of the card under the pointer, or with the keyboard's focus, while cards are too small for their
 * names. Screen readers read the name on the card itself.
 */
import { useStore } from '@xyflow/react'
import { useEffect, useRef, useState } from 'react'
import { boxOf } from '#components/drawing/boxes'
import { describeNode } from '#components/drawing/describe'
import { useGraph } from '#components/drawing/graph-context'
import styles from './name-tag.module.css'

/** Below this zoom most names are cut. */
const smallZoom = 0.5
/** Pixels of the screen: half of the widest tag, and the room that it needs above a card. */
const halfWidth = 148
const room = 56

export function NameTag() {
  const isSmall = useStore(({ transform }) => transform[2] < smallZoom)
  return isSmall ? <Tag /> : null
}

function Tag() {
  const mark = useRef<HTMLSpanElement>(null)
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    const canvas = mark.current?.closest<HTMLElement>('[data-canvas]')
    return canvas ? followCards(canvas, setId) : undefined
  }, [])
  return (
    <>
      <span ref={mark} hidden />
      {id !== null && <Name id={id} />}
    </>
  )
}

function followCards(canvas: HTMLElement, show: (id: string | null) => void): () => void {
  const listening = new AbortController()
  const on = (kinds: readonly string[], act: (event: Event) => void) => {
    for (const kind of kinds)
      canvas.addEventListener(kind, act, { signal: listening.signal, passive: true, capture: true })
  }
  const point = ({ target }: Event) => show(cardOf(target))
  on(['pointerover'], point)
  on(['focusin'], (event) => {
    if (event.target instanceof Element && event.target.matches(':focus-visible')) point(event)
  })
  on(['pointerleave', 'pointerdown', 'focusout'], () => show(null))
  return () => listening.abort()
}

function cardOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null
  return target.closest<HTMLElement>('.react-flow__node-card')?.dataset.id ?? null
}

function Name({ id }: { id: string }) {
  const card = useGraph((state) => state.nodes.find((each) => each.id === id))
  const catalog = useGraph((state) => state.catalog)
  const [left, top, zoom] = useStore(({ transform }) => transform)
  const width = useStore((state) => state.width)
  if (card?.type !== 'card') return null
  const box = boxOf(card)
  const { title, names, caption } = describeNode(card.data.node, catalog)
  const [x, y] = [left + (box.x + box.width / 2) * zoom, top + box.y * zoom]
  const isBelow = y < room
  return (
    <div
      className={styles.tag}
      data-name-tag=""
      data-below={isBelow || undefined}
      style={{
        left: Math.max(halfWidth, Math.min(width - halfWidth, x)),
        top: isBelow ? y + box.height * zoom : y,
      }}
      aria-hidden="true"
    >
      <div className={styles.name}>{title === names ? title : `${title}: ${names}`}</div>
      <div className={styles.caption}>{caption}</div>
    </div>
  )
}
