'use client'
/** The sandbox of this server: for each kind of code the walls that could confine it, and which of them holds. */
import { useSandbox, useTestSandbox } from '#components/data/sandbox'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { SandboxView, WalledKindView, WallView } from '#lib/wire/sandbox'
import own from './sandbox.module.css'
import { kindWords, remedyPieces, strengthWords, wallState, whyNotUsed } from './sandbox-words'
import { WallPackages } from './wall-packages'

export function Sandbox() {
  const sandbox = useSandbox()
  const test = useTestSandbox()
  return (
    <>
      {sandbox.isPending && <Skeleton height={160} />}
      {sandbox.isError && <ErrorNote error={sandbox.error} onRetry={() => void sandbox.refetch()} />}
      {sandbox.data?.kinds
        .filter(({ walls }) => walls.length > 0)
        .map((each) => (
          <Kind key={each.kind} kind={each} minimum={sandbox.data.minimum} />
        ))}
      <WallPackages />
      {sandbox.data !== undefined && (
        <div className={own.actions}>
          <Button disabled={test.isPending} icon="rotate-ccw" onClick={() => test.mutate()}>
            Test all again
          </Button>
          <span className={own.testing} role="status">
            {test.isPending && (
              <>
                <Spinner size={12} /> Each wall runs a program that tries to get out.
              </>
            )}
            {test.isSuccess && !test.isPending && 'Tested just now.'}
          </span>
        </div>
      )}
      {test.isError && <ErrorNote error={test.error} />}
    </>
  )
}

function Kind({ kind, minimum }: { kind: WalledKindView; minimum: SandboxView['minimum'] }) {
  const { title, used } = kindWords[kind.kind]
  return (
    <section className={own.kind} aria-label={title}>
      <h3 className={own.title}>
        {title} <span>{used}</span>
      </h3>
      {kind.refusal !== null && (
        <p className={own.refusal} role="alert">
          <Icon name="circle-x" size={14} />
          {kind.refusal}
        </p>
      )}
      <ul className={own.walls}>
        {kind.walls.map((each) => (
          <li key={each.id}>
            <Wall wall={each} kind={kind} minimum={minimum} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Wall({
  wall,
  kind,
  minimum,
}: {
  wall: WallView
  kind: WalledKindView
  minimum: SandboxView['minimum']
}) {
  const { tone, icon, word } = wallState(wall, kind)
  const isUsed = wall.id === kind.used
  const why = whyNotUsed(wall, kind, minimum)
  const { test } = wall
  const fails = test?.holds === false
  return (
    <div className={own.wall} data-used={isUsed || undefined}>
      <div className={own.head}>
        <b>{wall.name}</b>
        <span className={own.strength} title={`LOOPWRIGHT_SANDBOX=${wall.strength} demands at least this.`}>
          {strengthWords[wall.strength]}
        </span>
        {test?.holds && <span className={own.start}>starts in {test.startMs} ms</span>}
        <span className={own.state} data-tone={tone}>
          <Icon name={icon} size={12} />
          {word}
        </span>
      </div>
      {test?.holds === false && <p className={own.reason}>{test.reason}</p>}
      <ul className={own.promises} aria-label={`What ${wall.name} ${fails ? 'would promise' : 'promises'}`}>
        {wall.promises.map((each) => (
          <li key={each} className={own.promise}>
            <Icon name={fails ? 'minus' : 'check'} size={12} className={isUsed ? own.kept : own.mark} />
            {each}
          </li>
        ))}
        {wall.gaps.map((each) => (
          <li key={each} className={own.promise}>
            <Icon name="triangle-alert" size={12} className={own.gap} />
            {each}
          </li>
        ))}
      </ul>
      {test?.holds === false && <Remedies remedies={test.remedies} />}
      {why !== undefined && <p className={own.quiet}>{why}</p>}
    </div>
  )
}

function Remedies({ remedies }: { remedies: readonly string[] }) {
  return (
    <div className={own.remedies}>
      <p className={own.heading}>What you can do</p>
      <ul className={own.steps}>
        {remedies.map((each) => (
          <li key={each}>
            {remedyPieces(each).map(({ text, isCommand }) =>
              isCommand ? <code key={text}>{text}</code> : <span key={text}>{text}</span>,
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
