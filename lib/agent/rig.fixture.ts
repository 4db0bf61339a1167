/** For tests of the loop: a clock that jumps to the next timer, a model that plays turns, plain tools. */

import type { EventOf, EventType, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { FinishReason, ModelChunk, ModelClient, ModelRequest } from '#lib/spec/model'
import type { BoundPolicy, Limits, PolicyQuestion, Ruling, Stage, ToolLimits } from '#lib/spec/policy'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { Codec } from '#lib/spec/protocol'
import type { RunStart, RunState } from '#lib/spec/state'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'
import type { BoundTool, DescribedTool } from '#lib/spec/toolkit'
import type { Clock, RunDeps } from './deps'
import { offer } from './request/offer'
import { run } from './run'
import { fold, start } from './state/fold'

interface Timer {
  readonly at: number
  readonly ring: () => void
}

/** Time does not move while other work can continue; then it jumps to the next timer. */
export function createClock(): Clock & { readonly sleeps: number } {
  const epoch = 1_760_000_000_000
  let time = 0
  let sleeps = 0
  let isTicking = false
  const timers = new Set<Timer>()
  const tick = () => {
    isTicking = false
    let first: Timer | undefined
    for (const each of timers) if (first === undefined || each.at < first.at) first = each
    if (first === undefined) return
    timers.delete(first)
    time = Math.max(time, first.at)
    first.ring()
    arm()
  }
  const arm = () => {
    if (isTicking || timers.size === 0) return
    isTicking = true
    setImmediate(tick)
  }
  return {
    get sleeps() {
      return sleeps
    },
    now: () => epoch + time,
    monotonic: () => time,
    sleep(ms, signal) {
      sleeps += 1
      return new Promise<void>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const abort = () => {
          timers.delete(timer)
          reject(signal.reason)
        }
        const ring = () => {
          signal.removeEventListener('abort', abort)
          resolve()
        }
        const timer: Timer = { at: time + ms, ring }
        timers.add(timer)
        signal.addEventListener('abort', abort)
        arm()
      })
    },
  }
}

/** A chunk, a pause between chunks, or a stop that only an abort ends. */
export type Beat = ModelChunk | { readonly waitMs: number } | 'hang'
export type Turn = readonly Beat[]

interface Said {
  readonly id?: string
  readonly name: string
  readonly args?: JsonObject | string
}

export const usage = { input: 10, output: 5 }

export function text(...words: string[]): Turn {
  return [...words.map((word): Beat => ({ type: 'text', text: word })), finish('stop')]
}

export function finish(reason: FinishReason): Beat {
  return { type: 'finish', reason, usage }
}

/** The chunks of calls, given by name or with arguments, without the finish chunk. */
export function saying(...calls: (string | Said)[]): Beat[] {
  return calls.flatMap((call, index): Beat[] => {
    const { id, name, args = {} } = typeof call === 'string' ? { id: undefined, name: call } : call
    const raw = typeof args === 'string' ? args : JSON.stringify(args)
    const half = Math.ceil(raw.length / 2)
    return [
      {
        type: 'call.start',
        index,
        name: name.replaceAll('.', '_'),
        ...(id === undefined ? {} : { wireId: id }),
      },
      { type: 'call.args', index, text: raw.slice(0, half) },
      { type: 'call.args', index, text: raw.slice(half) },
      { type: 'call.end', index },
    ]
  })
}

export function calls(...said: (string | Said)[]): Turn {
  return [...saying(...said), finish('calls')]
}

export interface Played extends ModelRequest {
  readonly body: string
}

export interface ModelStandIn extends ModelClient {
  readonly requests: Played[]
}

/** Plays the turn of the current step; a function may look at the whole request. */
export function createModel(
  play: readonly Turn[] | ((request: ModelRequest) => Turn),
  clock: Clock,
): ModelStandIn {
  const requests: Played[] = []
  return {
    provider: 'stand-in',
    name: 'turns',
    requests,
    encode: (request) => JSON.stringify(request),
    async *stream(body, signal) {
      const request: ModelRequest = JSON.parse(body)
      requests.push({ ...request, body })
      const turn = typeof play === 'function' ? play(request) : play[request.step - 1]
      for (const beat of turn ?? text('nothing more to say')) {
        if (beat === 'hang')
          await new Promise<never>((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        else if ('waitMs' in beat) await clock.sleep(beat.waitMs, signal)
        else yield beat
      }
    },
  }
}

/** Native calls, with dots replaced by underscores on the wire. */
export function createCodec(tools: readonly DescribedTool[]): Codec {
  const wireOf = (name: string) => name.replaceAll('.', '_')
  const names = new Map(tools.map((tool) => [wireOf(tool.name), tool.name]))
  const offered = tools.map(({ name, description, parameters }) => ({
    name,
    wire: { name: wireOf(name), description, parameters },
  }))
  return {
    format: 'native',
    resultPlacement: 'tool_message',
    offered,
    encode: ({ instructions, messages, offerTools, toolChoice }) => ({
      instructions,
      messages,
      tools: offerTools ? offered.map((each) => each.wire) : [],
      ...(toolChoice === undefined
        ? {}
        : { toolChoice: typeof toolChoice === 'string' ? toolChoice : { tool: wireOf(toolChoice.tool) } }),
    }),
    decoder: (listener) => ({
      push: (chunk) =>
        listener.hear(
          chunk.type === 'call.start' ? { ...chunk, name: names.get(chunk.name) ?? chunk.name } : chunk,
        ),
      end: () => {},
    }),
    over: createCodec,
  }
}

export interface ToolStandIn extends BoundTool {
  /** Call ids in the order in which the bodies began. */
  readonly ran: string[]
}

type Run = (args: JsonObject, context: ToolContext) => ToolOutput | Promise<ToolOutput>

export function createTool(
  name: string,
  given: Partial<Omit<BoundTool, 'run' | 'name'>> & { run?: Run } = {},
): ToolStandIn {
  const { run: body = () => said('done'), ...rest } = given
  const ran: string[] = []
  return {
    name,
    scopeName: name,
    node: 'tools/0',
    source: 'builtin',
    description: `does ${name}`,
    parameters: { type: 'object' },
    risk: 'read',
    effect: 'read',
    timeoutSeconds: 30,
    ...rest,
    ran,
    async run(args, context) {
      ran.push(context.callId)
      return body(args, context)
    },
  }
}

export function said(value: string): ToolOutput {
  return { ok: true, blocks: [{ type: 'text', text: value }] }
}

interface PolicyGiven {
  readonly appliesTo?: readonly string[]
  readonly stages?: readonly Stage[]
  rule?(stage: Stage, question: PolicyQuestion): Ruling | undefined
  limit?(limits: Limits): void
  limitTool?(limits: ToolLimits): void
}

export function createPolicy(use: string, node: string, given: PolicyGiven): BoundPolicy {
  return { use, node, stages: [], rule: () => undefined, limit() {}, limitTool() {}, ...given }
}

export function denying(...names: string[]): BoundPolicy {
  return createPolicy('skills', 'policies/0', {
    stages: ['skills.deny'],
    rule: (_, { tool }) =>
      names.includes(tool.name) ? { verdict: 'deny', reason: `skills denies ${tool.name}` } : undefined,
  })
}

export function limiting(limits: Partial<Limits>): BoundPolicy {
  return createPolicy('limits', 'policies/1', { limit: (all) => void Object.assign(all, limits) })
}

export interface Given {
  readonly play: readonly Turn[] | ((request: ModelRequest) => Turn)
  readonly tools?: readonly BoundTool[]
  readonly policies?: readonly BoundPolicy[]
  readonly deps?: Partial<RunDeps>
}

export interface Rig {
  readonly deps: RunDeps
  readonly model: ModelStandIn
  readonly clock: ReturnType<typeof createClock>
}

export function createRig({ play, tools = [], policies = [], deps = {} }: Given): Rig {
  const clock = createClock()
  const model = createModel(play, clock)
  return {
    clock,
    model,
    deps: {
      model,
      codec: createCodec(offer(tools, policies).offered),
      tools,
      policies,
      instructions: 'Be brief.',
      ports: closedPorts,
      clock,
      hash: digest,
      committed: async () => {},
      modelTimeoutSeconds: 300,
      ...deps,
    },
  }
}

/** Tells texts apart. The loop does not need a real hash. */
export function digest(value: string): string {
  let hash = 0
  for (let index = 0; index < value.length; index++)
    hash = (Math.imul(hash, 31) + value.charCodeAt(index)) | 0
  return (hash >>> 0).toString(16)
}

export const question: RunStart = {
  agent: { id: 'agent_1', name: 'tester', version: 'draft', configHash: 'c0ffee' },
  input: 'How much?',
  threadId: 'thread_1',
  historyThrough: null,
  history: [],
}

export function fresh(begin: Partial<RunStart> = {}): RunState {
  return start({ ...question, ...begin })
}

export function replay(events: readonly RunEvent[], begin: Partial<RunStart> = {}): RunState {
  return events.reduce(fold, fresh(begin))
}

/** Runs to the end. `on` sees each event and may abort the controller. */
export async function collect(
  deps: RunDeps,
  {
    state = fresh(),
    on,
    controller = new AbortController(),
    resumed,
  }: {
    state?: RunState
    on?: (event: RunEvent, controller: AbortController) => void
    controller?: AbortController
    resumed?: 'crash' | 'drain' | 'decided'
  } = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run(state, deps, controller.signal, resumed)) {
    events.push(event)
    on?.(event, controller)
  }
  return events
}

/** Calls and results that do not pair up in the messages of a request; empty when all do. */
export function unpaired(messages: readonly Message[]): string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  let due: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const expected = due.shift()
      if (expected !== message.callId)
        faults.push(`result of ${message.callId} where ${expected ?? 'none'} is due`)
      continue
    }
    if (due.length > 0) faults.push(`no result for ${due.join()}`)
    due = []
    if (message.role !== 'assistant') continue
    for (const part of message.parts) {
      if (part.type !== 'call') continue
      if (ids.has(part.id)) faults.push(`${part.id} stands twice`)
      ids.add(part.id)
      due.push(part.id)
    }
  }
  if (due.length > 0) faults.push(`no result for ${due.join()}`)
  return faults
}

export function of<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type)
}

/** The single end of a run, which must be its last event. */
export function endOf(events: readonly RunEvent[]): EventOf<'run.finished'> {
  const ends = of(events, 'run.finished')
  const [end] = ends
  if (end === undefined || ends.length > 1 || events.at(-1) !== end)
    throw new Error(`a run has one end, not ${ends.length}`)
  return end
}

export function typesOf(events: readonly RunEvent[]): EventType[] {
  return events.map((event) => event.type)
}
