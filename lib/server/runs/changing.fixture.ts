/** For tests: a toolkit that turns a tool on and off between steps, and a tool whose call is a run of its own. */
import { z } from 'zod'
import { run } from '#lib/agent/run'
import { start } from '#lib/agent/state/start'
import type { Parts } from '#lib/spec/config'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import { refuse, text, tool } from '#lib/spec/tool'
import type { Toolkit } from '#lib/spec/toolkit'
import { assemble } from '../agents/assemble'
import { systemClock } from '../clock'
import { offline } from '../environment/surroundings.fixture'
import { productParts } from '../parts'
import { depsOf } from './run-deps'
import { scriptOf } from './run-house.fixture'

/** Holds `on` while the tool is switched on, so that it stays so when the server is killed. */
const switchFile = 'switch.txt'

const flip = tool({
  name: 'extra.switch',
  label: 'Switch',
  description: 'Switches extra.look on or off.',
  icon: 'box',
  risk: 'write',
  effect: 'idempotent',
  input: z.object({ on: z.boolean() }),
  async run({ on }, { ports }) {
    const written = await ports.files.write(switchFile, on ? 'on' : 'off')
    return written.ok ? text(on ? 'on' : 'off') : refuse(written.message)
  },
})

const look = tool({
  name: 'extra.look',
  label: 'Look',
  description: 'Offered only while it is switched on.',
  icon: 'box',
  risk: 'read',
  input: z.object({ at: z.string() }),
  run: async ({ at }) => text(`saw ${at}`),
})

/** The agent inside `extra.nest` calls a tool and answers, slowly enough to be killed between its events. */
const inside = scriptOf([{ calls: [{ name: 'time.now', args: {} }] }, { text: 'Inside it is noon.' }], {
  tools: [{ use: 'builtin', tools: ['time.now'] }],
})

const nest = tool({
  name: 'extra.nest',
  label: 'Nest',
  description: 'Asks an agent.',
  icon: 'box',
  risk: 'write',
  effect: 'idempotent',
  input: z.object({}),
  async run(_, { inner, signal }) {
    const assembled = await assemble(inside, offline)
    if (!assembled.ok || inner === undefined) return refuse('The agent inside cannot run.')
    const agent = { id: null, name: 'inside', version: 'draft' as const, configHash: '' }
    const begin = { agent, input: 'What time?', threadId: null, historyThrough: null, history: [] }
    const state = inner.state() ?? start(begin)
    const ports = { ports: closedPorts, clock: systemClock }
    const deps = depsOf(ports, assembled.value, () => inner.committed())
    for await (const event of run(state, deps, signal)) inner.record(event)
    return text(state.answer ?? '')
  },
})

const always = [flip, nest]
const withLook = [look, flip, nest]

const changing: Toolkit = {
  id: 'changing',
  label: 'Changing tools',
  help: '',
  icon: 'box',
  family: 'tool',
  settings: z.object({ name: z.string() }),
  scope: { name: 'name' },
  open: async () => always,
  async now(_, { files }) {
    const found = await files.read(switchFile)
    const isOn = found.ok && new TextDecoder().decode(found.value) === 'on'
    return isOn
      ? { tools: withLook, reason: 'the switch is on' }
      : { tools: always, reason: 'the switch is off' }
  },
}

export const changingParts: Parts = { ...productParts, toolkits: [...productParts.toolkits, changing] }

interface ChangingTurn {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject }[]
}

/** The tool comes, is called next to a run inside a call, goes, and is refused. */
export const changingTurns: readonly ChangingTurn[] = [
  { calls: [{ name: 'extra.switch', args: { on: true } }] },
  {
    calls: [
      { name: 'extra.look', args: { at: 'the sea' } },
      { name: 'extra.nest', args: {} },
    ],
  },
  { calls: [{ name: 'extra.switch', args: { on: false } }] },
  { calls: [{ name: 'extra.look', args: { at: 'the sky' } }] },
  { text: 'done' },
]

/** @param model a model behind a wire; by default the turns are played within the program */
export function changingConfig(format: string, model?: JsonObject): JsonObject {
  const turns = changingTurns.map(({ text: words, calls }): JsonObject => {
    return { ...(words !== undefined && { text: words }), ...(calls && { calls: [...calls] }) }
  })
  const config = scriptOf(turns, { protocol: { format }, tools: [{ use: 'changing', name: 'extra' }] })
  return model === undefined ? config : { ...config, model }
}
