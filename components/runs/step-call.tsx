/** One call of a step: its tool, then arguments, rulings and observation. */
import { CallDetail } from '#components/trace/call-detail'
import { Tile } from '#components/ui/tile'
import type { CallState } from '#lib/spec/state'
import { CopyButton } from './copy-button'
import styles from './step-detail.module.css'

export interface StepCallProps {
  readonly call: CallState
  readonly icon: string
  readonly isRaw: boolean
  readonly isChosen: boolean
}

export function StepCall({ call, icon, isRaw, isChosen }: StepCallProps) {
  return (
    <section
      className={styles.section}
      aria-label={call.name}
      data-call={call.id}
      data-chosen={isChosen || undefined}
    >
      <h3 className={styles.call}>
        <Tile family="tool" icon={icon} size="s" />
        <code>{call.name}</code>
        <CopyButton label="Copy this call as JSON" text={() => asJson(call)} />
      </h3>
      <CallDetail call={call} raw={isRaw} />
    </section>
  )
}

function asJson({ name, args, rawArgs, status, result }: CallState): string {
  return JSON.stringify({ name, args: args ?? rawArgs, status, result: result?.blocks ?? null }, null, 2)
}
