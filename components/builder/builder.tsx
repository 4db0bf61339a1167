'use client'
/** The builder: palette or outline, canvas, inspector, trace and run box around one drawing. */
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import dynamic from 'next/dynamic'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { WaitingCards } from '#components/approval/waiting-cards'
import { Canvas } from '#components/canvas/canvas'
import { isOverPage, isTyping } from '#components/commands/typing'
import { api } from '#components/data/client'
import { RunBox } from '#components/dialogue/run-box'
import { samplesOf, titleOf } from '#components/dialogue/sample-questions'
import { type Autosave, isSafe } from '#components/drawing/autosave'
import { DrawnAgentContext } from '#components/drawing/drawn-agent'
import { GraphProvider, useGraph, useGraphStore } from '#components/drawing/graph-context'
import { createGraphStore } from '#components/drawing/graph-store'
import { useAutosave } from '#components/drawing/use-autosave'
import { useShow } from '#components/drawing/use-show'
import { DryRunProvider } from '#components/dry-run/dry-run-provider'
import { Inspector } from '#components/inspector/inspector'
import { drawnModel, withModel } from '#components/models/drawn'
import type { ModelEntry } from '#components/models/entry'
import { Announcer } from '#components/outline/announcer'
import { ComingPalette } from '#components/palette/coming-palette'
import { compiledByServer, findingsOf, refusedSettings } from '#components/problems/findings'
import { ShowEntryProvider } from '#components/problems/show-entry'
import { useRun, useRunStore } from '#components/run/run-context'
import { isUnderWay } from '#components/run/run-store'
import { Tour } from '#components/tour/tour'
import shared from '#components/ui/shared.module.css'
import { Tabs } from '#components/ui/tabs'
import { useFrames } from '#components/ui/use-frames'
import { useLatest } from '#components/ui/use-latest'
import { oneColumn, sharedColumn, useMedia } from '#components/ui/use-media'
import { usePageTitle } from '#components/ui/use-page-title'
import { useRemembered } from '#components/ui/use-remembered'
import { VersionChip } from '#components/versions/version-chip'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentView } from '#lib/wire/agents'
import styles from './builder.module.css'
import { BuilderBar, RemoveDialog } from './builder-bar'
import { BuilderLoading } from './builder-loading'
import { type LeftSide, SideColumn } from './side-column'
import { TraceDock } from './trace-dock'
import { useBuilderActions } from './use-builder-actions'
import { useBuilderCommands } from './use-builder-commands'
import { useBuilderEntries } from './use-builder-entries'
import { inspectNow, leaveInspector, reviewNow } from './walk-regions'

// Loaded when they are first opened.
const VersionsDialog = dynamic(
  () => import('#components/versions/versions-dialog').then((each) => each.VersionsDialog),
  { ssr: false },
)
const ConflictDialog = dynamic(() => import('./conflict-dialog').then((each) => each.ConflictDialog), {
  ssr: false,
})
const PublishDialog = dynamic(() => import('./publish-dialog').then((each) => each.PublishDialog), {
  ssr: false,
})

export function Builder({ agent, catalog }: { agent: AgentView; catalog: Catalog }) {
  const [store] = useState(() =>
    createGraphStore({ graph: agent.graph, catalog, compiled: compiledByServer(agent) }),
  )
  const autosave = useAutosave(agent, store)
  // As a deferred value, so that the first render of the whole page is done in many short tasks.
  const isOpen = useDeferredValue(true, false)
  if (!isOpen) return <BuilderLoading />
  return (
    <GraphProvider store={store}>
      <DrawnAgentContext value={agent.id}>
        <ReactFlowProvider>
          <Ways agentId={agent.id}>
            <Regions agent={agent} autosave={autosave} />
          </Ways>
        </ReactFlowProvider>
      </DrawnAgentContext>
    </GraphProvider>
  )
}

/** Provides the links from a call or ruling to its node and to a dry run. */
function Ways({ agentId, children }: { agentId: string; children: ReactNode }) {
  const store = useGraphStore()
  const show = useShow()
  const paths = useGraph((state) => state.paths)
  const showEntry = useMemo(() => {
    const nodes = new Map([...paths].map(([node, path]) => [path, node]))
    return (path: string) => {
      const node = nodes.get(path)
      const stands = store.getState().history.present.nodes.some(({ id }) => id === node)
      return node === undefined || !stands ? undefined : () => show(node)
    }
  }, [paths, store, show])
  return (
    <ShowEntryProvider value={showEntry}>
      <DryRunProvider agentId={agentId} onShow={show}>
        {children}
      </DryRunProvider>
    </ShowEntryProvider>
  )
}

const sides = [
  { id: 'inspector', label: 'Inspector' },
  { id: 'chat', label: 'Chat' },
]

const views = [
  { id: 'drawing', label: 'Drawing' },
  { id: 'inspector', label: 'Agent' },
  { id: 'chat', label: 'Run' },
]
/** While something is chosen, its settings are where the agent's are otherwise. */
const viewsOfChosen = views.map((each) => (each.id === 'inspector' ? { ...each, label: 'Inspector' } : each))

/** Px: room for the question field and three samples. */
const leastChat = 188

function chatHeight(px: number): CSSProperties {
  return { '--chat-h': `${px}px` } as CSSProperties // cast: React's type has no custom properties
}

function Regions({ agent, autosave }: { agent: AgentView; autosave: Autosave }) {
  useOriginsOfRun()
  const regions = useFrames(3)
  const [isSearching, setSearching] = useState(false)
  const search = useCallback(() => setSearching(true), [])
  // A wide window always shows the drawing and, to its right, the inspector.
  const [side, setSide] = useState('drawing')
  const [left, setLeft] = useLeftSide()
  const [dock, setDock] = useState(leastChat)
  const [emptyTrace, setEmptyTrace] = useState<HTMLElement | null>(null)
  const [beside, setBeside] = useState<HTMLElement | null>(null)
  const isConflict = useStore(autosave.state, ({ at }) => at === 'conflict')
  const [isVersions, setVersions] = useState(false)
  const openVersions = () => setVersions(true)
  const title = useGraph((state) => titleOf(state.history.present, state.catalog))
  usePageTitle(title)
  const doing = useBuilderActions(agent.id, autosave)
  const isNarrow = useMedia(oneColumn)
  const show = useShowIn(isNarrow ? () => setSide('drawing') : null)
  const hasChosen = useGraph(({ selection }) => selection.nodes.length + selection.edges.length > 0)
  const { asked, isRenaming, setRenaming, isRemoving, setRemoving, isPublishing, setPublishing } =
    useBuilderCommands({
      autosave,
      actions: doing.actions,
      onChat: () => setSide('chat'),
      onOutline: () => setLeft('outline'),
      onInspect: () => setSide('inspector'),
      onVersions: openVersions,
    })
  useBuilderEntries(show)
  const onInspectorKey = useLeaveOnEscape()
  const inspect = () => {
    setSide('inspector')
    inspectNow()
  }
  return (
    <main className={styles.builder} data-side={side} style={chatHeight(Math.max(dock, leastChat))}>
      <h1 className={shared.unseen}>{title}</h1>
      <BuilderBar
        agentId={agent.id}
        title={title}
        autosave={autosave}
        doing={doing}
        asked={asked}
        isRenaming={isRenaming}
        onRename={setRenaming}
        onRemove={() => setRemoving(true)}
        onVersions={openVersions}
        onPublish={() => setPublishing(true)}
        version={<VersionChip agentId={agent.id} onOpen={openVersions} />}
      />
      <div className={styles.palette}>
        {regions > 1 ? (
          <SideColumn
            side={left}
            isSearching={isSearching}
            onSide={setLeft}
            onInspect={inspect}
            onShow={show}
          />
        ) : (
          <ComingPalette onSearch={search} />
        )}
      </div>
      <div className={styles.canvas} data-tour="canvas">
        {regions > 0 && <Canvas />}
      </div>
      <div className={styles.sideTabs}>
        {isNarrow ? (
          <Tabs
            tabs={hasChosen ? viewsOfChosen : views}
            value={side}
            onChange={setSide}
            label="Views of the page"
          />
        ) : (
          <Tabs tabs={sides} value={side === 'chat' ? 'chat' : 'inspector'} onChange={setSide} label="Side" />
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only catches Escape from the fields inside */}
      <div className={styles.inspector} onKeyDown={onInspectorKey}>
        {regions > 2 && <Inspector />}
        <div ref={setBeside} className={styles.beside} />
      </div>
      <Dock
        agent={agent}
        autosave={autosave}
        onShow={show}
        onHeight={setDock}
        onEmpty={setEmptyTrace}
        beside={beside}
        onBeside={() => setSide('inspector')}
      />
      <div className={styles.chat} data-tour="run">
        <Chat agentId={agent.id} autosave={autosave} samplesAt={emptyTrace} onShow={show} />
      </div>
      <Announcer />
      <Tour />
      {isConflict && <ConflictDialog agentId={agent.id} autosave={autosave} />}
      {isVersions && (
        <VersionsDialog agentId={agent.id} autosave={autosave} onClose={() => setVersions(false)} />
      )}
      {isPublishing && (
        <PublishDialog agentId={agent.id} autosave={autosave} onClose={() => setPublishing(false)} />
      )}
      {isRemoving && (
        <RemoveDialog title={title} onClose={() => setRemoving(false)} onRemove={doing.actions.remove} />
      )}
    </main>
  )
}

/** Escape leaves the inspector; during a run only from its fields, because elsewhere the key stops the run. */
function useLeaveOnEscape(): (event: KeyboardEvent) => void {
  const run = useRunStore()
  return useCallback(
    (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const { target } = event.nativeEvent
      // A dialog opened from here closes by itself and returns the focus.
      if (isOverPage(target)) return
      if (isUnderWay(run.getState()) && !isTyping(target)) return
      event.preventDefault()
      leaveInspector()
    },
    [run],
  )
}

/** The browser remembers which of the two a person uses. */
function useLeftSide(): [LeftSide, (side: LeftSide) => void] {
  const [kept, keep] = useRemembered('left')
  return [kept === 'outline' ? 'outline' : 'parts', keep]
}

/** Shows a node in the drawing, where that is a view of its own: `open` makes it the view. */
function useShowIn(open: (() => void) | null): (node: string) => void {
  const show = useShow()
  const latest = useLatest(open)
  return useCallback(
    (node) => {
      if (latest.current === null) return show(node)
      latest.current()
      // The canvas has its size back in the second frame.
      requestAnimationFrame(() => requestAnimationFrame(() => show(node)))
    },
    [show],
  )
}

interface DockProps {
  readonly agent: AgentView
  readonly autosave: Autosave
  onShow(node: string): void
  onHeight(height: number): void
  onEmpty(place: HTMLElement | null): void
  /** Where the details of a trace row open when the dock is low. */
  readonly beside: HTMLElement | null
  onBeside(): void
}

function Dock({ agent, autosave, onShow, ...dock }: DockProps) {
  const drawn = useGraph((state) => state.compiled.diagnostics)
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const view = useStore(autosave.view, (state) => state.agent) ?? agent
  const save = useStore(autosave.state)
  const diagnostics = useMemo(
    () => findingsOf({ drawn, view, save, graph, catalog }),
    [drawn, view, save, graph, catalog],
  )
  const store = useGraphStore()
  useEffect(() => store.getState().hear(refusedSettings(view)), [store, view])
  return (
    <div className={styles.dock} data-tour="trace">
      <TraceDock diagnostics={diagnostics} onSelectNode={onShow} {...dock} />
    </div>
  )
}

interface ChatProps {
  readonly agentId: string
  readonly autosave: Autosave
  readonly samplesAt: HTMLElement | null
  onShow(node: string): void
}

function Chat({ agentId, autosave, samplesAt, onShow }: ChatProps) {
  const isShared = useMedia(sharedColumn)
  const nodeAt = useGraph((state) => state.paths)
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const errors = useGraph((state) =>
    state.compiled.diagnostics.reduce((sum, each) => sum + (each.severity === 'error' ? 1 : 0), 0),
  )
  const isBlocked = useStore(autosave.state, (state) => !isSafe(state))
  const edit = useGraph((state) => state.edit)
  const samples = useMemo(() => samplesOf(graph, catalog), [graph, catalog])
  const model = useMemo(() => drawnModel(graph, catalog), [graph, catalog])
  const review = (path: string) => {
    const [node] = [...nodeAt].find(([, each]) => each === path) ?? []
    if (node !== undefined) onShow(node)
    reviewNow()
  }
  const draw = (entry: ModelEntry) => void edit((drawn, parts) => withModel(drawn, entry, parts))
  return (
    <RunBox
      agentId={agentId}
      canRun={errors === 0 && !isBlocked}
      reason={reasonOf(errors, isBlocked)}
      samples={samples}
      samplesAt={samplesAt}
      model={model}
      onModel={draw}
      onBeforeRun={autosave.flush}
      // Beside the chat, the inspector shows the calls that wait.
      {...(isShared ? { asks: <WaitingCards frame={styles.ask} /> } : { onReview: review })}
    />
  )
}

function reasonOf(errors: number, isBlocked: boolean): string | undefined {
  if (errors > 0)
    return errors === 1
      ? 'There is one error, listed under Problems. Fix it to run.'
      : `There are ${errors} errors, listed under Problems. Fix them to run.`
  return isBlocked ? 'The last changes are not saved, so it cannot run.' : undefined
}

/**
 * While a run is shown, cards are found by the paths of the config it started from, not by those of a later
 * edit.
 */
function useOriginsOfRun() {
  const follow = useGraph((state) => state.follow)
  const runId = useRun((run) => run.runId)
  const run = useQuery({
    queryKey: ['runs', runId, 'origins'],
    queryFn: ({ signal }) => api.runs.get(runId ?? '', signal),
    enabled: runId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const origins = run.data?.origins
  useEffect(() => follow(runId === null ? undefined : origins), [follow, runId, origins])
}
