/** Our own loop as a contender: the parts that a server runs with, on the job of every contender. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStores } from '#db/open'
import { agentRow } from '#db/rows.fixture'
import { offer } from '#lib/agent/request/offer'
import { request, requestPictures } from '#lib/agent/request/rerequest'
import { run } from '#lib/agent/run'
import { fold } from '#lib/agent/state/fold'
import { start } from '#lib/agent/state/start'
import { createBreakers } from '#lib/models/breaker'
import { protocols } from '#lib/protocols'
import { type Assembled, assemble, type Surroundings } from '#lib/server/agents/assemble'
import { createCatalog } from '#lib/server/agents/catalog'
import { systemClock } from '#lib/server/clock'
import { createOutbound } from '#lib/server/environment/outbound'
import { createArtifacts } from '#lib/server/files/artifacts'
import { createThreadFiles } from '#lib/server/files/thread-files'
import { sha256 } from '#lib/server/runs/run-config'
import { depsOf } from '#lib/server/runs/run-deps'
import { createRuns } from '#lib/server/runs/runs'
import { createRedact } from '#lib/server/secrets/redact'
import type { RunEvent } from '#lib/spec/event'
import type { JsonSchema } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { Tool } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { builtin } from '#lib/toolkits/builtin'
import { openEntry } from '#lib/toolkits/entry'

/** The input of a contender. */
interface Job {
  /** The address of the model server: `http://127.0.0.1:…`. */
  readonly base: string
  readonly model: string
  readonly system: string
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
    exec(args: unknown): Promise<string>
  }[]
}

interface Contender {
  /** Runs the job once; `hear` is called with every event, as a watcher of the run would be. */
  ask(question: string, hear: (event: RunEvent) => void): Promise<void>
  close(): Promise<void>
}

const key = 'sk-bench-0123456789'
const secrets = [[key]]

/** Without storage, and with no listener but `hear`: as the command line runs an agent's file. */
export async function openLoop(job: Job): Promise<Contender> {
  const { surroundings, close } = around(job)
  const assembled = await agentOf(job, configOf(job), surroundings)
  const deps = depsOf({ ports: closedPorts, clock: systemClock }, assembled, async () => {})
  const agent = { id: 'agent_bench', name: 'bench', version: 'draft', configHash: 'none' } as const
  return {
    async ask(input, hear) {
      const state = start({ agent, input, threadId: null, historyThrough: null, history: [] })
      for await (const event of run(state, deps, new AbortController().signal)) hear(event)
    },
    close,
  }
}

/**
 * Every event is on disk before its one watcher sees it: as the server runs an agent, from the request to the
 * last event.
 */
export async function openServer(job: Job): Promise<Contender> {
  const { surroundings, close } = around(job)
  const folder = mkdtempSync(path.join(process.env.BENCH_DATA ?? tmpdir(), 'bench-loop-'))
  const stores = openStores(path.join(folder, 'loopwright.db'))
  const config = configOf(job)
  stores.agents.insert(agentRow({ id: 'agent_bench', name: 'bench', config, configHash: sha256(config) }))
  const artifacts = createArtifacts({ stores, folder: path.join(folder, 'artifacts'), clock: systemClock })
  const runs = createRuns({
    stores,
    catalog: createCatalog('0.0.0'),
    engine: { start, fold, run, request, requestPictures },
    clock: systemClock,
    ports: () => closedPorts,
    artifacts,
    workspaces: createThreadFiles({ stores, artifacts, folder: path.join(folder, 'workspaces') }),
    assemble: async (text) => ({ ok: true, value: await agentOf(job, text, surroundings) }),
    concurrency: 64,
  })
  return {
    async ask(input, hear) {
      const { id } = runs.create({ agentId: 'agent_bench', input })
      for await (const frame of runs.watch(id, 0, new AbortController().signal))
        if (frame !== 'beat') hear(JSON.parse(frame.json))
    },
    async close() {
      await runs.drain(2_000)
      stores.close()
      rmSync(folder, { recursive: true })
      await close()
    },
  }
}

function around({ base }: Job): { surroundings: Surroundings; close(): Promise<void> } {
  const { fetch, post, close } = createOutbound()
  const breakers = createBreakers({ clock: systemClock })
  return {
    surroundings: {
      sleep: systemClock.sleep,
      endpoint: (name) => ({ name, baseUrl: `${base}/v1`, key }),
      fetch,
      post,
      breakerOf: ({ provider, model }) => breakers.of(provider, model),
      redact: createRedact(() => secrets),
    },
    close,
  }
}

function configOf({ model, system }: Job): string {
  const policies = [
    { use: 'steps', max: 1_000 },
    { use: 'execution', strategy: 'parallel' },
  ]
  return JSON.stringify({
    name: 'bench',
    instructions: system,
    model: { provider: 'openai', name: model },
    policies,
  })
}

/** The config's own parts, but with the tools of the job, bound as the built-in ones are. */
async function agentOf(job: Job, config: string, surroundings: Surroundings): Promise<Assembled> {
  const assembled = await assemble(config, surroundings)
  if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
  const tools = await toolsOf(job)
  const native = protocols.find(({ id }) => id === 'native')
  if (native === undefined) throw new Error('no native protocol')
  const { offered } = offer(tools, assembled.value.policies)
  return { ...assembled.value, tools, codec: native.open(offered, 'tool_message') }
}

async function toolsOf({ tools }: Job): Promise<BoundTool[]> {
  const made = tools.map(
    ({ name, description, parameters, exec }): Tool => ({
      name,
      label: name,
      description,
      icon: 'wrench',
      risk: 'read',
      effect: 'read',
      timeoutSeconds: 30,
      parameters,
      run: async (args) => ({ ok: true, blocks: [{ type: 'text', text: await exec(args) }] }),
    }),
  )
  const entry = { use: 'builtin', tools: made.map(({ name }) => name), preset: {} }
  const opened = await openEntry({ toolkit: builtin, entry, index: 0 }, { tools: made })
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  return opened.value
}
