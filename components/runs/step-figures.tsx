/** The figures of one step; a figure that does not exist is left out. */
import { count, duration, tokensText, usd } from '#components/run/figures'
import type { StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export function StepFigures({
  step: { modelMs, firstTokenMs, savedMs, usage, costUsd, savedUsd, request, retries },
}: {
  step: StepState
}) {
  const figures: { name: string; value: string | null }[] = [
    { name: 'model', value: modelMs === undefined ? null : duration(modelMs) },
    { name: 'first token', value: firstTokenMs == null ? null : duration(firstTokenMs) },
    { name: 'saved', value: savedMs ? duration(savedMs) : null },
    { name: 'in', value: usage.input === 0 ? null : tokensText(usage.input, usage.estimated) },
    { name: 'of which cached', value: usage.cached ? count(usage.cached) : null },
    { name: 'of which written to the cache', value: usage.cacheWritten ? count(usage.cacheWritten) : null },
    { name: 'out', value: usage.output === 0 ? null : tokensText(usage.output, usage.estimated) },
    { name: 'of which reasoning', value: usage.reasoning ? count(usage.reasoning) : null },
    { name: 'cost', value: costUsd === null ? null : usd(costUsd) },
    {
      name: (savedUsd ?? 0) < 0 ? 'more for the cache' : 'saved by the cache',
      value: savedUsd ? usd(Math.abs(savedUsd)) : null,
    },
    {
      name: 'attempts',
      value: request === undefined || request.attempt === 1 ? null : count(request.attempt),
    },
    { name: 'waited', value: retries.length === 0 ? null : duration(totalWait(retries)) },
  ]
  const known = figures.filter((each) => each.value !== null)
  if (known.length === 0) return null
  return (
    <dl className={styles.figures}>
      {known.map(({ name, value }) => (
        <div key={name}>
          <dd>{value}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  )
}

function totalWait(retries: StepState['retries']): number {
  return retries.reduce((sum, each) => sum + each.waitMs, 0)
}
