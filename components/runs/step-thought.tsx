/** The model's output in a step apart from its calls: its reasoning and its text, while they stream. */
import { useMemo } from 'react'
import { endingOf } from '#components/run/endings'
import { JsonText } from '#components/ui/json-text'
import { Words } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import shared from '#components/ui/shared.module.css'
import { type Part, textOf } from '#lib/spec/message'
import type { StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export function StepThought({ step, isRaw }: { step: StepState; isRaw: boolean }) {
  const parts = step.parts ?? []
  if (isRaw) {
    return step.parts === undefined ? null : (
      <section className={styles.section} aria-label="What the model answered">
        <h3 className={styles.label}>What the model answered</h3>
        <RawParts parts={parts} />
      </section>
    )
  }
  const reasoning =
    step.live.reasoning || parts.map((each) => (each.type === 'reasoning' ? each.text : '')).join('')
  const said = step.live.text || textOf(parts)
  if (reasoning === '' && said === '') return null
  return (
    <section className={styles.section} aria-label="What the model said">
      <h3 className={styles.label}>
        {step.edited ? 'Written by you' : reasoning === '' ? 'Said' : 'Thought'}
      </h3>
      {reasoning !== '' && <Words text={reasoning} className={styles.reasoning} />}
      {said !== '' && <Markdown text={said} />}
      {stopOf(step) !== undefined && <p className={shared.quiet}>{stopOf(step)}</p>}
    </section>
  )
}

function RawParts({ parts }: { parts: readonly Part[] }) {
  const text = useMemo(() => JSON.stringify(parts, null, 2), [parts])
  return <JsonText text={text} />
}

/** A note when the provider ended the answer before the model did. */
function stopOf({ finishReason }: StepState): string | undefined {
  if (finishReason === 'length') return endingOf({ code: 'truncated', message: '' })?.title
  if (finishReason === 'filter') return endingOf({ code: 'model_filter', message: '' })?.title
  return undefined
}
