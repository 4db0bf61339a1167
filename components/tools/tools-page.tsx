'use client'
/** The page of an agent's tools: a list at the left, and the chosen tool beside it. */
import { useRouter } from 'next/navigation'
import { Suspense, useMemo } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { AgentHead, builderHref, NoAgent } from '#components/data/agent-page'
import { useAgents } from '#components/data/agents'
import { toolHref, useTrialTools } from '#components/data/trials'
import { Loading } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { Empty, ErrorNote } from '#components/ui/notice'
import { SettingsWords } from '#components/ui/settings-words'
import { usePageTitle } from '#components/ui/use-page-title'
import type { TrialToolList } from '#lib/wire/trials'
import { ToolList } from './tool-list'
import { ToolView } from './tool-view'
import styles from './tools-page.module.css'
import { useLostMock } from './use-lost-mock'

export function ToolsPage({ agentId, tool }: { agentId: string; tool: string | null }) {
  const agents = useAgents()
  const agent = agents.data?.items.find(({ id }) => id === agentId)
  const tools = useTrialTools(agentId)
  const title = agent === undefined ? '' : agent.title || agent.name
  usePageTitle(tool === null ? `Tools of ${title}` : `${tool}, ${title}`)
  const builder = builderHref(agentId)
  const isGone = agents.data !== undefined && agent === undefined
  return (
    <main className={styles.page} data-chosen={tool !== null || undefined}>
      <div className={styles.head}>
        <AgentHead title={title} page="Tools" builder={builder} />
      </div>
      {isGone && <NoAgent />}
      {!isGone && tools.isPending && (
        <Loading what="the tools" heights={[32, 96, 240]} className={styles.loading} />
      )}
      {!isGone && tools.isError && tools.data === undefined && (
        <div className={styles.fault}>
          <ErrorNote error={tools.error} onRetry={() => void tools.refetch()}>
            <ButtonLink variant="plain" size="s" href={builder}>
              Open in builder
            </ButtonLink>
          </ErrorNote>
        </div>
      )}
      {!isGone && tools.data !== undefined && <Tools agentId={agentId} list={tools.data} chosen={tool} />}
    </main>
  )
}

interface ToolsProps {
  readonly agentId: string
  readonly list: TrialToolList
  readonly chosen: string | null
}

function Tools({ agentId, list, chosen }: ToolsProps) {
  const tool = list.items.find(({ name }) => name === chosen)
  const lost = list.lost.find((each) => each.tool === chosen)
  const unavailable = list.unavailable.find(({ name }) => name === chosen)
  useToolCommands(agentId, list)
  if (list.items.length + list.lost.length + list.unavailable.length === 0)
    return (
      <Empty icon="wrench" title="This agent has no tools. Add one in the builder, and try it here.">
        <ButtonLink variant="plain" href={builderHref(agentId)}>
          Open in builder
        </ButtonLink>
      </Empty>
    )
  return (
    <div className={styles.columns}>
      <ToolList agentId={agentId} list={list} chosen={chosen} />
      <section className={styles.tool} aria-label={chosen ?? 'No tool chosen'}>
        {tool !== undefined && (
          <Suspense>
            <ToolView key={tool.name} agentId={agentId} tool={tool} threadId={list.threadId} />
          </Suspense>
        )}
        {tool === undefined && unavailable !== undefined && (
          <Empty icon="ban" title={`${unavailable.name} is not available now.`}>
            <p>
              <SettingsWords text={unavailable.reason} />
            </p>
          </Empty>
        )}
        {tool === undefined && chosen !== null && unavailable === undefined && lost === undefined && (
          <Empty icon="wrench" title={`The draft has no tool called ${chosen.slice(0, 100)}.`}>
            <ButtonLink variant="plain" href={toolHref(agentId)}>
              All its tools
            </ButtonLink>
          </Empty>
        )}
        {tool === undefined && unavailable === undefined && lost !== undefined && (
          <LostMock agentId={agentId} tool={lost.tool} />
        )}
        {chosen === null && (
          <Empty icon="wrench" title="Choose a tool to try it, or to mock it in runs of the draft." />
        )}
      </section>
    </div>
  )
}

function LostMock({ agentId, tool }: { agentId: string; tool: string }) {
  const router = useRouter()
  const removal = useLostMock(agentId, tool)
  return (
    <>
      <Empty icon="triangle-alert" title={`The draft has no tool called ${tool.slice(0, 100)}.`}>
        <p>Its mock is kept, and answers again once a tool has this name.</p>
        <Button
          icon="trash-2"
          disabled={removal.isPending}
          onClick={() => removal.mutate(undefined, { onSuccess: () => router.replace(toolHref(agentId)) })}
        >
          Remove the mock
        </Button>
      </Empty>
      {removal.isError && <ErrorNote error={removal.error} />}
    </>
  )
}

/** Each tool can be found in the palette of commands. */
function useToolCommands(agentId: string, { items }: TrialToolList) {
  const router = useRouter()
  const commands = useMemo(
    () =>
      items.slice(0, 200).map(({ name }) => ({
        id: `tool.open.${name}`,
        label: `Try ${name}`,
        group: 'Tools',
        icon: 'play',
        run: () => router.push(toolHref(agentId, name)),
      })),
    [items, agentId, router],
  )
  useCommands(commands)
}
