'use client'
/** One call that waits for a person: what it would do, and the three answers. */
import { useId, useMemo, useRef, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { useIsTyping } from '#components/commands/typing'
import { useCatalog } from '#components/data/agents'
import { useRun } from '#components/run/run-context'
import { useToolMark } from '#components/run/tool-icon'
import type { WaitingDecision } from '#components/run/waiting'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { Tile } from '#components/ui/tile'
import { toolOf } from '#lib/graph/kinds'
import { lineOf } from '#lib/spec/line'
import { secretMask } from '#lib/spec/redact'
import type { DecideCall } from '#lib/wire/runs'
import { ApprovalArguments } from './approval-arguments'
import styles from './ask-card.module.css'
import { EditArguments } from './edit-arguments'
import { RejectForm } from './reject-form'
import { TimeLeft } from './time-left'

export interface AskCardProps {
  readonly waiting: WaitingDecision
  /** When several calls wait, only the first has the shortcut. */
  readonly hasKey: boolean
  decide(callId: string, said: DecideCall): Promise<void>
}

export function AskCard({ waiting: { call, path, inside, step, at }, hasKey, decide }: AskCardProps) {
  const [mode, setMode] = useState<'look' | 'edit' | 'reject'>('look')
  const [isSaying, setSaying] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const args = call.approval?.args ?? call.args ?? {}
  const [isForRun, setForRun] = useState(false)
  const box = useId()
  const card = useRef<HTMLElement>(null)
  const isTyping = useIsTyping()
  const { family, icon } = useToolMark()(call)
  const { data: catalog } = useCatalog()
  const tool = catalog && toolOf(catalog, call.name)
  const mock = useRun((run) => run.state?.mocks?.find(({ tool: name }) => name === call.name)?.kind)
  const scope = isForRun ? 'run' : 'call'
  const commands = useMemo(() => {
    const say = async (said: DecideCall) => {
      setSaying(true)
      setFailure(null)
      try {
        await decide(path, said)
      } catch (error) {
        setFailure(error)
      } finally {
        setSaying(false)
      }
    }
    const approve = {
      id: `call.approve.${path}`,
      label: `Approve ${call.name}`,
      group: 'Run',
      icon: 'check',
      keys: hasKey ? ['A'] : [],
      // The same call may have a second card, in a tab that is not shown.
      canRun: () => mode === 'look' && !isSaying && isInView(card.current),
      run: () => void say({ decision: 'approve', scope }),
    }
    return { say, list: [approve] }
  }, [path, call.name, decide, mode, isSaying, scope, hasKey])
  useCommands(commands.list)
  const { say } = commands
  return (
    <section ref={card} aria-label={`${lineOf(call.name)} waits for you`} className={styles.ask}>
      <header className={styles.strip}>
        <Icon name="hand" size={16} className={styles.hand} />
        <b>Waiting for you</b>
        <TimeLeft until={call.approval?.expiresAt ?? null} />
      </header>
      <div className={styles.inside}>
        <div className={styles.tool}>
          <Tile family={family} icon={icon} size="s" />
          <span className={styles.name}>
            <Line text={call.name} />
          </span>
          <span className={styles.place}>
            {inside !== undefined && `${inside.agent}: `}call {at} of step {step}
          </span>
        </div>
        {mock !== undefined && (
          <p className={shared.plain}>Mocked ({mock}): whatever you decide, the tool itself does not run.</p>
        )}
        {failure !== null && <ErrorNote error={failure} />}
        {mode === 'edit' ? (
          <EditArguments
            args={args}
            parameters={tool?.parameters}
            isSaying={isSaying}
            onBack={() => setMode('look')}
            onApprove={(edited) => void say({ decision: 'approve', scope, args: edited })}
          />
        ) : (
          <ApprovalArguments args={args} />
        )}
        {call.redacted && (
          <p className={shared.quiet}>
            {secretMask} stands for a secret that is not shown. Where it is left as it is, the tool gets the
            secret.
          </p>
        )}
        {mode === 'reject' && (
          <RejectForm
            isSaying={isSaying}
            onBack={() => setMode('look')}
            onReject={(reason) => void say({ decision: 'reject', ...(reason !== '' && { reason }) })}
          />
        )}
        {mode !== 'reject' && (
          <label className={styles.forRun} htmlFor={box}>
            <input
              id={box}
              type="checkbox"
              checked={isForRun}
              onChange={(event) => setForRun(event.target.checked)}
            />
            Don’t ask again for this tool in this run
          </label>
        )}
        {mode === 'look' && (
          <div className={styles.actions}>
            <Button
              variant="primary"
              disabled={isSaying}
              onClick={() => void say({ decision: 'approve', scope })}
            >
              Approve{hasKey && !isTyping && <Kbd>A</Kbd>}
            </Button>
            <Button disabled={isSaying} aria-label="Edit and approve" onClick={() => setMode('edit')}>
              <span>
                Edit<span className={shared.onlyWide}> and approve</span>
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

function isInView(card: HTMLElement | null): boolean {
  return card?.checkVisibility({ visibilityProperty: true }) === true
}
