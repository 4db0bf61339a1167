'use client'
/** The figures of one agent over some days: runs, errors, cost, latency, ratings, and the tools that fail most. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { Suspense } from 'react'
import { AgentHead, builderHref } from '#components/data/agent-page'
import { useAgents } from '#components/data/agents'
import { api } from '#components/data/client'
import { count, duration, usd } from '#components/run/figures'
import { dayWords } from '#components/run/when'
import { Loading } from '#components/ui/bits'
import { ButtonLink } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { Empty, ErrorNote } from '#components/ui/notice'
import { Segmented } from '#components/ui/segmented'
import shared from '#components/ui/shared.module.css'
import type { Insights } from '#lib/wire/insights'
import { DayChart } from './day-chart'
import { costChart, latencyChart, runsChart } from './day-charts'
import styles from './insights-page.module.css'

const periods = ['7', '30', '90'] as const
type Period = (typeof periods)[number]

const loading = <Loading what="the figures" heights={[72, 200, 200]} className={styles.loading} />

export function InsightsPage({ agentId }: { agentId: string }) {
  return (
    <main className={shared.page}>
      <div className={shared.pageList}>
        <Suspense fallback={loading}>
          <Figures agentId={agentId} />
        </Suspense>
      </div>
    </main>
  )
}

function Figures({ agentId }: { agentId: string }) {
  const params = useSearchParams()
  const days = periods.find((each) => each === params.get('days')) ?? '30'
  const agents = useAgents()
  const agent = agents.data?.items.find(({ id }) => id === agentId)
  const insights = useQuery({
    queryKey: ['runs', 'insights', agentId, days],
    queryFn: ({ signal }) => api.agents.insights(agentId, Number(days), signal),
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  })
  const title = agent === undefined ? (agents.isPending ? '' : 'A deleted agent') : agent.title || agent.name
  return (
    <>
      <AgentHead
        title={title}
        page="Insights"
        {...(agent !== undefined && { builder: builderHref(agentId) })}
      >
        <Segmented<Period>
          label="Period"
          value={days}
          onChange={(next) => window.history.replaceState(null, '', `?days=${next}`)}
          options={periods.map((value) => ({ value, label: `${value} days` }))}
        />
        <ButtonLink variant="plain" href={`/runs?agent=${encodeURIComponent(agentId)}`}>
          All its runs
        </ButtonLink>
      </AgentHead>
      {insights.isError && <ErrorNote error={insights.error} onRetry={() => void insights.refetch()} />}
      {insights.isPending && loading}
      {insights.data !== undefined &&
        (insights.data.total.runs === 0 ? (
          <Empty icon="chart-column" title={`No run has ended in the last ${days} days.`}>
            {agent !== undefined && (
              <ButtonLink variant="plain" href={builderHref(agentId)}>
                Ask it something
              </ButtonLink>
            )}
          </Empty>
        ) : (
          <Whole agentId={agentId} insights={insights.data} />
        ))}
    </>
  )
}

function Whole({ agentId, insights }: { agentId: string; insights: Insights }) {
  const { total, days, tools } = insights
  const share = (part: number) => (part === 0 ? '0 %' : `${((100 * part) / total.runs).toFixed(1)} %`)
  const runs = `/runs?agent=${encodeURIComponent(agentId)}`
  return (
    <>
      <dl className={styles.totals}>
        <Total label="Runs" value={count(total.runs)} href={runs} />
        <Total
          label="Errors"
          value={count(total.errors)}
          more={share(total.errors)}
          isBad={total.errors > 0}
        />
        <Total label="Cost" value={usd(total.costUsd)} more={`${usd(total.costUsd / total.runs)} per run`} />
        <Total
          label="Median time"
          value={latencyText(total.latency?.p50)}
          more={`${latencyText(total.ownLatency?.p50)} without waits`}
        />
        <Total
          label="95th percentile"
          value={latencyText(total.latency?.p95)}
          more={`${latencyText(total.ownLatency?.p95)} without waits`}
        />
        <Total
          label="Rated good"
          value={count(total.up)}
          more={`${count(total.down)} rated bad`}
          href={`${runs}&feedback=any`}
        />
      </dl>
      <p className={shared.quiet}>
        Errors are runs that failed, were interrupted or stopped at a limit. Waits are the times in which a
        run waited for a person.
      </p>
      <div className={styles.charts}>
        <DayChart {...runsChart(days)} />
        <DayChart {...costChart(days)} />
        <DayChart {...latencyChart(days, 'latency')} />
        <DayChart {...latencyChart(days, 'ownLatency')} />
      </div>
      <section className={styles.tools} aria-label="Tools that fail most">
        <h2>Tools that fail most</h2>
        {tools.length === 0 ? (
          <p className={shared.quiet}>No call of a tool failed.</p>
        ) : (
          <Tools runs={runs} tools={tools} />
        )}
      </section>
      <details className={styles.table}>
        <summary>Show the days as a table</summary>
        <DayTable days={days} />
      </details>
    </>
  )
}

interface TotalProps {
  readonly label: string
  readonly value: string
  readonly more?: string
  readonly href?: string
  readonly isBad?: boolean
}

function Total({ label, value, more, href, isBad }: TotalProps) {
  return (
    <div className={styles.total}>
      <dt>{label}</dt>
      <dd data-bad={isBad || undefined}>{href === undefined ? value : <Link href={href}>{value}</Link>}</dd>
      {more !== undefined && <dd className={shared.quiet}>{more}</dd>}
    </div>
  )
}

function latencyText(ms: number | undefined): string {
  return ms === undefined ? '–' : duration(ms)
}

function Tools({ runs, tools }: { runs: string; tools: Insights['tools'] }) {
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col" data-figure="">
            Failed
          </th>
          <th scope="col" data-figure="">
            Calls
          </th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {tools.map(({ name, calls, failed }) => (
          <tr key={name}>
            <th scope="row">
              <Link href={`${runs}&failed=1&tool=${encodeURIComponent(name)}`}>
                <Line text={name} />
              </Link>
            </th>
            <td data-figure="">{count(failed)}</td>
            <td data-figure="">{count(calls)}</td>
            <td>
              <span className={styles.share}>
                <i style={{ width: `${(100 * failed) / calls}%` }} />
              </span>
              {Math.round((100 * failed) / calls)} %
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function DayTable({ days }: { days: Insights['days'] }) {
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          {[
            'Day',
            'Runs',
            'Errors',
            'Cost',
            'Median',
            '95th percentile',
            'Median, no waits',
            '95th percentile, no waits',
            'Good',
            'Bad',
          ].map((label, at) => (
            <th key={label} scope="col" data-figure={at > 0 ? '' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, runs, errors, costUsd, latency, ownLatency, up, down }) => (
          <tr key={day}>
            <th scope="row">{dayWords(day)}</th>
            <td data-figure="">{count(runs)}</td>
            <td data-figure="">{count(errors)}</td>
            <td data-figure="">{usd(costUsd)}</td>
            <td data-figure="">{latencyText(latency?.p50)}</td>
            <td data-figure="">{latencyText(latency?.p95)}</td>
            <td data-figure="">{latencyText(ownLatency?.p50)}</td>
            <td data-figure="">{latencyText(ownLatency?.p95)}</td>
            <td data-figure="">{count(up)}</td>
            <td data-figure="">{count(down)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
