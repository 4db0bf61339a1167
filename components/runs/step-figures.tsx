/** The figures of one step; none is shown where none exists. */
import { count, duration } from '#components/trace/figures'
import type { StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export function StepFigures({
  step: { modelMs, firstTokenMs, usage, request, durationMs },
}: {
  step: StepState
}) {
  const figures: { name: string; value: string | null }[] = [
    { name: 'model', value: modelMs === undefined ? null : duration(modelMs) },
    { name: 'first token', value: firstTokenMs == null ? null : duration(firstTokenMs) },
    { name: 'in', value: usage.input === 0 ? null : count(usage.input) },
    { name: 'out', value: usage.output === 0 ? null : count(usage.output) },
    { name: 'whole step', value: durationMs === undefined ? null : duration(durationMs) },
    {
      name: 'attempts',
      value: request === undefined || request.attempt === 1 ? null : count(request.attempt),
    },
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
