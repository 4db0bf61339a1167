'use client'
/** Markdown that others wrote, safe to show and cheap to stream: each block is parsed when it is over, the one at work ten times a second. */
import { lazy, memo, Suspense, useEffect, useRef, useState } from 'react'
import styles from './markdown.module.css'
import { cutMarkdown, type MarkdownBlock, nothingCut } from './markdown-blocks'
import { MarkdownCode } from './markdown-code'

export interface MarkdownProps {
  readonly text: string
  /** `s` for dense places, as rows and notes. */
  readonly size?: 's' | 'm'
}

export function Markdown({ text, size = 'm' }: MarkdownProps) {
  const shown = usePaced(text)
  const [kept] = useState(() => ({ cut: nothingCut }))
  // What was cut already is a matter of the text alone, so keeping it between renders changes nothing.
  kept.cut = cutMarkdown(shown, kept.cut)
  const { done, open, definitions } = kept.cut
  return (
    <div className={styles.markdown} data-size={size}>
      {done.map((each) => (
        <Block key={each.at} block={each} definitions={definitions} />
      ))}
      {open !== null && <Block key={open.at} block={open} definitions={definitions} />}
    </div>
  )
}

const Text = lazy(() => import('./markdown-text').then((room) => ({ default: room.MarkdownText })))

const Block = memo(function Block({ block, definitions }: { block: MarkdownBlock; definitions: string }) {
  if (block.kind === 'code') return <MarkdownCode text={block.text} language={block.language} />
  return (
    <Suspense fallback={<p className={styles.plain}>{block.text.trim()}</p>}>
      <Text text={definitions === '' ? block.text : `${block.text}\n\n${definitions}`} />
    </Suspense>
  )
})

const pause = 100

/** The text as it stood when it was last read; one that only grew is read ten times a second. */
function usePaced(text: string): string {
  const [shown, setShown] = useState(text)
  const latest = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    latest.current = text
    if (timer.current !== null || text === shown) return
    timer.current = setTimeout(() => {
      timer.current = null
      setShown(latest.current)
    }, pause)
  }, [text, shown])
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
  return text.startsWith(shown) ? shown : text
}
