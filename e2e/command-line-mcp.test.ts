/** Serves an agent's file over standard input and output, in a process of its own, to the client of the SDK. */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { root } from '../lib/setup/place.mjs'
import { isDeep } from './test-depth'

const program = path.join(root, 'lib/setup/bin.mjs')

let place: ReturnType<typeof temporaryFolder>
const clients: Client[] = []
beforeAll(() => {
  place = temporaryFolder()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})
afterAll(() => place.remove())

/** Writes an agent that plays these turns; returns the arguments that serve it. */
function agentFile(turns: readonly object[], more: object = {}): string[] {
  const file = path.join(place.folder, `${Math.random()}.json`)
  const model = { provider: 'scripted', name: 'script', turns, ...('paceMs' in more && { paceMs: 20 }) }
  const { paceMs: _, ...rest } = { paceMs: 0, ...more }
  const config = { name: 'helper', title: 'Helper', description: 'Helps.', model, ...rest }
  fs.writeFileSync(file, JSON.stringify(config))
  return [program, 'mcp', file]
}

const environment = () => ({
  NODE_ENV: 'production' as const,
  LOOPWRIGHT_DATA: path.join(place.folder, 'own'),
})

type Mode = 'legacy' | 'auto'
const modes: readonly Mode[] = isDeep ? ['legacy', 'auto'] : ['auto']

async function connect(
  args: readonly string[],
  mode: Mode = 'legacy',
  person?: (message: string) => ElicitResult,
): Promise<Client> {
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities })
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => person(params.message))
  clients.push(client)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd: place.folder,
    env: environment(),
    stderr: 'ignore',
  })
  await client.connect(transport)
  return client
}

interface Answer {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: { readonly threadId: string; readonly status: string }
}

async function ask(client: Client, args: Record<string, unknown>, more: object = {}): Promise<Answer> {
  const result = await client.callTool({ name: 'helper', arguments: args }, more)
  return result as unknown as Answer // cast: the tool answers with text, by its output schema
}

const textOf = ({ content }: Answer) => content.map(({ text }) => text).join('')

const asking = [
  [{ calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] }, { text: 'It is 42.' }],
  {
    tools: [{ use: 'builtin', tools: ['math.*'] }],
    policies: [{ use: 'approval', appliesTo: ['math.*'] }],
  },
] as const

describe('loopwright mcp', () => {
  test.each(modes)('serves the agent as one tool to a client in mode %s @deep', async (mode) => {
    const client = await connect(agentFile([{ text: 'Hello.' }, { text: 'Again.' }]), mode)
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: 'helper', title: 'Helper', description: 'Helps.' }])
    const first = await ask(client, { question: 'Hi' })
    expect([textOf(first), first.structuredContent.status]).toEqual(['Hello.', 'completed'])
    const { threadId } = first.structuredContent
    const second = await ask(client, { question: 'And?', thread: threadId })
    expect(second.structuredContent.threadId).toBe(threadId)
    const lost = await ask(client, { question: 'And?', thread: 'thread_of_others' })
    expect([lost.isError, textOf(lost)]).toEqual([true, 'There is no such thread.'])
  })

  test('rejects calls that a person would have to approve, unless --yes approves them', async () => {
    const args = agentFile(...asking)
    const heard: string[] = []
    const onprogress = ({ message = '' }: { message?: string }) => void heard.push(message)
    expect(textOf(await ask(await connect(args), { question: '6*7?' }, { onprogress }))).toBe('It is 42.')
    expect(heard).toContain('The call was rejected.')
    heard.length = 0
    await ask(await connect([...args, '--yes']), { question: '6*7?' }, { onprogress })
    expect(heard).toContain('Calls math.calculate.')
  })

  test.runIf(isDeep).each(modes)(
    'questions of the agent go to the person of a client in mode %s that shows forms, and are declined otherwise @deep',
    async (mode) => {
      const form = { type: 'object', properties: { guests: { type: 'integer', maximum: 9 } } }
      const calls = [
        { name: 'human.ask', args: { question: 'Which day?' } },
        { name: 'human.ask', args: { question: 'How many?', form } },
      ]
      const tools = [{ use: 'builtin', tools: ['human.*'] }]
      const turns = [...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]
      const asked: string[] = []
      const client = await connect(agentFile(turns, { tools }), mode, (message): ElicitResult => {
        asked.push(message)
        if (message === 'Which day?') return { action: 'accept', content: { answer: 'Friday' } }
        return { action: 'accept', content: { guests: asked.length === 2 ? 10 : 3 } }
      })
      const heard: string[] = []
      const onprogress = ({ message = '' }: { message?: string }) => void heard.push(message)
      expect(textOf(await ask(client, { question: 'Plan it.' }, { onprogress }))).toBe('Done.')
      expect(asked).toEqual(['Which day?', 'How many?', expect.stringMatching(/How many\?$/)])
      expect(heard.filter((each) => each === 'A person replied.')).toHaveLength(2)

      const other = await connect(agentFile(turns, { tools }), mode)
      expect(textOf(await ask(other, { question: 'Plan it.' }))).toBe('Done.')
    },
  )

  test('the client’s cancel stops the run, and the server goes on', async () => {
    const client = await connect(agentFile([{ text: 'word '.repeat(2_000) }], { paceMs: 20 }))
    const stop = new AbortController()
    const call = ask(client, { question: 'Hi' }, { signal: stop.signal, onprogress: () => stop.abort() })
    await expect(call).rejects.toThrow()
    expect((await client.listTools()).tools).toHaveLength(1)
  })

  test('writes messages of the protocol and nothing else, and ends on Ctrl-C and with its input', async () => {
    for (const end of ['SIGINT', 'input'] as const) {
      const child = start(agentFile([{ text: 'Hello.' }]))
      const initialize = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }
      const params = { name: 'helper', arguments: { question: 'Hi' } }
      child.send({ id: 1, method: 'initialize', params: initialize })
      child.send({ method: 'notifications/initialized' })
      child.send({ id: 2, method: 'tools/call', params })
      await expect.poll(() => child.lines().length, { timeout: 20_000 }).toBe(2)
      expect(child.lines().map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
        ['2.0', 1],
        ['2.0', 2],
      ])
      if (end === 'input') child.process.stdin?.end()
      else child.process.kill(end)
      expect(await child.code).toBe(0)
      expect(child.said()).toContain('Serving helper over standard input and output.')
    }
  })

  test('says what is wrong with its arguments and file', async () => {
    const none = start([program, 'mcp'])
    expect([await none.code, none.lines()]).toEqual([2, []])
    expect(none.said()).toContain('The agent’s file is missing.')
    const input = start([program, 'mcp', '-'])
    expect(await input.code).toBe(2)
    expect(input.said()).toContain('Standard input is for the protocol.')
    const bad = start(agentFile([], { tools: [{ use: 'no-such-kind' }] }))
    expect([await bad.code, bad.lines()]).toEqual([2, []])
  })
})

interface Started {
  readonly process: ChildProcess
  readonly code: Promise<number | null>
  send(message: object): void
  /** Standard output so far, as messages. */
  lines(): { jsonrpc: string; id?: number }[]
  /** Standard error so far. */
  said(): string
}

function start(args: readonly string[]): Started {
  const child = spawn(process.execPath, args, {
    cwd: place.folder,
    env: { PATH: process.env.PATH ?? '', ...environment() },
    stdio: 'pipe',
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return {
    process: child,
    code: new Promise((resolve) => child.once('close', resolve)),
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    lines: () =>
      out
        .split('\n')
        .filter((each) => each !== '')
        .map((each) => JSON.parse(each)),
    said: () => err,
  }
}
