'use client'
/** A call that waits for a person, first in the inspector: what it would do, and the three answers. */
import { useEffect, useMemo, useState } from 'react'
import { useGraph } from '#components/canvas/graph-context'
import { useCommands } from '#components/commands/commands-context'
import { useRun, useRunActions } from '#components/trace/run-context'
import { type Decision, type LiveRun, shownState } from '#components/trace/run-store'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { Tile } from '#components/ui/tile'
import { kindAt, toolOf } from '#lib/graph/kinds'
import type { CallState } from '#lib/spec/state'
import { ApprovalArguments } from './approval-arguments'
import styles from './approval-panel.module.css'
import { EditArguments } from './edit-arguments'
import { RejectForm } from './reject-form'

interface Waiting {
  readonly call: CallState
  readonly step: number
  /** Its place among the calls of its step, from 1. */
  readonly at: number
}

/** Shown only where a decision can be given: for the chosen node, or for any node while none is chosen. */
export function ApprovalPanel() {
  const { decide } = useRunActions()
  const chosen = useGraph((state) => state.selection.nodes[0])
  const path = useGraph((state) => (chosen === undefined ? null : (state.paths.get(chosen) ?? '')))
  const waiting = useRun((run) => waitingFor(run, path), sameWaiting)
  if (decide === undefined) return null
  return waiting.map((each) => <Ask key={each.call.id} waiting={each} decide={decide} />)
}

/** The calls that wait; a step's calls run together, so none waits before the last step. */
function waitingFor(run: LiveRun, path: string | null): readonly Waiting[] {
  const state = shownState(run)
  const step = state?.steps.at(-1)
  if (state === null || step === undefined || state.finishedAt !== undefined || run.replay !== null) return []
  return step.calls.flatMap((call, index) => {
    const isMeant =
      path === null ||
      path === 'agent' ||
      call.node === path ||
      call.rulings.some((each) => each.node === path)
    return call.status === 'waiting' && isMeant ? [{ call, step: step.number, at: index + 1 }] : []
  })
}

function sameWaiting(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  return a.length === b.length && a.every(({ call }, at) => call === b[at]?.call)
}

interface AskProps {
  readonly waiting: Waiting
  decide(callId: string, decision: Decision): Promise<void>
}

function Ask({ waiting: { call, step, at }, decide }: AskProps) {
  const [mode, setMode] = useState<'look' | 'edit' | 'reject'>('look')
  const [isSaying, setSaying] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const args = call.approval?.args ?? call.args ?? {}
  const { family, icon } = useMark(call)
  const tool = useGraph((state) => toolOf(state.catalog, call.name))
  const commands = useMemo(() => {
    const say = async (decision: Decision) => {
      setSaying(true)
      setFailure(null)
      try {
        await decide(call.id, decision)
      } catch (error) {
        setFailure(error)
      } finally {
        setSaying(false)
      }
    }
    const approve = {
      id: `call.approve.${call.id}`,
      label: `Approve ${call.name}`,
      group: 'Run',
      icon: 'check',
      keys: ['A'],
      canRun: () => mode === 'look' && !isSaying,
      run: () => void say({ decision: 'approve' }),
    }
    return { say, list: [approve] }
  }, [call.id, call.name, decide, mode, isSaying])
  useCommands(commands.list)
  const { say } = commands
  return (
    <section aria-label={`${call.name} waits for you`} className={styles.ask}>
      <header className={styles.strip}>
        <Icon name="hand" size={16} className={styles.hand} />
        <b>Waiting for you</b>
        <TimeLeft until={call.approval?.expiresAt ?? null} />
      </header>
      <div className={styles.inside}>
        <div className={styles.tool}>
          <Tile family={family} icon={icon} size="s" />
          <span className={styles.name}>{call.name}</span>
          <span className={styles.place}>
            call {at} of step {step}
          </span>
        </div>
        {failure !== null && <ErrorNote error={failure} />}
        {mode === 'edit' ? (
          <EditArguments
            args={args}
            parameters={tool?.parameters}
            isSaying={isSaying}
            onBack={() => setMode('look')}
            onApprove={(edited) => void say({ decision: 'approve', args: edited })}
          />
        ) : (
          <ApprovalArguments args={args} />
        )}
        {mode === 'reject' && (
          <RejectForm
            isSaying={isSaying}
            onBack={() => setMode('look')}
            onReject={(reason) => void say({ decision: 'reject', ...(reason !== '' && { reason }) })}
          />
        )}
        {mode === 'look' && (
          <div className={styles.actions}>
            <Button variant="primary" disabled={isSaying} onClick={() => void say({ decision: 'approve' })}>
              Approve<Kbd>A</Kbd>
            </Button>
            <Button disabled={isSaying} aria-label="Edit and approve" onClick={() => setMode('edit')}>
              <span>
                Edit<span className={styles.wide}> and approve</span>
              </span>
            </Button>
            <Button className={styles.last} disabled={isSaying} onClick={() => setMode('reject')}>
              Reject
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}

function useMark(call: CallState): { family: 'tool' | 'mcp'; icon: string } {
  const tool = useGraph((state) => toolOf(state.catalog, call.name))
  const kind = useGraph((state) =>
    call.source === undefined ? undefined : kindAt(state.catalog, 'tools', call.source),
  )
  return { family: kind?.family === 'mcp' ? 'mcp' : 'tool', icon: tool?.icon ?? kind?.icon ?? 'wrench' }
}

/** Counts down to the second; a screen reader is told the time when it asks, not each second. */
function TimeLeft({ until }: { until: number | null }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [until])
  if (until === null) return null
  return (
    <span className={styles.left} role="timer">
      {clock(until - now)} left
    </span>
  )
}

/** `14:58`, `1:02:03`; nothing below zero. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}
