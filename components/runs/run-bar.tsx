'use client'
/**
 * A run's part of the top bar: its agent, its status, Stop while it is running, its events as a file, and a
 * link to the builder.
 */
import { useCallback, useMemo, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { useAgents } from '#components/data/agents'
import { ApiError, api } from '#components/data/client'
import { pointWords, shortId } from '#components/run/fork-point'
import { useRun, useRunActions } from '#components/run/run-context'
import { RunFigures } from '#components/run/run-figures'
import { Chip, Kbd } from '#components/ui/bits'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { download } from '#components/ui/download'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { NearLink } from '#components/ui/near-link'
import { BarRule, TopBarSlot } from '#components/ui/top-bar-slot'
import type { ForkPoint } from '#lib/spec/event'
import { lineOf } from '#lib/spec/line'
import type { RunView } from '#lib/wire/runs'
import styles from './run-bar.module.css'

export interface RunBarProps {
  readonly run: RunView
  readonly isListOpen: boolean
  onList(): void
}

export function RunBar({ run: { id, agentId, agent, config, forkedFrom }, isListOpen, onList }: RunBarProps) {
  const title = typeof config.title === 'string' && config.title !== '' ? config.title : agent.name
  return (
    <>
      <TopBarSlot at="start">
        <BarRule />
        <span className={styles.list}>
          <IconButton
            icon="list-ordered"
            label="Other runs"
            pressed={isListOpen}
            aria-expanded={isListOpen}
            onClick={onList}
          />
        </span>
        <h1 className={styles.title} title={lineOf(title)}>
          <Line text={title} />
        </h1>
        <Chip tone="line">{agent.version === 'draft' ? 'Draft' : `v${agent.version}`}</Chip>
        <span className={styles.id} title={id}>
          run {shortId(id)}
        </span>
        {forkedFrom !== null && <Origin from={forkedFrom} />}
      </TopBarSlot>
      <TopBarSlot at="end">
        <RunFigures />
        <Stop />
        <BarRule />
        <Export runId={id} />
        <BuilderLink agentId={agentId} runId={id} />
      </TopBarSlot>
    </>
  )
}

/** The origin of a fork. */
function Origin({ from }: { from: ForkPoint }) {
  const words = `Forked from run ${shortId(from.runId)}, ${pointWords(from)}`
  return (
    <NearLink href={`/runs/${from.runId}`} className={styles.origin} title={words} aria-label={words}>
      <Icon name="git-fork" size={14} />
      <span>
        {shortId(from.runId)}, step {from.step}
      </span>
    </NearLink>
  )
}

function Stop() {
  const { cancel } = useRunActions()
  const isGoing = useRun((run) => run.state !== null && run.state.finishedAt === undefined)
  if (!isGoing) return null
  return (
    <Button icon="square" onClick={() => void cancel()}>
      Stop
      <span className={styles.word}>
        <Kbd>Esc</Kbd>
      </span>
    </Button>
  )
}

function Export({ runId }: { runId: string }) {
  const [fault, setFault] = useState<string | null>(null)
  const take = useCallback(async () => {
    setFault(null)
    try {
      const events = await api.runs.events(runId)
      download({ name: `${runId}.json`, text: `${JSON.stringify(events, null, 2)}\n` })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFault(error.message)
    }
  }, [runId])
  const commands = useMemo(
    () => [
      {
        id: 'run.export',
        label: 'Export the events of this run',
        group: 'Run',
        icon: 'download',
        run: () => void take(),
      },
    ],
    [take],
  )
  useCommands(commands)
  return (
    <Button
      variant="quiet"
      icon={fault === null ? 'download' : 'circle-x'}
      aria-label={fault === null ? 'Export' : 'Not exported'}
      title={fault ?? 'Download every event of this run as JSON'}
      onClick={() => void take()}
    >
      <span className={styles.word}>{fault === null ? 'Export' : 'Not exported'}</span>
    </Button>
  )
}

/** A run outlives its agent, so the link is shown only if the agent still exists. */
function BuilderLink({ agentId, runId }: { agentId: string; runId: string }) {
  const agents = useAgents()
  const isThere = agents.data?.items.some((each) => each.id === agentId)
  if (isThere === undefined) return null
  if (!isThere) return <span className={styles.gone}>The agent was deleted</span>
  return (
    <ButtonLink href={`/agents/${agentId}?run=${runId}`} variant="plain">
      Open in builder
    </ButtonLink>
  )
}
