'use client'
/**
 * The figures of a run in one line: its state in a word, step, time, tokens, calls. A figure that does not
 * exist is left out.
 */
import { Chip } from '#components/ui/bits'
import shared from '#components/ui/shared.module.css'
import { cacheText, count, duration, plural, tokensText, usd } from './figures'
import { takenMs } from './retime'
import { useRun } from './run-context'
import styles from './run-figures.module.css'
import { statusWords } from './status-words'
import { useNow } from './use-now'

export interface RunFiguresProps {
  /** Only the state in a word, or only the figures; by default both. */
  readonly part?: 'state' | 'figures'
}

export function RunFigures({ part }: RunFiguresProps) {
  const status = useRun((run) => (run.state === null ? null : run.state.status))
  const startedAt = useRun((run) => run.state?.startedAt)
  const finishedAt = useRun((run) => run.state?.finishedAt)
  const taken = useRun((run) => takenMs(run.state?.forkedFrom))
  const step = useRun((run) => run.state?.steps.length ?? 0)
  const maxSteps = useRun((run) => run.state?.steps.at(-1)?.maxSteps)
  const tokens = useRun((run) => (run.state === null ? 0 : run.state.usage.input + run.state.usage.output))
  const isEstimated = useRun((run) => run.state?.usage.estimated)
  const known = useRun((run) => run.state?.costUsd ?? null)
  // Without tokens there is nothing that could cost anything.
  const cost = tokens === 0 ? null : known
  const isCut = useRun((run) => run.state?.status === 'completed' && run.state.error?.code === 'truncated')
  const cached = useRun((run) => run.state?.usage.cached ?? 0)
  const saved = useRun((run) => run.state?.savedUsd ?? 0)
  const cache = useRun((run) =>
    run.state?.usage.cached ? cacheText(run.state.usage, run.state.savedUsd) : null,
  )
  const calls = useRun((run) => run.state?.calls.size ?? 0)
  const connection = useRun((run) => run.connection)
  const now = useNow(startedAt !== undefined && finishedAt === undefined)
  if (status === null || status === 'new') return <div className={styles.figures} />
  const { word, tone, icon } = statusWords[status]
  return (
    <div className={styles.figures}>
      {part !== 'figures' && (
        <>
          <span role="status">
            <Chip tone={tone} icon={icon}>
              {isCut ? `${word}, cut off at the model’s limit` : word}
            </Chip>
          </span>
          {connection === 'reconnecting' && <span>Connection lost, trying again</span>}
        </>
      )}
      {part !== 'state' && (
        <>
          {step > 0 && finishedAt !== undefined && <span>{plural(step, 'step')}</span>}
          {step > 0 && finishedAt === undefined && maxSteps !== undefined && (
            <span>
              Step <b>{Math.min(step, maxSteps)}</b> of {maxSteps}
            </span>
          )}
          {startedAt !== undefined && (
            <b>{duration(Math.max(0, (finishedAt ?? Math.max(now, startedAt)) - startedAt - taken))}</b>
          )}
          {tokens > 0 && (
            <span className={shared.onlyWide}>
              <b>{tokensText(tokens, isEstimated)}</b> tokens
            </span>
          )}
          {cost !== null && (
            <b className={shared.onlyWide} title="At the prices in Settings">
              {usd(cost)}
            </b>
          )}
          {cache !== null && (
            <span className={shared.onlyWide} title={cache}>
              {saved > 0 ? (
                <>
                  <b>{usd(saved)}</b> saved by cache
                </>
              ) : (
                <>
                  <b>{count(cached)}</b> from cache
                </>
              )}
            </span>
          )}
          {calls > 0 && <span className={shared.onlyWide}>{plural(calls, 'call')}</span>}
        </>
      )}
    </div>
  )
}
