'use client'
/** What was found in memory or in knowledge, best first and each with where it comes from, and what was recorded. */
import type { ReactNode } from 'react'
import { Words } from '#components/ui/long-text'
import type { Fit, MemoryHit, Passage } from '#lib/spec/recall'
import type { RecallState } from '#lib/spec/state'
import { visible } from '#lib/spec/visible'
import styles from './recall-view.module.css'

export function RecallView({ recall }: { recall: RecallState }) {
  switch (recall.type) {
    case 'memory.retrieved':
      return (
        <Searched {...recall} count={recall.entries.length}>
          <Notes notes={recall.entries} />
        </Searched>
      )
    case 'knowledge.retrieved':
      return (
        <Searched {...recall} count={recall.passages.length}>
          <Passages passages={recall.passages} />
        </Searched>
      )
    case 'memory.recorded':
      if (recall.skipped !== undefined) return <p className={styles.about}>{recall.skipped}</p>
      return (
        <ul className={styles.list} aria-label="Recorded notes">
          {recall.entries.map(({ id, text }) => (
            <li key={id} className={styles.item}>
              <Words text={visible(text)} className={styles.text} />
            </li>
          ))}
        </ul>
      )
  }
  return recall satisfies never
}

interface SearchedProps {
  readonly query: string
  readonly problem?: string | undefined
  readonly count: number
  readonly children: ReactNode
}

function Searched({ query, problem, count, children }: SearchedProps) {
  return (
    <>
      <p className={styles.about}>
        {problem !== undefined && <>{visible(problem)} </>}
        {count === 0 ? 'Nothing fits “' : 'Searched for “'}
        {visible(query)}”.
      </p>
      {count > 0 && children}
    </>
  )
}

function Notes({ notes }: { notes: readonly MemoryHit[] }) {
  return (
    <ol className={styles.list} aria-label="Notes">
      {notes.map(({ id, text, at, ...fit }, index) => (
        <li key={id} className={styles.item}>
          <Source
            fit={fit}
            rank={index + 1}
            best={notes[0]?.score}
            about={new Date(at).toISOString().slice(0, 10)}
          >
            note
          </Source>
          <Words text={visible(text)} className={styles.text} />
        </li>
      ))}
    </ol>
  )
}

/** `isShort` shows the first lines of each. */
export function Passages({ passages, isShort }: { passages: readonly Passage[]; isShort?: boolean }) {
  return (
    <ol className={styles.list} aria-label="Passages">
      {passages.map(({ file, place, collection, text, ...fit }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a passage has no name of its own, and the list is replaced whole
        <li key={at} className={styles.item}>
          <Source fit={fit} rank={at + 1} best={passages[0]?.score} about={collection}>
            {visible(file)}
            {place !== '' && <span className={styles.place}> · {visible(place)}</span>}
          </Source>
          {isShort === true ? (
            <p className={styles.text} data-short>
              {unwrapped(visible(text))}
            </p>
          ) : (
            <Words text={visible(text)} className={styles.text} />
          )}
        </li>
      ))}
    </ol>
  )
}

interface SourceProps {
  readonly fit: Fit
  readonly rank: number
  /** The score of the first one. */
  readonly best: number | undefined
  readonly about: string
  readonly children: ReactNode
}

function Source({ fit: { score, words, meaning }, rank, best, about, children }: SourceProps) {
  // Where nothing was searched by meaning, the rank of the words is the score.
  const isScore = meaning === undefined && words === score
  const why = [
    about,
    ...standing(rank, score, best),
    ...(words === undefined || isScore ? [] : [`words ${figure(words)}`]),
    ...(meaning === undefined ? [] : [`meaning ${meaning.toFixed(2)}`]),
  ]
  return (
    <div className={styles.source}>
      <b className={styles.rank}>{rank}</b>
      <span className={styles.cited}>{children}</span>
      <span className={styles.why} title={`Score ${figure(score)}`}>
        {why.join(' · ')}
      </span>
    </div>
  )
}

/** Scores of two searches cannot be compared, and those of a tiny collection are near 0: only their ratio says something. */
function standing(rank: number, score: number, best = score): string[] {
  if (rank === 1) return ['best match']
  if (best <= 0 || score < 0) return []
  const percent = Math.round((100 * score) / best)
  return [percent < 1 ? 'under 1 % of the best' : `${percent} % of the best`]
}

const threeDigits = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 })

/** With as many places as three digits need: `3.2`, `0.0000012`. */
function figure(score: number): string {
  return threeDigits.format(score)
}

/** Lines of one paragraph as one line: the file may break them anywhere. Lists, tables and headings keep theirs. */
function unwrapped(text: string): string {
  return text.replace(/(\S)\n(?![\n\s#>|*+-]|\d+[.)] )/g, '$1 ')
}
