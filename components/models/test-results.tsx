'use client'
/** The results of a model's test so far: a row for each format, and the recommended one. */
import type { ReactNode } from 'react'
import { count, duration, usd } from '#components/run/figures'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { lineOf } from '#lib/spec/line'
import type { FormatTest, TestFormat } from '#lib/wire/model-test'
import styles from './test-model.module.css'
import type { ModelTesting } from './use-model-test'

const words: Record<TestFormat, string> = {
  native: 'Native',
  xml: 'XML',
  json: 'JSON',
  json_fence: 'Fenced JSON',
}

export interface TestResultsProps {
  readonly testing: ModelTesting
  /** The action offered for the recommended format. */
  readonly action?: (format: TestFormat) => ReactNode
}

export function TestResults({ testing, action }: TestResultsProps) {
  const { results, running, told } = testing
  if (results.length === 0 && running === null) return null
  return (
    <div className={styles.outcome}>
      <table className={styles.results} aria-label="Formats">
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col">Calls</th>
            <th scope="col" className={styles.time}>
              Time
            </th>
            <th scope="col">What it said</th>
          </tr>
        </thead>
        <tbody>
          {results.map((each) => (
            <Row key={each.format} result={each} />
          ))}
          {running !== null && (
            <tr>
              <th scope="row">{words[running]}</th>
              <td>
                <span className={styles.asking}>
                  <Spinner size={12} />
                  Asking…
                </span>
              </td>
              <td className={styles.time} />
              <td className={styles.said} />
            </tr>
          )}
        </tbody>
      </table>
      <div role="status">{told !== null && <Told told={told} />}</div>
      {told !== null && told.recommended !== null && action?.(told.recommended)}
    </div>
  )
}

function Row({ result: { format, ok, ms, said, fault } }: { result: FormatTest }) {
  const text = lineOf(fault?.message ?? (said === '' ? 'nothing' : said))
  return (
    <tr>
      <th scope="row">{words[format]}</th>
      <td>
        <span className={styles.verdict} data-ok={ok || undefined}>
          <Icon name={ok ? 'check' : 'circle-x'} size={12} />
          {ok ? 'work' : fault === undefined ? 'do not' : 'no answer'}
        </span>
      </td>
      <td className={styles.time}>{duration(ms)}</td>
      <td
        className={styles.said}
        data-call={ok || undefined}
        data-fault={fault !== undefined || undefined}
        title={text}
      >
        <bdi>{text}</bdi>
      </td>
    </tr>
  )
}

function Told({ told }: { told: NonNullable<ModelTesting['told']> }) {
  const { recommended, reason, usage, costUsd } = told
  const tokens = usage.input + usage.output
  return (
    <div className={styles.told} data-ok={recommended !== null || undefined}>
      <Icon name={recommended === null ? 'circle-x' : 'circle-check'} size={14} />
      <p>
        <b>{recommended === null ? 'No format works.' : `Take ${titles[recommended]}.`}</b> {reason}
        {tokens > 0 && (
          <span className={styles.cost}>
            {` ${count(tokens)} tokens${costUsd === null ? '' : `, ${usd(costUsd)}`}.`}
          </span>
        )}
      </p>
    </div>
  )
}

const titles: Record<TestFormat, string> = {
  native: 'native calls',
  xml: 'the format XML',
  json: 'the format JSON',
  json_fence: 'the format of fenced JSON',
}
