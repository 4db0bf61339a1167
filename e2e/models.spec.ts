/**
 * Real provider wires: the retail analyst and a file-writing agent over OpenAI, Anthropic and an added
 * endpoint, and no key anywhere it must not be.
 */
import fs from 'node:fs'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type AgentFile, begin, call, createAgent, readStream } from './api'
import { test } from './journey'
import type { Behaviour } from './model-server/behaviour'
import { type ModelServer, startModelServer } from './model-server/model-server'
import { type OwnServer, ownServer } from './own-server'
import { deepOnly } from './test-depth'

const question = 'Which country brought the most revenue, and how much?'
const key = 'sk-planted-4f1c9a7e2b6d8035'
const root = path.resolve(__dirname, '..')

test.setTimeout(120_000)

/** Ends everything that the test started, however the test ends. */
const ends: (() => Promise<void>)[] = []
test.afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function modelServer(options: Parameters<typeof startModelServer>[0]): Promise<ModelServer> {
  const server = await startModelServer(options)
  ends.push(() => server.close())
  return server
}

async function started(env: Record<string, string> = {}): Promise<OwnServer> {
  const server = await ownServer(env)
  ends.push(() => server.dispose())
  await server.start()
  return server
}

async function provider(url: string, name: string, body: object): Promise<void> {
  await call(`${url}/api/providers/${name}`, body, { method: 'PUT', status: 200 })
}

interface Config {
  readonly [key: string]: unknown
}

/** The example from the repository, with another model and name. */
function example(file: string, name: string, model: object): AgentFile {
  const config: object = JSON.parse(fs.readFileSync(path.join(root, 'examples', file), 'utf8'))
  return { ...config, name, title: name, model }
}

async function finished(url: string, runId: string): Promise<Config> {
  await readStream(url, runId, 0)
  return await call<Config>(`${url}/api/runs/${runId}`)
}

const writing: readonly Behaviour[] = [
  {
    say: {
      text: 'I write it down.',
      calls: [{ name: 'files_create', args: { path: 'notes/list.md', content: '# Apples\n' } }],
    },
  },
  {
    say: {
      calls: [
        { name: 'files_str_replace', args: { path: 'notes/list.md', old_text: 'Apples', new_text: 'Pears' } },
      ],
    },
  },
  { say: { text: 'It stands in notes/list.md.' } },
]

const modelOf = {
  openai: { provider: 'openai', name: 'model-large' },
  anthropic: { provider: 'anthropic', name: 'model-large' },
  responses: { provider: 'openai-responses', name: 'model-large' },
  loopback: { provider: 'openai-compatible', endpoint: 'loopback', name: 'model-large' },
} as const
type Address = keyof typeof modelOf

let shared: OwnServer
test.beforeAll(async () => {
  shared = await ownServer()
  await shared.start()
})
test.afterAll(() => shared.dispose())

/**
 * The server that these tests share; from now on, all its provider addresses lead to the test's own model
 * server.
 */
async function connected(options: Parameters<typeof startModelServer>[0]) {
  const models = await modelServer({ key, ...options })
  const server = shared
  await provider(server.url, 'openai', { baseUrl: models.openaiUrl, key })
  await provider(server.url, 'anthropic', { baseUrl: models.anthropicUrl, key })
  await provider(server.url, 'loopback', { baseUrl: models.openaiUrl, key })
  return { models, server }
}

test(
  'S0-14 S1-29 the retail analyst finds the true figure over each wire and address, on screen',
  deepOnly,
  async ({ page }) => {
    const { models, server } = await connected({ behaviour: 'demo' })
    for (const address of Object.keys(modelOf) as Address[]) {
      const agent = await createAgent(
        server.url,
        example('retail-analyst.json', `analyst-${address}`, modelOf[address]),
      )
      await page.goto(`${server.url}/agents/${agent}`)
      await ask(page, question)
      await expect(page.getByTestId('answer')).toContainText('Germany')
      await expect(page.getByTestId('answer')).toContainText('3,734,218.75')
      await expect(page.getByText('is not an AI')).toHaveCount(0)
    }
    expect(models.requests.map((each) => each.refusal).filter(Boolean)).toEqual([])
    expect(new Set(models.requests.map((each) => each.wire))).toEqual(
      new Set(['openai', 'anthropic', 'responses']),
    )
  },
)

test(
  'an agent writes a file over each wire and address, and a person downloads it',
  deepOnly,
  async ({ page }) => {
    for (const address of Object.keys(modelOf) as Address[]) {
      const { server } = await connected({ behaviour: writing })
      const agent = await createAgent(server.url, {
        name: `writer-${address}`,
        model: modelOf[address],
        tools: [{ use: 'builtin', tools: ['files.*'] }],
      })
      await page.goto(`${server.url}/agents/${agent}`)
      await ask(page, 'Write my list.')
      await expect(page.getByTestId('answer')).toContainText('notes/list.md')
      const box = page.getByRole('region', { name: 'Run' })
      const downloading = page.waitForEvent('download')
      await box
        .getByRole('link', { name: /list\.md/ })
        .last()
        .click()
      const file = await (await downloading).path()
      expect(fs.readFileSync(file, 'utf8')).toBe('# Pears\n')
    }
  },
)

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(text)
  await page.keyboard.press('Enter')
  // A new server first creates the sample database and loads the provider's client.
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible({ timeout: 20_000 })
}

test(
  'a new server with OPENAI_BASE_URL answers by that model in three clicks',
  deepOnly,
  async ({ page }) => {
    const models = await modelServer({ behaviour: 'demo', models: ['loopback-large'] })
    const server = await started({ OPENAI_BASE_URL: models.openaiUrl })
    await page.goto(server.url)
    await page.getByRole('button', { name: /Use it in/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Retail analyst/ })
      .click()
    await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: question }).click()
    await expect(page.getByTestId('answer')).toContainText('Germany')
    expect(models.requests.length).toBeGreaterThan(1)
    expect(models.requests[0]?.body.model).toBe('loopback-large')
    expect(models.requests[0]?.headers.authorization).toBeUndefined()
  },
)

test(
  'T42 T44 a planted key stands in no answer, event, export, log, database file or bundle, and goes to its own address alone',
  deepOnly,
  async () => {
    const models = await modelServer({ behaviour: 'demo', key })
    const elsewhere = await modelServer({ behaviour: 'demo' })
    const server = await started({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: models.anthropicUrl })
    const { url } = server
    await provider(url, 'openai', { baseUrl: models.openaiUrl, key })
    await call(
      `${url}/api/secrets/WEATHER_KEY`,
      { value: key, origins: ['https://api.example.com'] },
      { method: 'PUT', status: 200 },
    )
    const said: string[] = []
    const keep = async (at: string, init?: RequestInit) => {
      const response = await fetch(`${url}${at}`, init)
      said.push(`${at} ${await response.text()}`)
    }
    for (const address of ['openai', 'anthropic'] as const) {
      const config = example('retail-analyst.json', `analyst-${address}`, modelOf[address])
      const agent = await createAgent(url, config)
      const run = await begin(url, agent, question)
      expect(await finished(url, run)).toMatchObject({ status: 'completed' })
      for (const at of ['', '/events', '/requests/1', '/requests/2']) await keep(`/api/runs/${run}${at}`)
      await keep(`/api/agents/${agent}`)
      await keep(`/api/agents/${agent}/export`)
    }
    for (const at of [
      'agents',
      'runs',
      'providers',
      'secrets',
      'settings',
      'models',
      'catalog',
      'threads',
      'databases',
    ])
      await keep(`/api/${at}`)
    await keep('/settings')
    await keep('/')
    const json = { 'content-type': 'application/json' }
    await keep('/api/providers/openai/test', { method: 'POST', headers: json, body: '{}' })
    // A refusal often repeats the refused key.
    const wrong = `${key}-but-wrong`
    await provider(url, 'added', { baseUrl: models.openaiUrl, key: wrong })
    await keep('/api/providers/added/test', { method: 'POST', headers: json, body: '{}' })
    // When the address changes, the key is not sent to the new one.
    await provider(url, 'openai', { baseUrl: elsewhere.openaiUrl })
    await keep('/api/providers/openai/test', { method: 'POST', headers: json, body: '{}' })
    const moved = await begin(
      url,
      await createAgent(url, example('retail-analyst.json', 'moved', modelOf.openai)),
      'x',
    )
    await finished(url, moved)
    await keep(`/api/runs/${moved}/events`)
    for (const each of elsewhere.requests) expect(JSON.stringify(each.headers)).not.toContain(key)

    expect(said.filter((each) => each.includes(key))).toEqual([])
    await server.stop('SIGTERM')
    expect(filesHolding(server.dataFolder, key)).toEqual([])
    expect(filesHolding(path.join(root, '.next', 'static'), key)).toEqual([])
    const mode = fs.statSync(path.join(server.dataFolder, 'secret.key')).mode & 0o777
    expect(mode).toBe(0o600)
  },
)

function filesHolding(folder: string, text: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(text))
}

test(
  'S2-19 a model is tested in Settings, and again where it is drawn, which then calls in the format recommended',
  deepOnly,
  async ({ page }) => {
    // For a person who knows the tour.
    await page.addInitScript(() => localStorage.setItem('loopwright:tour', 'left'))
    const inXml =
      '<function_calls>\n<invoke name="add">\n<parameter name="a">2</parameter>\n<parameter name="b">3</parameter>\n</invoke>\n</function_calls>'
    const { server } = await connected({
      behaviour: ({ text }) => ({ say: { text: text.includes('<function_calls>') ? inXml : 'It is 5.' } }),
    })
    await page.goto(`${server.url}/settings#models`)
    const row = page.getByRole('listitem', { name: 'OpenAI', exact: true })
    await row.getByRole('button', { name: 'Test', exact: true }).click()
    await row.getByRole('button', { name: 'Test a model' }).click()
    await row.getByRole('combobox', { name: 'Model' }).fill('model-small')
    await row.getByRole('combobox', { name: 'API' }).selectOption('OpenAI Responses')
    await row.getByRole('button', { name: 'Test this model' }).click()
    const formats = row.getByRole('table', { name: 'Formats' })
    await expect(row.getByRole('status').filter({ hasText: 'Take the format XML' })).toBeVisible()
    await expect(formats.getByRole('row', { name: /Native/ })).toContainText('do not')
    await expect(formats.getByRole('row', { name: /XML/ })).toContainText('add {"a":2,"b":3}')
    await expect(formats.getByRole('row', { name: /^JSON/ })).toContainText('do not')

    const agent = await createAgent(server.url, { name: 'adder', model: modelOf.loopback })
    await page.goto(`${server.url}/agents/${agent}`)
    await page.locator('.react-flow__node[data-id^="model"]').click()
    await page.getByRole('button', { name: 'Test this model' }).click()
    await page.getByRole('button', { name: 'Use it in this agent' }).click()
    await expect(page.getByText('The agent calls in it already.')).toBeVisible()
    await expect
      .poll(async () => (await call<{ config: Config | null }>(`${server.url}/api/agents/${agent}`)).config)
      .toMatchObject({ protocol: { format: 'xml' } })
  },
)

test('S4-30 F8 Stop in mid-stream ends it at once, closes the model’s socket, and the thread goes on', async ({
  page,
}) => {
  const { models, server } = await connected({
    behaviour: (_asked, n) =>
      n === 1 ? { say: { text: 'word '.repeat(2_000) }, paceMs: 20 } : { say: { text: 'Now I am done.' } },
  })
  const agent = await createAgent(server.url, { name: 'talker', model: modelOf.openai })
  await page.goto(`${server.url}/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Talk.')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('answer')).toContainText('word word')
  const pressed = performance.now()
  await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: /^Stop/ }).click()
  const left = await models.leaving()
  // The answer would take forty seconds; the speed of the machine must not decide the result.
  expect(left.at - pressed).toBeLessThan(10_000)
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Question' }).fill('And now?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Now I am done.').first()).toBeVisible()
  expect(models.requests.map((each) => each.refusal).filter(Boolean)).toEqual([])
})

test('S4-40 F8 Stop in mid-tool ends it at once, leaves no process, and the thread goes on', async ({
  page,
}) => {
  test.skip(process.platform !== 'linux', 'processes are looked for under /proc')
  const { models, server } = await connected({
    behaviour: [
      { say: { calls: [{ name: 'javascript_run', args: { code: 'for (;;) {}' } }] } },
      { say: { text: 'It was stopped, so I go on.' } },
    ],
  })
  const agent = await createAgent(server.url, {
    name: 'looper',
    model: modelOf.anthropic,
    tools: [{ use: 'builtin', tools: ['javascript.run'] }],
  })
  await page.goto(`${server.url}/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Loop.')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => busyChildren(server.pid ?? 0).length, { message: 'the loop runs in a process of its own' })
    .toBeGreaterThan(0)
  const busy = busyChildren(server.pid ?? 0)
  await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: /^Stop/ }).click()
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible({ timeout: 10_000 })
  await expect
    .poll(() => busy.filter((pid) => fs.existsSync(`/proc/${pid}/stat`) && !isGone(pid)))
    .toEqual([])
  await page.getByRole('textbox', { name: 'Question' }).fill('Go on.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('It was stopped, so I go on.').first()).toBeVisible()
  expect(models.requests.map((each) => each.refusal).filter(Boolean)).toEqual([])
})

/** Processes below `parent` that run our JavaScript sandbox and have used CPU time. */
function busyChildren(parent: number): number[] {
  return descendants(parent).filter((pid) => {
    const used = statOf(pid)
    return used !== undefined && commandOf(pid).includes('javascript-child') && used.ticks > 20
  })
}

function descendants(parent: number): number[] {
  const all = fs
    .readdirSync('/proc')
    .filter((each) => /^\d+$/.test(each))
    .flatMap((each) => {
      const stat = statOf(Number(each))
      return stat === undefined ? [] : [{ pid: Number(each), parent: stat.parent }]
    })
  const below = (pid: number): number[] =>
    all.filter((each) => each.parent === pid).flatMap((each) => [each.pid, ...below(each.pid)])
  return below(parent)
}

function isGone(pid: number): boolean {
  const stat = statOf(pid)
  return stat === undefined || stat.state === 'Z'
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** State, parent and used CPU time (in ticks) of a process; undefined if it is gone. */
function statOf(pid: number): { state: string; parent: number; ticks: number } | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      state: fields[0] ?? '',
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
    }
  } catch {
    return undefined
  }
}
