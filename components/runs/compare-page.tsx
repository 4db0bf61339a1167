'use client'
/** Two runs side by side: their first difference in words, their figures, and their steps. */
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { Suspense, useMemo, useState } from 'react'
import { useStoredState } from '#components/data/threads'
import { Text as ResultText } from '#components/observation/rendered'
import { shortId } from '#components/run/fork-point'
import { wholeMoment } from '#components/run/when'
import { Loading } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Words } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import { Empty, ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { RunState } from '#lib/spec/state'
import { type ComparedStep, type Comparison, compareRuns, type Deed, moreWords, sameWords } from './compare'
import styles from './compare-page.module.css'
import { compareUrl } from './list-actions'

const loading = <Loading what="both runs" heights={[48, 240, 320]} className={styles.loading} />

export function ComparePage() {
  return (
    <main className={shared.page}>
      <div className={shared.pageList}>
        <Suspense fallback={loading}>
          <Chosen />
        </Suspense>
      </div>
    </main>
  )
}

function Chosen() {
  const params = useSearchParams()
  const [a, b] = [params.get('a'), params.get('b')]
  if (a !== null && b !== null) return <Both key={`${a} ${b}`} a={a} b={b} />
  return (
    <Empty icon="columns-3" title="Select two runs in the list, then compare them.">
      <ButtonLink variant="plain" href="/runs">
        All runs
      </ButtonLink>
    </Empty>
  )
}

function Both({ a, b }: { a: string; b: string }) {
  const [ofA, ofB] = [useStoredState(a, true), useStoredState(b, true)]
  const error = ofA.error ?? ofB.error
  const pair = useMemo(
    () =>
      ofA.data && ofB.data ? { a: ofA.data, b: ofB.data, found: compareRuns(ofA.data, ofB.data) } : null,
    [ofA.data, ofB.data],
  )
  return (
    <>
      <header className={styles.head}>
        <h1 className={shared.pageTitle}>Compare two runs</h1>
        <ButtonLink variant="plain" icon="arrow-left-right" href={compareUrl(b, a)}>
          Swap
        </ButtonLink>
        <ButtonLink variant="quiet" href="/runs">
          All runs
        </ButtonLink>
      </header>
      {error !== null && (
        <ErrorNote error={error}>
          <ButtonLink size="s" variant="plain" href="/runs">
            All runs
          </ButtonLink>
        </ErrorNote>
      )}
      {error === null && pair === null && (ofA.isPending || ofB.isPending) && loading}
      {error === null && !ofA.isPending && !ofB.isPending && pair === null && (
        <Empty icon="columns-3" title="One of these runs has no events yet.">
          <ButtonLink variant="plain" href="/runs">
            All runs
          </ButtonLink>
        </Empty>
      )}
      {pair !== null && (
        <>
          <p className={styles.words} role="status">
            {pair.found.words}
          </p>
          <Figures ids={[a, b]} states={[pair.a, pair.b]} found={pair.found} />
          <Steps found={pair.found} />
          <section className={styles.pair} aria-label="Answers">
            <Answer name="A" state={pair.a} />
            <Answer name="B" state={pair.b} />
          </section>
        </>
      )}
    </>
  )
}

interface FiguresProps {
  readonly ids: readonly [string, string]
  readonly states: readonly [RunState, RunState]
  readonly found: Comparison
}

function Figures({ ids, states, found }: FiguresProps) {
  return (
    <table className={styles.figures}>
      <caption className={shared.unseen}>Figures of both runs</caption>
      <thead>
        <tr>
          <td />
          {(['A', 'B'] as const).map((name, at) => (
            <th key={name} scope="col">
              <span className={styles.name}>{name}</span>
              <Link href={`/runs/${encodeURIComponent(ids[at] ?? '')}`} className={styles.link}>
                <Line text={states[at]?.start.input ?? ''} />
              </Link>
              <small>
                run {shortId(ids[at] ?? '')}
                {states[at]?.startedAt !== undefined && `, ${wholeMoment(states[at].startedAt)}`}
              </small>
            </th>
          ))}
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {found.figures.map(({ label, a, b, change }) => (
          <tr key={label} data-same={a === b || undefined}>
            <th scope="row">{label}</th>
            <td>{a}</td>
            <td>{b}</td>
            <td>{change}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Steps that are shown at first, from the first difference on, and added by each press. */
const atOnce = 40

function Steps({ found: { steps, first } }: { found: Comparison }) {
  const [showsSame, setShowsSame] = useState(false)
  const [most, setMost] = useState(atOnce)
  const same = first ?? steps.length
  const from = showsSame ? 0 : same
  const shown = steps.slice(from, from + most)
  const left = steps.length - from - shown.length
  return (
    <section className={styles.steps} aria-label="Steps">
      {same > 0 && (
        <Button
          variant="quiet"
          icon={showsSame ? 'chevron-down' : 'chevron-right'}
          aria-expanded={showsSame}
          onClick={() => setShowsSame(!showsSame)}
        >
          {sameWords(same)}
        </Button>
      )}
      {shown.map((step) => (
        <StepPair key={step.number} step={step} isFirst={step.number - 1 === first} />
      ))}
      {left > 0 && <Button onClick={() => setMost(most + atOnce)}>{moreWords(left)}</Button>}
    </section>
  )
}

function StepPair({ step, isFirst }: { step: ComparedStep; isFirst: boolean }) {
  return (
    <article className={styles.step} data-first={isFirst || undefined} aria-label={`Step ${step.number}`}>
      <h2>
        Step {step.number}
        {isFirst && <span>First difference</span>}
        {step.isSame && <span data-same="">Same</span>}
      </h2>
      <div className={styles.pair}>
        <Side name="A" deeds={step.a} />
        <Side name="B" deeds={step.b} />
      </div>
    </article>
  )
}

function Side({ name, deeds }: { name: string; deeds: readonly Deed[] | null }) {
  return (
    <div className={styles.side}>
      <span className={styles.name}>{name}</span>
      {deeds === null && <p className={shared.quiet}>Had already ended.</p>}
      {deeds?.length === 0 && <p className={shared.quiet}>Said nothing.</p>}
      {deeds?.map((deed, at) => (
        // The deeds of a step never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={at} className={styles.deed} data-kind={deed.kind} data-failed={deed.isFailure || undefined}>
          {deed.tool !== undefined && (
            <b>
              <Icon
                name={deed.kind === 'call' ? 'arrow-right' : deed.isFailure ? 'circle-x' : 'check'}
                size={14}
              />
              {deed.kind === 'call' ? deed.tool : `Result of ${deed.tool}`}
            </b>
          )}
          {deed.text !== '' && <DeedText deed={deed} />}
        </div>
      ))}
    </div>
  )
}

function DeedText({ deed: { kind, text } }: { deed: Deed }) {
  switch (kind) {
    case 'text':
      return <Markdown text={text} size="s" />
    case 'call':
      return <Words text={text} className={styles.code} />
    case 'result':
      return (
        <div className={styles.code}>
          <ResultText text={text} />
        </div>
      )
  }
  return kind satisfies never
}

function Answer({ name, state }: { name: string; state: RunState }) {
  return (
    <div className={styles.side}>
      <span className={styles.name}>{name}</span>
      <h2>Answer</h2>
      {state.error !== null && <ErrorNote error={state.error} />}
      {state.answer === null ? (
        state.error === null && <p className={shared.quiet}>No answer.</p>
      ) : (
        <Markdown text={state.answer} size="s" />
      )}
    </div>
  )
}
