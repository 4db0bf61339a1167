'use client'
/**
 * A run's part of the top bar: its agent, its status, Stop while it is running, its events as a file, and a
 * link to the builder.
 */
import { useCallback, useMemo, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { useGoTo } from '#components/commands/use-go-to'
import { useAgents } from '#components/data/agents'
import { ApiError, api } from '#components/data/client'
import { pointWords, shortId } from '#components/run/fork-point'
import { MockChip } from '#components/run/mock-mark'
import { useRun, useRunActions } from '#components/run/run-context'
import { RunFigures } from '#components/run/run-figures'
import { Chip, Kbd } from '#components/ui/bits'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { download } from '#components/ui/download'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { NearLink } from '#components/ui/near-link'
import { BarRule, TopBarSlot, useBarMenu } from '#components/ui/top-bar-slot'
import { usePageTitle } from '#components/ui/use-page-title'
import type { ForkPoint } from '#lib/spec/event'
import { lineOf } from '#lib/spec/line'
import type { RunView } from '#lib/wire/runs'
import { compareUrl } from './list-actions'
import styles from './run-bar.module.css'

export interface RunBarProps {
  readonly run: RunView
  /** The page is one column: actions are in the bar’s menu, and figures below the bar. */
  readonly isNarrow: boolean
  readonly isListOpen: boolean
  onList(): void
}

export function RunBar({ run, isNarrow, isListOpen, onList }: RunBarProps) {
  const { id, agentId, agent, config, forkedFrom } = run
  const title = typeof config.title === 'string' && config.title !== '' ? config.title : agent.name
  const saving = useExport(id)
  const goTo = useGoTo()
  const { href, isGone } = useBuilderLink(agentId, id)
  useBarMenu([
    { label: 'Other runs', icon: 'list-ordered', run: onList },
    ...(href === null ? [] : [{ label: 'Open in builder', icon: 'waypoints', run: () => goTo(href) }]),
    { label: 'Export the events', icon: 'download', run: saving.take },
    ...(forkedFrom === null
      ? []
      : [
          {
            label: `Forked from run ${shortId(forkedFrom.runId)}`,
            icon: 'git-fork',
            run: () => goTo(`/runs/${forkedFrom.runId}`),
          },
          {
            label: 'Compare with the run it was forked from',
            icon: 'columns-3',
            run: () => goTo(compareUrl(forkedFrom.runId, id)),
          },
        ]),
  ])
  usePageTitle(lineOf(title))
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
        <span className={styles.version}>
          <Chip tone="line">{agent.version === 'draft' ? 'Draft' : `v${agent.version}`}</Chip>
        </span>
        <MockChip mocked={run.mocked} />
        {forkedFrom !== null && <Origin from={forkedFrom} />}
        <span className={styles.id} title={id}>
          run {shortId(id)}
        </span>
        {forkedFrom !== null && !isNarrow && (
          <ButtonLink
            size="s"
            icon="columns-3"
            href={compareUrl(forkedFrom.runId, id)}
            label="Compare with the run it was forked from"
          >
            Compare
          </ButtonLink>
        )}
      </TopBarSlot>
      <TopBarSlot at="end">
        <RunFigures {...(isNarrow && { part: 'state' })} />
        <Stop />
        {!isNarrow && (
          <>
            <BarRule />
            <Export {...saving} />
            {href !== null && (
              <ButtonLink href={href} variant="plain">
                Open in builder
              </ButtonLink>
            )}
          </>
        )}
        {isGone && <span className={styles.gone}>The agent was deleted</span>}
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
        {shortId(from.runId)}, {from.edit === 'prompt' ? 'from the start' : `step ${from.step}`}
      </span>
    </NearLink>
  )
}

function Stop() {
  const { cancel } = useRunActions()
  const isGoing = useRun((run) => run.state !== null && run.state.finishedAt === undefined)
  if (!isGoing) return null
  return (
    <Button icon="square" aria-label="Stop" className={styles.stop} onClick={() => void cancel()}>
      <span className={styles.stopWord}>Stop</span>
      <span className={styles.word}>
        <Kbd>Esc</Kbd>
      </span>
    </Button>
  )
}

interface Saving {
  readonly fault: string | null
  take(): void
}

/** Downloads the events of the run; `fault` says why it could not. */
function useExport(runId: string): Saving {
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
  return { fault, take: () => void take() }
}

function Export({ fault, take }: Saving) {
  return (
    <Button
      variant="quiet"
      icon={fault === null ? 'download' : 'circle-x'}
      aria-label={fault === null ? 'Export' : 'Not exported'}
      title={fault ?? 'Download every event of this run as JSON'}
      onClick={take}
    >
      <span className={styles.word}>{fault === null ? 'Export' : 'Not exported'}</span>
    </Button>
  )
}

/** A run outlives its agent: `href` is null until it is known that the agent still exists. */
function useBuilderLink(
  agentId: string,
  runId: string,
): { readonly href: string | null; readonly isGone: boolean } {
  const agents = useAgents()
  const isThere = agents.data?.items.some((each) => each.id === agentId)
  return { href: isThere === true ? `/agents/${agentId}?run=${runId}` : null, isGone: isThere === false }
}
