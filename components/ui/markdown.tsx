'use client'
/** Markdown that others wrote, safe to show and cheap to stream: a part of it at a time, each block parsed once, and few of them in one go. */
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
  /** `s` for dense places, as rows and notes. */
  readonly size?: 's' | 'm'
}

/** Characters drawn before more is asked for: pages of text. */
const portion = 40_000
/** Characters parsed in one go; the next ones wait for the browser to have drawn these. */
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

/** @param isCut it goes on in what is not drawn */
function Blocks({ text, isCut }: { text: string; isCut: boolean }) {
  const shown = usePaced(text)
  const [kept] = useState(() => ({ cut: nothingCut }))
  // What was cut already is a matter of the text alone, so keeping it between renders changes nothing.
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

/** How many of the blocks are drawn by now: a few more each time the browser has drawn those before. */
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
  /** It goes on in what is not drawn. */
  readonly isCut: boolean
}

const Block = memo(function Block({ block, definitions, isCut }: BlockProps) {
  if (block.kind === 'code') return <MarkdownCode text={block.text} language={block.language} isCut={isCut} />
  // All of it: how much there is has been decided for the whole text, and one offer of more is enough.
  if (isPlainOnly(block.text))
    return <LongText text={block.text} className={styles.plain} first={block.text.length} />
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
