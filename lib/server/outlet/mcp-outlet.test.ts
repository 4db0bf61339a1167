import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { NewAgentKey } from '#lib/wire/agent-keys'
import { mostRunning } from '../door/key-limits'
import { ask, type House, openHouse } from '../house.fixture'
import { type HttpHouse, serveApi } from './http.fixture'

let house: House
let http: HttpHouse
const clients: Client[] = []
beforeEach(async () => {
  house = openHouse()
  http = await serveApi()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await http.close()
  await house.end()
})

/** Publishes an agent that plays these turns. */
function publish(turns: readonly object[], more: JsonObject = {}, pace: JsonObject = {}): string {
  const config = {
    name: 'helper',
    title: 'Helper',
    description: 'Helps with everything.',
    model: { provider: 'scripted', name: 'script', turns: [...turns], ...pace },
    tools: [{ use: 'builtin', tools: ['math.*', 'time.*', 'files.*'] }],
    ...more,
  }
  const { id } = house.app.agents.create({ config } as Parameters<typeof house.app.agents.create>[0]) // cast: a config of this test
  house.app.agents.publish(id, {})
  return id
}

function newKey(agentId: string, more: object = {}): NewAgentKey {
  return house.app.keys.create(agentId, { name: 'k', use: 'mcp', ...more })
}

type Era = 'legacy' | '2026-07-28'

/** What the client's person replies to each form; without it, the client cannot be asked. */
type Person = (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>

async function connect(key: string, era: Era, person?: Person): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } },
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
    },
  )
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => person(params))
  clients.push(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${http.url}/api/mcp/helper`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('') // cast: the tool answers with text
const structured = (result: unknown) =>
  (result as { structuredContent: { runId: string; threadId: string; status: string; output?: unknown } })
    .structuredContent // cast: by the output schema of the tool

/** An answer that takes so long that a test can act meanwhile. */
const slow = { text: 'word '.repeat(2_000) }
const slowly = { paceMs: 20 }
const runs = () => house.app.runs.list({}).items
async function statusOf(status: string) {
  await expect.poll(() => runs()[0]?.status, { timeout: 5_000 }).toBe(status)
}

describe.each<Era>(['legacy', '2026-07-28'])('an agent over MCP, for a client of %s', (era) => {
  test('is one tool that answers with text, its run and its thread, and continues a thread', async () => {
    const client = await connect(newKey(publish([{ text: 'Hello.' }])).key, era)
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: 'helper', title: 'Helper', description: 'Helps with everything.' }])
    const first = await client.callTool({ name: 'helper', arguments: { question: 'Hi' } })
    expect([textOf(first), structured(first).status]).toEqual(['Hello.', 'completed'])
    const { threadId } = structured(first)
    const second = await client.callTool({
      name: 'helper',
      arguments: { question: 'And?', thread: threadId },
    })
    expect(structured(second).threadId).toBe(threadId)
    expect(runs().map((run) => [run.agent.version, run.threadId])).toEqual([
      [1, threadId],
      [1, threadId],
    ])
  })

  test('answers with the output of its schema', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const client = await connect(newKey(publish([{ text: '{"sum":4}' }], { output: { schema } })).key, era)
    const result = await client.callTool({ name: 'helper', arguments: { question: '2+2?' } })
    expect(structured(result).output).toEqual({ sum: 4 })
  })

  test('reports progress as steps happen', async () => {
    const calls = [{ name: 'math.calculate', args: { expression: '6*7' } }]
    const client = await connect(newKey(publish([{ calls }, { text: '42' }])).key, era)
    const heard: (string | undefined)[] = []
    await client.callTool(
      { name: 'helper', arguments: { question: '6*7?' } },
      { onprogress: ({ message }) => void heard.push(message) },
    )
    expect(heard).toEqual(['Step 1.', 'Calls math.calculate.', 'Step 2.'])
  })

  test('a question that cannot be asked is an answer that says why', async () => {
    const client = await connect(newKey(publish([{ text: 'Hello.' }]), { runsPerDay: 1 }).key, era)
    const ask = (args: JsonObject) => client.callTool({ name: 'helper', arguments: args })
    const lost = await ask({ question: 'Hi', thread: 'thread_of_others' })
    expect([lost.isError, textOf(lost)]).toEqual([true, 'There is no such thread.'])
    await ask({ question: 'Hi' })
    const over = await ask({ question: 'Hi' })
    expect([over.isError, textOf(over)]).toEqual([true, 'This key has used its 1 runs of today (UTC).'])
  })

  test('the client’s cancel stops the run', async () => {
    const client = await connect(newKey(publish([slow], {}, slowly)).key, era)
    const stop = new AbortController()
    const call = client.callTool({ name: 'helper', arguments: { question: 'Hi' } }, { signal: stop.signal })
    call.catch(() => undefined)
    await statusOf('running')
    stop.abort()
    await expect(call).rejects.toThrow()
    await statusOf('cancelled')
  })

  test('a run that waits for a person says so with its link, and the call goes on once it is decided', async () => {
    const calls = [{ name: 'math.calculate', args: { expression: '6*7' } }]
    const policies = [{ use: 'approval', appliesTo: ['math.*'] }]
    const client = await connect(newKey(publish([{ calls }, { text: 'Done.' }], { policies })).key, era)
    const heard: string[] = []
    const call = client.callTool(
      { name: 'helper', arguments: { question: 'Go' } },
      { onprogress: ({ message = '' }) => void heard.push(message) },
    )
    await statusOf('waiting')
    const [run] = runs()
    await expect
      .poll(() => heard.at(-1))
      .toBe(`Waits for a person to decide on math.calculate (http://127.0.0.1:3000/runs/${run?.id}).`)
    await house.app.runs.decide(run?.id ?? '', run?.pending[0]?.callId ?? '', { decision: 'approve' })
    expect(textOf(await call)).toBe('Done.')
  })
})

/** An agent that asks a person, and then says that it is done. */
function publishAsking(args: JsonObject, more: JsonObject = {}): string {
  const turns = [{ calls: [{ name: 'human.ask', args }] }, { text: 'Done.' }]
  return publish(turns, { tools: [{ use: 'builtin', tools: ['human.*', 'math.*'] }], ...more })
}

/** What was replied to the questions of a run. */
async function repliesIn(runId: string): Promise<JsonObject[]> {
  const events: JsonObject[] = []
  for await (const stored of house.app.runs.watch(runId, 0, AbortSignal.timeout(5_000)))
    if (stored !== 'beat') events.push(JSON.parse(stored.json))
  return events.filter(({ type }) => type === 'input.given')
}

describe.each<Era>(['legacy', '2026-07-28'])('a question of the agent, to a client of %s', (era) => {
  test('is put to the person of a client that shows forms, and the call goes on with the reply', async () => {
    const seen: ElicitRequest['params'][] = []
    const client = await connect(
      newKey(publishAsking({ question: 'Which day?', choices: ['Monday', 'Friday'] })).key,
      era,
      (params) => {
        seen.push(params)
        return { action: 'accept', content: { answer: 'Friday' } }
      },
    )
    const heard: (string | undefined)[] = []
    const result = await client.callTool(
      { name: 'helper', arguments: { question: 'Plan it.' } },
      { onprogress: ({ message }) => void heard.push(message) },
    )
    expect(textOf(result)).toBe('Done.')
    expect(seen).toMatchObject([
      { message: 'Which day?', requestedSchema: { properties: { answer: { enum: ['Monday', 'Friday'] } } } },
    ])
    expect(runs()).toHaveLength(1)
    expect(await repliesIn(structured(result).runId)).toMatchObject([
      { action: 'answer', text: 'Friday', by: 'person' },
    ])
    expect(heard.filter((each) => each === 'Step 1.')).toHaveLength(1)
    expect(heard.slice(-2)).toEqual(['A person replied.', 'Step 2.'])
  })

  test('is asked again, with the reason, when the reply does not fit its form', async () => {
    const form = {
      type: 'object',
      properties: { guests: { type: 'integer', maximum: 9 } },
      required: ['guests'],
    }
    const messages: string[] = []
    const client = await connect(
      newKey(publishAsking({ question: 'How many?', form })).key,
      era,
      (params) => {
        messages.push(params.message)
        return { action: 'accept', content: { guests: messages.length === 1 ? 10 : 3 } }
      },
    )
    const result = await client.callTool({ name: 'helper', arguments: { question: 'Plan it.' } })
    expect(textOf(result)).toBe('Done.')
    expect(messages).toEqual(['How many?', expect.stringMatching(/\n\nHow many\?$/)])
    expect(await repliesIn(structured(result).runId)).toMatchObject([{ values: { guests: 3 } }])
  })

  test('may be declined', async () => {
    const declining = await connect(newKey(publishAsking({ question: 'Which day?' })).key, era, () => ({
      action: 'decline',
    }))
    const declined = await declining.callTool({ name: 'helper', arguments: { question: 'Plan it.' } })
    expect(await repliesIn(structured(declined).runId)).toMatchObject([{ action: 'decline' }])
  })

  test('an answer that the operator gives meanwhile counts', async () => {
    const client = await connect(newKey(publishAsking({ question: 'Which day?' })).key, era, async () => {
      const [{ id = '', pending = [] } = {}] = runs()
      await house.app.runs.reply(id, pending[0]?.callId ?? '', { text: 'Sunday' })
      return { action: 'accept', content: { answer: 'Monday' } }
    })
    const result = await client.callTool({ name: 'helper', arguments: { question: 'Plan it.' } })
    expect(textOf(result)).toBe('Done.')
    expect(await repliesIn(structured(result).runId)).toMatchObject([{ text: 'Sunday' }])
  })

  test('an approval is never put to a client', async () => {
    const policies = [{ use: 'approval', appliesTo: ['human.*'] }]
    const person = vi.fn(() => ({ action: 'decline' as const }))
    const client = await connect(newKey(publishAsking({ question: 'Which?' }, { policies })).key, era, person)
    const call = client.callTool({ name: 'helper', arguments: { question: 'Go' } })
    await statusOf('waiting')
    const [run] = runs()
    expect(run?.pending).toMatchObject([{ kind: 'approval' }])
    expect(person).not.toHaveBeenCalled()
    await house.app.runs.decide(run?.id ?? '', run?.pending[0]?.callId ?? '', { decision: 'approve' })
    expect(textOf(await call)).toBe('Done.')
    expect(person).toHaveBeenCalledOnce()
  })
})

describe('a question of the agent', () => {
  test('stays with the operator when the client shows no forms', async () => {
    const client = await connect(newKey(publishAsking({ question: 'Which day?' })).key, 'legacy')
    const call = client.callTool({ name: 'helper', arguments: { question: 'Plan it.' } })
    await statusOf('waiting')
    const [run] = runs()
    await house.app.runs.reply(run?.id ?? '', run?.pending[0]?.callId ?? '', { text: 'Sunday' })
    expect(textOf(await call)).toBe('Done.')
  })

  test('the client’s cancel while its person is asked stops the run', async () => {
    const stop = new AbortController()
    const client = await connect(newKey(publishAsking({ question: 'Which day?' })).key, 'legacy', () => {
      stop.abort()
      return new Promise<ElicitResult>(() => {})
    })
    const call = client.callTool({ name: 'helper', arguments: { question: 'Hi' } }, { signal: stop.signal })
    await expect(call).rejects.toThrow()
    await statusOf('cancelled')
  })

  test('is answered only with the key that began its run', async () => {
    const agentId = publishAsking({ question: 'Which day?' })
    const [mine, theirs] = [newKey(agentId), newKey(agentId)]
    const client = await connect(mine.key, '2026-07-28')
    client.callTool({ name: 'helper', arguments: { question: 'Plan it.' } }).catch(() => undefined)
    await statusOf('waiting')
    const [run] = runs()
    const inputId = run?.pending[0]?.input?.inputId
    const request = {
      method: 'tools/call' as const,
      params: {
        name: 'helper',
        arguments: { question: 'Plan it.' },
        requestState: JSON.stringify({ runId: run?.id, after: 0 }),
        inputResponses: {
          [JSON.stringify([run?.pending[0]?.callId, inputId])]: {
            action: 'accept',
            content: { answer: 'Mine' },
          },
        },
      },
    }
    const stranger = await connect(theirs.key, '2026-07-28', () => ({ action: 'decline' }))
    const refused = await stranger.request(request)
    expect(textOf(refused)).toBe('The replies belong to no run of this key. Ask the question again.')
    expect(house.app.runs.get(run?.id ?? '').status).toBe('waiting')
    const broken = { ...request, params: { ...request.params, requestState: '{"runId":7}' } }
    expect(textOf(await client.request(broken))).toContain('Ask the question again.')
  })
})

describe('the endpoint of an agent', () => {
  const post = (headers: Record<string, string> = {}) =>
    ask('/api/mcp/{name}', { method: 'POST', params: { name: 'helper' }, body: {}, headers })

  test('is off until the agent has a key of use mcp, and then answers only to that', async () => {
    const agentId = publish([{ text: 'Hello.' }])
    const api = house.app.keys.create(agentId, { name: 'k', use: 'api' })
    expect((await post()).status).toBe(404)
    expect((await post({ authorization: `Bearer ${api.key}` })).status).toBe(403)
    const { key, id } = newKey(agentId)
    expect((await post()).status).toBe(401)
    expect((await post({ authorization: `Bearer ${key}` })).status).toBe(400)
    house.app.keys.revoke(agentId, id)
    expect([(await post()).status, (await post({ authorization: `Bearer ${key}` })).status]).toEqual([
      404, 401,
    ])
  })

  test('answers bad JSON in the form of the protocol', async () => {
    const { key } = newKey(publish([{ text: 'Hello.' }]))
    const answer = await ask('/api/mcp/{name}', {
      method: 'POST',
      params: { name: 'helper' },
      body: '{"jsonrpc":',
      headers: { authorization: `Bearer ${key}` },
    })
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, -32_700])
  })

  test('a connection of an earlier revision that breaks does not stop the run', async () => {
    const client = await connect(newKey(publish([{ text: 'word '.repeat(40) }], {}, slowly)).key, 'legacy')
    const call = client.callTool({ name: 'helper', arguments: { question: 'Hi' } })
    call.catch(() => undefined)
    await statusOf('running')
    await http.close()
    await statusOf('completed')
  })

  test('two clients of one key with the same ids cancel only their own calls', async () => {
    const { key } = newKey(publish([slow], {}, slowly))
    const [one, two] = [await connect(key, 'legacy'), await connect(key, 'legacy')]
    const stop = new AbortController()
    const calls = [one, two].map((client, index) =>
      client.callTool(
        { name: 'helper', arguments: { question: `${index}` } },
        index === 0 ? { signal: stop.signal } : {},
      ),
    )
    for (const call of calls) call.catch(() => undefined)
    await expect.poll(() => runs().filter(({ status }) => status === 'running').length).toBe(2)
    stop.abort()
    await expect
      .poll(() =>
        runs()
          .map(({ input, status }) => `${input} ${status}`)
          .toSorted(),
      )
      .toEqual(['0 cancelled', '1 running'])
  })

  test('a key has at most so many runs under way', async () => {
    const client = await connect(newKey(publish([slow], {}, slowly)).key, 'legacy')
    const call = () => client.callTool({ name: 'helper', arguments: { question: 'Hi' } })
    for (let n = 0; n < mostRunning; n += 1) call().catch(() => undefined)
    await expect.poll(() => runs().length).toBe(mostRunning)
    const over = await call()
    expect([over.isError, textOf(over)]).toEqual([
      true,
      `This key has ${mostRunning} runs under way. Wait until one has ended.`,
    ])
  })
})
