'use client'
/**
 * Markdown from elsewhere, safe to show and cheap to stream: a part at a time, each block parsed once, a few
 * blocks per frame.
 */
import { lazy, memo, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { LongText } from './long-text'
import styles from './markdown.module.css'
import {
  cutMarkdown,
  drawnBlocks,
  headOf,
  isPlainOnly,
  type MarkdownBlock,
  nothingCut,
} from './markdown-blocks'
import { MarkdownCode } from './markdown-code'

export interface MarkdownProps {
  readonly text: string
  /** `s` for dense places such as rows and notes. */
  readonly size?: 's' | 'm'
}

/** Characters drawn before the person asks for more: several pages of text. */
const portion = 40_000
/** Characters parsed at once; the next ones wait until the browser has drawn these. */
const slice = 2_000

export function Markdown({ text, size = 'm' }: MarkdownProps) {
  const [most, setMost] = useState(portion)
  const [isRestPlain, setRestPlain] = useState(false)
  const head = headOf(text, most)
  return (
    <div className={styles.markdown} data-size={size}>
      <Blocks text={head} isCut={head.length < text.length} />
      {head.length < text.length &&
        (isRestPlain ? (
          <LongText text={text.slice(head.length)} className={styles.plain} />
        ) : (
          <div className={styles.rest}>
            <span>{(text.length - head.length).toLocaleString('en-US')} more characters</span>
            <Button size="s" onClick={() => setMost(most + portion)}>
              Show more
            </Button>
            <Button size="s" onClick={() => setRestPlain(true)}>
              Show the rest as plain text
            </Button>
            <CopyButton isWide label="Copy all" text={() => text} />
          </div>
        ))}
    </div>
  )
}

/** @param isCut the text continues beyond what is drawn */
function Blocks({ text, isCut }: { text: string; isCut: boolean }) {
  const shown = usePaced(text)
  const [kept] = useState(() => ({ cut: nothingCut }))
  // The cut depends only on the text, so keeping it between renders is safe.
  kept.cut = cutMarkdown(shown, kept.cut)
  const { done, open, definitions } = kept.cut
  const blocks = open === null ? done : [...done, open]
  const drawn = useSlices(blocks)
  return (
    <>
      {blocks.slice(0, drawn).map((each) => (
        <Block key={each.at} block={each} definitions={definitions} isCut={isCut && each === open} />
      ))}
    </>
  )
}

/** How many blocks are drawn so far: a few more each time the browser has drawn the previous ones. */
function useSlices(blocks: readonly MarkdownBlock[]): number {
  const [budget, setBudget] = useState(slice)
  const drawn = drawnBlocks(blocks, budget)
  const next = blocks[drawn]?.at
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => setBudget(next + slice), 0)
    return () => clearTimeout(timer)
  }, [next])
  return drawn
}

const Text = lazy(() => import('./markdown-text').then((room) => ({ default: room.MarkdownText })))

interface BlockProps {
  readonly block: MarkdownBlock
  readonly definitions: string
  /** The text continues beyond what is drawn. */
  readonly isCut: boolean
}

const Block = memo(function Block({ block, definitions, isCut }: BlockProps) {
  if (block.kind === 'code') return <MarkdownCode text={block.text} language={block.language} isCut={isCut} />
  // Draws the whole block: the limit was already applied to the whole text, and one "show more" is enough.
  if (isPlainOnly(block.text))
    return <LongText text={block.text} className={styles.plain} first={block.text.length} />
  return (
    <Suspense fallback={<p className={styles.plain}>{block.text.trim()}</p>}>
      <Text text={definitions === '' ? block.text : `${block.text}\n\n${definitions}`} />
    </Suspense>
  )
})

const pause = 100

/** The latest text, updated at most ten times a second while it only grows. */
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
