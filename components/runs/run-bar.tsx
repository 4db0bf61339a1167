'use client'
/** A run's part of the top bar: whose run it is, how it stands, Stop while it goes, and the way to its builder. */
import { useAgents } from '#components/agents/queries'
import { useRun, useRunActions } from '#components/trace/run-context'
import { RunFigures } from '#components/trace/run-figures'
import { Chip, Kbd } from '#components/ui/bits'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { BarRule, TopBarSlot } from '#components/ui/top-bar'
import type { RunView } from '#lib/http/runs'
import styles from './run-bar.module.css'

export interface RunBarProps {
  readonly run: RunView
  readonly isListOpen: boolean
  onList(): void
}

export function RunBar({ run: { id, agentId, agent, config }, isListOpen, onList }: RunBarProps) {
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
        <h1 className={styles.title} title={title}>
          {title}
        </h1>
        <Chip tone="line">{agent.version === 'draft' ? 'draft' : `v${agent.version}`}</Chip>
        <span className={styles.id} title={id}>
          run {id.replace(/^run_/, '').slice(-6)}
        </span>
      </TopBarSlot>
      <TopBarSlot at="end">
        <RunFigures />
        <Stop />
        <BarRule />
        <BuilderLink agentId={agentId} runId={id} />
      </TopBarSlot>
    </>
  )
}

function Stop() {
  const { cancel } = useRunActions()
  const isGoing = useRun((run) => run.state !== null && run.state.finishedAt === undefined)
  if (!isGoing) return null
  return (
    <Button icon="square" onClick={() => void cancel()}>
      Stop <Kbd>Esc</Kbd>
    </Button>
  )
}

/** A run outlives its agent. */
function BuilderLink({ agentId, runId }: { agentId: string; runId: string }) {
  const agents = useAgents()
  const isThere = agents.data?.items.some((each) => each.id === agentId)
  if (isThere === undefined) return null
  if (!isThere) return <span className={styles.gone}>The agent was deleted</span>
  return <ButtonLink href={`/agents/${agentId}?run=${runId}`}>Open in builder</ButtonLink>
}
