'use client'
/** Sample questions, each asked with one click; shown until something has run. */
import { useRun } from '#components/run/run-context'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import styles from './samples.module.css'

export interface SamplesProps {
  readonly samples: readonly string[]
  readonly canRun: boolean
  onAsk(question: string): void
}

export function Samples({ samples, canRun, onAsk }: SamplesProps) {
  const hasRun = useRun((run) => run.runId !== null)
  if (hasRun || samples.length === 0) return null
  return (
    <div>
      {samples.map((each) => (
        <button
          key={each}
          type="button"
          className={styles.sample}
          disabled={!canRun}
          title={each}
          onClick={() => onAsk(each)}
        >
          <Icon name="corner-down-right" size={14} />
          <span className={shared.cut}>{each}</span>
        </button>
      ))}
    </div>
  )
}
