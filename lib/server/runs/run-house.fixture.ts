/** For tests of runs: a database in its own folder, the real engine, and tools that record their calls. */
import path from 'node:path'
import { openStores } from '#db/open'
import { agentRow, temporaryFolder } from '#db/rows.fixture'
import { offer } from '#lib/agent/request/offer'
import { request, requestPictures } from '#lib/agent/request/rerequest'
import { run } from '#lib/agent/run'
import { fold } from '#lib/agent/state/fold'
import { start } from '#lib/agent/state/start'
import { protocols } from '#lib/protocols'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { Stores } from '#lib/spec/store'
import type { Effect, ToolContext, ToolOutput } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Assembled, assemble } from '../agents/assemble'
import { createCatalog } from '../agents/catalog'
import { systemClock } from '../clock'
import { offline } from '../environment/surroundings.fixture'
import { type Artifacts, createArtifacts } from '../files/artifacts'
import { createThreadFiles, type Workspaces } from '../files/thread-files'
import type { LoopFunctions } from './loop-functions'
import { sha256 } from './run-config'
import { createRuns, type Runs } from './runs'
import type { RunsContext } from './runs-context'

export const engine: LoopFunctions = { start, fold, run, request, requestPictures }
export const catalog = createCatalog('0.0.0')

/** A config whose model plays `turns`. */
export function scriptOf(turns: JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    name: 'scripted-agent',
    model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
    ...more,
  }
}

export interface House {
  readonly stores: Stores
  readonly runs: Runs
  readonly artifacts: Artifacts
  readonly files: Workspaces
  /** Call ids of the bodies that ran, in order. */
  readonly ran: string[]
  /** Every reported fault of the server. */
  readonly faults: unknown[]
  /** Adds an agent with this config; returns its id. */
  agent(config: JsonObject, name?: string): string
  /** Waits until the run is finished; returns the seqs that its reader saw. */
  end(runId: string): Promise<number[]>
  /** A second server on the same file, after this one is gone. */
  reopen(change?: Partial<RunsContext>): House
  leave(): Promise<void>
}

export interface Given extends Partial<RunsContext> {
  readonly folder?: string
  /** Bodies by tool name; each becomes a tool of that name, next to the tools of the config. */
  readonly bodies?: Record<string, { effect: Effect; run(context: ToolContext): Promise<ToolOutput> }>
}

export function openHouse({ folder, bodies = {}, ...change }: Given = {}): House {
  const place = folder === undefined ? temporaryFolder() : { folder, remove: () => {} }
  const stores = change.stores ?? openStores(path.join(place.folder, 'loopwright.db'))
  const ran: string[] = []
  const faults: unknown[] = []
  const artifacts = createArtifacts({
    stores,
    folder: path.join(place.folder, 'artifacts'),
    clock: systemClock,
  })
  const files = createThreadFiles({ stores, artifacts, folder: path.join(place.folder, 'workspaces') })
  const runs = createRuns({
    stores,
    catalog,
    engine,
    clock: systemClock,
    ports: () => closedPorts,
    artifacts,
    workspaces: files,
    assemble: async (text) => {
      const assembled = await assemble(text, offline)
      return assembled.ok ? { ok: true, value: withTools(assembled.value, bodies, ran) } : assembled
    },
    report: (error) => faults.push(error),
    ...change,
  })
  return {
    stores,
    runs,
    artifacts,
    files,
    ran,
    faults,
    agent: (config, name = 'scripted-agent') => {
      const text = `${JSON.stringify({ ...config, name }, null, 2)}\n`
      const row = agentRow({ id: `agent_${name}`, name, config: text, configHash: sha256(text) })
      stores.agents.insert(row)
      return row.id
    },
    end: async (runId) => {
      const seqs: number[] = []
      for await (const frame of runs.watch(runId, 0, new AbortController().signal))
        if (frame !== 'beat') seqs.push(frame.seq)
      return seqs
    },
    reopen: (next = {}) => openHouse({ ...change, bodies, folder: place.folder, ...next }),
    leave: async () => {
      await runs.drain(2_000)
      stores.close()
      place.remove()
    },
  }
}

function withTools(assembled: Assembled, bodies: NonNullable<Given['bodies']>, ran: string[]): Assembled {
  const tools = Object.entries(bodies).map(
    ([name, body]): BoundTool => ({
      name,
      scopeName: name,
      node: 'tools/0',
      source: 'test',
      description: name,
      parameters: { type: 'object' },
      risk: body.effect === 'read' ? 'read' : 'write',
      effect: body.effect,
      timeoutSeconds: 30,
      run: (_args, context) => {
        ran.push(context.callId)
        return body.run(context)
      },
    }),
  )
  const all = [...tools, ...assembled.tools]
  const [native] = protocols
  if (native === undefined) throw new Error('no protocol')
  const { offered } = offer(all, assembled.policies)
  return { ...assembled, tools: all, codec: native.open(offered, 'tool_message') }
}
