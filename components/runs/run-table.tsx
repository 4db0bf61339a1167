/** Runs as a table: one row per run, each linked to its run. */
import Link from 'next/link'
import { Elapsed } from '#components/run/elapsed'
import { count, tokensText, usd } from '#components/run/figures'
import { ForkMark } from '#components/run/fork-mark'
import { RunMark } from '#components/run/run-mark'
import { moment, wholeMoment } from '#components/run/when'
import { Line } from '#components/ui/line'
import { lineOf } from '#lib/spec/line'
import type { RunSummary } from '#lib/wire/runs'
import styles from './run-table.module.css'

export function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  const now = Date.now()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th className={styles.status}>Status</th>
          <th>Question</th>
          <th className={styles.agent}>Agent</th>
          <th className={styles.version}>Version</th>
          <th data-figure="" className={styles.steps}>
            Steps
          </th>
          <th data-figure="" className={styles.figure}>
            Tokens
          </th>
          <th data-figure="" className={styles.figure}>
            Cost
          </th>
          <th data-figure="" className={styles.time}>
            Time
          </th>
          <th data-figure="" className={styles.started}>
            Started
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((each) => (
          <RunRow key={each.id} run={each} now={now} />
        ))}
      </tbody>
    </table>
  )
}

function RunRow({ run, now }: { run: RunSummary; now: number }) {
  const { id, status, input, answer, error, agent, steps, usage, costUsd, startedAt, forkedFrom } = run
  const tokens = usage.input + usage.output
  // An answer that was cut off still counts as the answer.
  const isFault = error !== null && (status !== 'completed' || answer === null)
  const outcome = (isFault ? error.message : answer) ?? ''
  const version = agent.version === 'draft' ? 'draft' : `v${agent.version}`
  // The link covers the whole row, so its tooltip contains the text that cells leave out.
  const whole = [
    lineOf(input),
    lineOf(outcome, 500),
    `${lineOf(agent.name)}, ${version}${startedAt === null ? '' : `, ${wholeMoment(startedAt)}`}`,
  ]
  return (
    <tr className={styles.row}>
      <td>
        <RunMark status={status} hasWord />
      </td>
      <td className={styles.question} title={whole.filter((each) => each !== '').join('\n\n')}>
        <Link href={`/runs/${id}`} data-run-link="">
          <Line text={input} />
        </Link>{' '}
        <ForkMark from={forkedFrom} />
        {outcome !== '' && (
          <span data-error={isFault || undefined}>
            <Line text={outcome} />
          </span>
        )}
      </td>
      <td className={styles.cut}>
        <Line text={agent.name} />
        <small>{version}</small>
      </td>
      <td>{version}</td>
      <td data-figure="" data-unit={steps === 1 ? 'step' : 'steps'}>
        {steps > 0 && count(steps)}
      </td>
      <td data-figure="" data-unit="tokens">
        {tokens > 0 && tokensText(tokens, usage.estimated)}
      </td>
      <td data-figure="">{costUsd !== null && usage.input + usage.output > 0 && usd(costUsd)}</td>
      <td data-figure="">
        <Elapsed run={run} />
      </td>
      <td data-figure="">{startedAt !== null && moment(startedAt, now)}</td>
    </tr>
  )
}
