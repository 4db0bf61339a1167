/** How the agents that a run may call are found, and how much work that is. */
import { describe, expect, it } from 'vitest'
import { start } from '#lib/agent/state/start'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { RunAgent } from '#lib/spec/run-agents'
import { assemble } from '../agents/assemble'
import { offline } from '../environment/surroundings.fixture'
import { agentsPort } from './child-runs'
import {
  agent,
  begin,
  call,
  calls,
  create,
  did,
  ended,
  house,
  playInScene,
  resultOf,
  say,
  until,
  uses,
} from './child-runs.fixture'

const named = (name: string) => ({ agent: name, version: 'published' }) as const

/** Agents by name, with the entries of each; counts how often one is assembled. */
function portOf(configs: Readonly<Record<string, JsonObject[]>>) {
  const assembled: string[] = []
  const agents = new Map(
    Object.entries(configs).map(([name, tools]): [string, RunAgent] => {
      const key = `${name}@published`
      const ref = { id: name, name, version: 1, configHash: '' }
      return [key, { key, agent: ref, config: JSON.stringify({ name, tools }), origins: {} }]
    }),
  )
  const port = agentsPort({
    engine: { start, run: async function* () {} },
    assemble: async (config) => {
      assembled.push(JSON.parse(config).name)
      return assemble(config, offline)
    },
    agents: () => agents,
    ports: () => closedPorts,
    folder: [],
    clock: { now: () => 0, monotonic: () => 0, sleep: async () => {} },
    report: (error) => {
      throw error
    },
  })
  return { port, assembled }
}

describe('the class of an agent that can be called (S1-24)', () => {
  it('is the highest of its own tools and of the agents that it calls itself, as deep as they go', async () => {
    const { port } = portOf({
      top: [agent('middle'), uses('math.calculate')],
      middle: [agent('deep')],
      deep: [uses('files.delete')],
      reader: [uses('math.calculate')],
    })
    const classOf = async (name: string) => {
      const found = await port.find(named(name))
      return typeof found === 'string' ? found : [found.risk, found.effect]
    }
    const deepest = await classOf('deep')
    expect(deepest).not.toEqual(await classOf('reader'))
    expect([await classOf('top'), await classOf('middle')]).toEqual([deepest, deepest])
    expect(await classOf('reader')).toEqual(['read', 'read'])
  })

  it('assembles each agent once, however many ways lead to it', async () => {
    const layer = (depth: number) => Array.from({ length: 6 }, (_, index) => `a${depth}-${index}`)
    const calling = (names: readonly string[]) => names.map((name) => agent(name))
    const { port, assembled } = portOf({
      ...Object.fromEntries(layer(1).map((name) => [name, calling(layer(2))])),
      ...Object.fromEntries(layer(2).map((name) => [name, calling(layer(3))])),
      ...Object.fromEntries(layer(3).map((name) => [name, [uses('math.calculate')]])),
    })
    for (const name of [...layer(1), ...layer(1)]) await port.find(named(name))
    expect(assembled).toHaveLength(18)
    expect(new Set(assembled).size).toBe(18)
  })

  it('a tool that has the name of an agent is not taken for it', async () => {
    // The tool of the inner entry is called deep, but it is the calculator.
    const { port, assembled } = portOf({
      top: [{ ...uses('math.calculate'), rename: { 'math.calculate': 'deep' } }],
      deep: [uses('files.delete')],
    })
    expect(await port.find(named('top'))).toMatchObject({ risk: 'read', effect: 'read' })
    expect(assembled).toEqual(['top'])
  })
})

describe('a tool name that the caller and the called agent share', () => {
  playInScene()

  it('means the tool of the agent that makes the call, also for what a person changes there', async () => {
    create('helper', {
      ...say(calls(call('note', { text: 'x' })), { text: 'ok' }),
      tools: [uses('note')],
      policies: [{ use: 'approval' }],
    })
    // The caller has a tool of this name as well, which takes no text.
    const lead = create('lead', {
      ...say(calls(call('helper', { task: 'Note.' })), { text: 'All done.' }),
      tools: [agent('helper'), { ...uses('ask_person'), rename: { ask_person: 'note' } }],
    })
    const id = begin(lead)
    const path = 'call_1_1/call_1_1'
    await until(() => house.app.runs.get(id).pending.some(({ callId }) => callId === path))
    const decide = (args: JsonObject) => house.app.runs.decide(id, path, { decision: 'approve', args })
    await expect(decide({})).rejects.toMatchObject({ code: 'unprocessable' })
    await decide({ text: 'better' })
    await ended(id)
    expect([did, resultOf(id, path)]).toEqual([['better'], expect.stringMatching(/noted better$/)])
  })
})
