'use client'
/** The builder: palette, canvas, inspector, trace and run box round one drawing. */
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type CSSProperties, useCallback, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { Canvas } from '#components/canvas/canvas'
import { GraphProvider, useGraph, useGraphStore } from '#components/canvas/graph-context'
import { createGraphStore } from '#components/canvas/graph-store'
import { Inspector } from '#components/inspector/inspector'
import { drawnModel, withModel } from '#components/models/drawn'
import type { ModelEntry } from '#components/models/entry'
import { Palette } from '#components/palette/palette'
import { RunBox } from '#components/trace/run-box'
import { useRun } from '#components/trace/run-context'
import { TraceDock } from '#components/trace/trace-dock'
import { Tabs } from '#components/ui/tabs'
import type { AgentView } from '#lib/http/agents'
import { api } from '#lib/http/client'
import type { Catalog } from '#lib/spec/catalog'
import { type Autosave, isSafe } from './autosave'
import styles from './builder.module.css'
import { BuilderBar } from './builder-bar'
import { ConflictDialog } from './conflict-dialog'
import { samplesOf, titleOf } from './samples'
import { useAutosave } from './use-autosave'
import { useBuilderKeys } from './use-builder-keys'

export function Builder({ agent, catalog }: { agent: AgentView; catalog: Catalog }) {
  const [store] = useState(() => createGraphStore({ graph: agent.graph, catalog }))
  const autosave = useAutosave(agent, store)
  return (
    <GraphProvider store={store}>
      <ReactFlowProvider>
        <Regions agentId={agent.id} autosave={autosave} />
      </ReactFlowProvider>
    </GraphProvider>
  )
}

const sides = [
  { id: 'inspector', label: 'Inspector' },
  { id: 'chat', label: 'Chat' },
]

/** Room for the question field and three samples, px. */
const leastChat = 188

function chatHeight(px: number): CSSProperties {
  return { '--chat-h': `${px}px` } as CSSProperties // cast: React's type knows no custom properties
}

function Regions({ agentId, autosave }: { agentId: string; autosave: Autosave }) {
  useBuilderKeys()
  useOriginsOfRun()
  const [side, setSide] = useState('inspector')
  const [dock, setDock] = useState(leastChat)
  const title = useGraph((state) => titleOf(state.history.present, state.catalog))
  return (
    <main className={styles.builder} data-side={side} style={chatHeight(Math.max(dock, leastChat))}>
      <h1 className={styles.unseen}>{title}</h1>
      <BuilderBar agentId={agentId} title={title} autosave={autosave} />
      <div className={styles.palette}>
        <Palette />
      </div>
      <div className={styles.canvas}>
        <Canvas />
      </div>
      <div className={styles.sideTabs}>
        <Tabs tabs={sides} value={side} onChange={setSide} label="Side" />
      </div>
      <div className={styles.inspector}>
        <Inspector />
      </div>
      <Dock onHeight={setDock} />
      <div className={styles.chat}>
        <Chat agentId={agentId} autosave={autosave} />
      </div>
      <ConflictDialog agentId={agentId} autosave={autosave} />
    </main>
  )
}

function Dock({ onHeight }: { onHeight(height: number): void }) {
  const store = useGraphStore()
  const flow = useReactFlow()
  const diagnostics = useGraph((state) => state.compiled.diagnostics)
  const show = useCallback(
    (node: string) => {
      store.getState().select({ nodes: [node] })
      void flow.fitView({ nodes: [{ id: node }], maxZoom: 1, minZoom: 0.6, duration: 160 })
    },
    [store, flow],
  )
  return (
    <div className={styles.dock}>
      <TraceDock diagnostics={diagnostics} onSelectNode={show} onHeight={onHeight} />
    </div>
  )
}

function Chat({ agentId, autosave }: { agentId: string; autosave: Autosave }) {
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const errors = useGraph((state) =>
    state.compiled.diagnostics.reduce((sum, each) => sum + (each.severity === 'error' ? 1 : 0), 0),
  )
  const isBlocked = useStore(autosave.state, (state) => !isSafe(state))
  const edit = useGraph((state) => state.edit)
  const samples = useMemo(() => samplesOf(graph, catalog), [graph, catalog])
  const model = useMemo(() => drawnModel(graph, catalog), [graph, catalog])
  const draw = (entry: ModelEntry) => void edit((drawn, parts) => withModel(drawn, entry, parts))
  return (
    <RunBox
      agentId={agentId}
      canRun={errors === 0 && !isBlocked}
      reason={reasonOf(errors, isBlocked)}
      samples={samples}
      model={model}
      onModel={draw}
      onBeforeRun={autosave.flush}
    />
  )
}

function reasonOf(errors: number, isBlocked: boolean): string | undefined {
  if (errors > 0)
    return errors === 1
      ? 'One error stands under Problems. Mend it to run.'
      : `${errors} errors stand under Problems. Mend them to run.`
  return isBlocked ? 'What is drawn is not saved, so it cannot run.' : undefined
}

/** While a run is shown, cards are found by the paths of the config it started from, not by those of a later edit. */
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
