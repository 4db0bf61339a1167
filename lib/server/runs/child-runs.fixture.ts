/** For tests of runs inside calls: a whole server, tools that leave a mark, and short ways to make agents that call each other. */
import { afterEach, beforeEach } from 'vitest'
import { z } from 'zod'
import { Decisions } from '#lib/agent/call/decisions'
import { fold } from '#lib/agent/state/fold'
import { callAt } from '#lib/agent/state/inner-path'
import { start } from '#lib/agent/state/start'
import type { EventOf, EventType } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { RunState } from '#lib/spec/state'
import { text, tool } from '#lib/spec/tool'
import { eventsIn, type House, openHouse } from '../house.fixture'
import { productParts } from '../parts'

/** What the bodies did, in order. */
export let did: string[] = []
/** Opened by the test to let `wait` end. */
export let gate: { open(): void; readonly isOpen: Promise<void> }

const note = tool({
  name: 'note',
  label: 'Note',
  description: 'Does something that cannot be undone.',
  icon: 'pencil',
  risk: 'write',
  input: z.object({ text: z.string() }),
  run: async ({ text: said }) => {
    did.push(said)
    return text(`noted ${said}`)
  },
})
const wait = tool({
  name: 'wait',
  label: 'Wait',
  description: 'Waits for the test.',
  icon: 'clock',
  risk: 'read',
  input: z.object({}),
  run: async (_, { callId, signal }) => {
    did.push(`waits ${callId}`)
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([gate.isOpen, aborted])
    return text('waited')
  },
})
const askPerson = tool({
  name: 'ask_person',
  label: 'Ask',
  description: 'Asks a person.',
  icon: 'message',
  risk: 'read',
  input: z.object({}),
  run: async (_, { answered }) =>
    answered === undefined
      ? { ok: 'asks', questions: [{ inputId: 'city', from: 'tool', question: 'Which city?' }] }
      : text(`the city is ${answered.replies.city?.text}`),
})
/** Calls helper, and ends once somebody says something, before the run inside has heard it. */
const hasty = tool({
  name: 'hasty',
  label: 'Hasty',
  description: 'Does not listen.',
  icon: 'clock',
  risk: 'read',
  input: z.object({}),
  run: async (_, { inner, ports, ...context }) => {
    const task = { agent: 'helper', version: 'published', workspace: 'own', task: 'Go.', files: [] } as const
    const deaf = inner && { ...inner, people: new Decisions() }
    const heard = new Promise<void>((resolve) => inner?.people.listen(resolve))
    const ended = ports.agents.run(task, { ...context, ...(deaf && { inner: deaf }) })
    return Promise.race([ended, heard.then(() => text('too late'))])
  },
})
const parts = { ...productParts, tools: [...productParts.tools, note, wait, askPerson, hasty] }

/** The server of the present test. */
export let house: House

/** Opens a server for each test of this file or group, and stops it afterwards. */
export function playInScene(): void {
  beforeEach(openScene)
  afterEach(() => house.end())
}

function openScene(): void {
  did = []
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  gate = { open, isOpen }
  house = openHouse({ parts })
}

/** Stops the server of the present test and starts another one over its data. */
export async function reopenScene(): Promise<void> {
  const { folder } = house
  await house.leave()
  house = openHouse({ parts, folder })
  house.recover()
}

export const say = (...turns: JsonObject[]): JsonObject => ({
  model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
})
export const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, args })
export const calls = (...each: JsonObject[]): JsonObject => ({ calls: each })
export const uses = (...tools: string[]): JsonObject => ({ use: 'builtin', tools })
export const agent = (name: string, more: JsonObject = {}): JsonObject => ({
  use: 'agent',
  agent: name,
  ...more,
})

/** Creates an agent; the last version is published unless it is to stay a draft. */
export function create(name: string, config: JsonObject, { publish = true } = {}): string {
  const { id, revision } = house.app.agents.create({ config: { name, ...config } })
  if (publish) house.app.agents.publish(id, { revision })
  return id
}

export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
}

export function begin(agentId: string): string {
  return house.app.runs.create({ agentId, input: 'Do it.' }).id
}
export const ended = (id: string) => until(() => house.app.runs.get(id).finishedAt !== null)
export const waiting = (id: string) => until(() => house.app.runs.get(id).status === 'waiting')

export async function run(agentId: string): Promise<string> {
  const id = begin(agentId)
  await ended(id)
  return id
}

export function all<T extends EventType>(id: string, type: T): EventOf<T>[] {
  return eventsIn(house.app.runs, id).filter((each): each is EventOf<T> => each.type === type)
}

export function stateOf(id: string): RunState {
  const begun = start({
    agent: house.app.runs.get(id).agent,
    input: '',
    threadId: null,
    historyThrough: null,
    history: [],
  })
  return eventsIn(house.app.runs, id).reduce<RunState>(fold, begun)
}

/** The result of a call of the run itself, or of one inside. */
export const resultOf = (id: string, path = 'call_1_1') => callAt(stateOf(id), path)?.result?.text

/** A child that answers at once, and a parent that gives it one task. */
export function pair(child: JsonObject, parent: JsonObject = {}): string {
  create('helper', child)
  return create('lead', {
    ...say(calls(call('helper', { task: 'Count the words.' })), { text: 'All done.' }),
    tools: [agent('helper')],
    ...parent,
  })
}
