/** API calls that the journeys make outside the screen: create agents, begin runs, read events. */
import { expect, test } from '@playwright/test'

export interface StreamedEvent {
  readonly id: string
  readonly type: string
  readonly data: { readonly seq: number; readonly type: string; readonly [key: string]: unknown }
}

/** JSON in, JSON out; fails the test on any status but the expected one. */
export async function call<T>(
  url: string,
  body?: unknown,
  { method, status }: { method?: string; status?: number } = {},
): Promise<T> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await response.text()
  expect(response.status, `${url} answered ${text.slice(0, 400)}`).toBe(
    status ?? (body === undefined ? 200 : 201),
  )
  return JSON.parse(text === '' ? 'null' : text)
}

export interface Turn {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly args: object }[]
  readonly fault?: object
}

export interface AgentFile {
  readonly name: string
  readonly [part: string]: unknown
}

/** An agent with a scripted model; its tool calls are real. */
export function scriptedConfig(name: string, turns: readonly Turn[], more: object = {}): AgentFile {
  return {
    name,
    model: { provider: 'scripted', name: 'script', turns },
    tools: [{ use: 'builtin', tools: ['math.*', 'time.now'] }],
    policies: [{ use: 'steps', max: 1000 }],
    ...more,
  }
}

/** An agent with two tools and a policy: four wires. */
export function smallConfig(name: string): AgentFile {
  return {
    name,
    model: { provider: 'scripted', name: 'demo' },
    tools: [
      { use: 'builtin', tools: ['math.calculate'] },
      { use: 'builtin', tools: ['time.now'] },
    ],
    policies: [{ use: 'steps' }],
  }
}

/** An agent with the given number of tools, and of policies for the first of them. */
export function largeConfig(name: string, counts: { tools: number; policies: number }): AgentFile {
  const tools = Array.from({ length: counts.tools }, (_, n) => ({
    use: 'code',
    name: `part_${n}`,
    description: `Part ${n}.`,
    source: 'return 1',
  }))
  const policies = Array.from({ length: counts.policies }, (_, n) => ({
    use: 'results',
    appliesTo: [`part_${n}`],
    maxChars: 1_000 + n,
  }))
  return scriptedConfig(name, [{ text: 'Nothing.' }], { tools, policies })
}

/** On a retry, or if a test is repeated, the agent created earlier under this name is deleted. */
export async function createAgent(url: string, config: AgentFile): Promise<string> {
  const { retry, repeatEachIndex } = test.info()
  if (retry + repeatEachIndex > 0) await removeAgent(url, config.name)
  return (await call<{ id: string }>(`${url}/api/agents`, { config })).id
}

async function removeAgent(url: string, name: string): Promise<void> {
  const { items } = await call<{ items: { id: string; name: string }[] }>(`${url}/api/agents`)
  for (const { id } of items.filter((each) => each.name === name))
    await call(`${url}/api/agents/${id}`, undefined, { method: 'DELETE', status: 204 })
}

export async function begin(url: string, agentId: string, input: string): Promise<string> {
  return (await call<{ id: string }>(`${url}/api/agents/${agentId}/runs`, { input })).id
}

/** Resolves once the oldest run of the agent has made at least two more steps. */
export async function goesOn(url: string, agent: string): Promise<void> {
  const steps = async () =>
    (await call<{ items: { steps: number }[] }>(`${url}/api/runs?agent=${agent}`)).items.at(-1)?.steps ?? 0
  const before = await steps()
  await expect.poll(steps).toBeGreaterThan(before + 1)
}

/** Reads the run's stream from after `after` until it ends, or until `enough` returns true. */
export async function readStream(
  url: string,
  runId: string,
  after: number,
  enough?: (events: readonly StreamedEvent[]) => boolean,
): Promise<StreamedEvent[]> {
  const stop = new AbortController()
  const events: StreamedEvent[] = []
  try {
    const response = await fetch(`${url}/api/runs/${runId}/events`, {
      headers: { accept: 'text/event-stream', ...(after > 0 && { 'last-event-id': `${runId}:${after}` }) },
      signal: stop.signal,
    })
    if (response.status === 204 || response.body === null) return events
    expect(response.status).toBe(200)
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      // cast: Node's own fetch bodies are async iterables, but the DOM type does not say so
      rest += decoder.decode(bytes, { stream: true })
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = readFrame(frame)
        if (event !== undefined) events.push(event)
        if (enough?.(events)) return events
      }
    }
  } catch (error) {
    if (enough === undefined) throw error
  } finally {
    stop.abort()
  }
  return events
}

function readFrame(frame: string): StreamedEvent | undefined {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', type: fields.get('event') ?? '', data: JSON.parse(data) }
}

/** 1, 2, 3 …: no gap, no duplicate. */
export function expectWhole(events: readonly StreamedEvent[]): void {
  expect(events.map((each) => each.data.seq)).toEqual(events.map((_, index) => index + 1))
}
