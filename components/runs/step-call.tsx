'use client'
/** One call of a step: its tool, arguments, rulings and observation. */
import { duration } from '#components/run/figures'
import { useFork } from '#components/run/fork-context'
import { useToolMark } from '#components/run/tool-icon'
import { CallDetail } from '#components/trace/call-detail'
import { IconButton } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { Line } from '#components/ui/line'
import { Tile } from '#components/ui/tile'
import { lineOf } from '#lib/spec/line'
import type { CallState, StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export interface StepCallProps {
  readonly step: StepState
  readonly call: CallState
  readonly isRaw: boolean
  readonly isChosen: boolean
}

export function StepCall({ step, call, isRaw, isChosen }: StepCallProps) {
  const fork = useFork()
  const { icon, family } = useToolMark()(call)
  return (
    <section
      className={styles.section}
      aria-label={lineOf(call.name)}
      data-call={call.id}
      data-chosen={isChosen || undefined}
    >
      <h3 className={styles.call}>
        <Tile family={family} icon={icon} size="s" />
        <code>
          <Line text={call.name} />
        </code>
        {call.finishedAt !== undefined && call.startedAt !== undefined && (
          <span className={styles.took}>{duration(call.durationMs)}</span>
        )}
        {fork !== null && step.parts !== undefined && (
          <IconButton
            icon="git-fork"
            size="s"
            label={`Fork from ${call.name}`}
            title="Fork with other arguments or another result"
            onClick={() => fork({ step: step.number, callId: call.id, edit: 'args' })}
          />
        )}
        <CopyButton label="Copy this call as JSON" text={() => asJson(call)} />
      </h3>
      <CallDetail call={call} raw={isRaw} isTimed={false} />
    </section>
  )
}

function asJson({ name, args, rawArgs, status, result }: CallState): string {
  return JSON.stringify({ name, args: args ?? rawArgs, status, result: result?.blocks ?? null }, null, 2)
}
