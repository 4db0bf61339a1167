/**
 * The retail analyst over three providers in four formats: one plan, the same calls, the same figure, and no
 * raw format text for a reader.
 */
import { expect, type Page } from '@playwright/test'
import { readRows } from '../lib/models/demo/observation'
import { begin, call, createAgent, expectWhole, readStream, type StreamedEvent } from './api'
import { test } from './journey'
import { type ModelServer, startModelServer } from './model-server/model-server'
import type { Asked } from './model-server/responder'
import { type Format, formats, playing, type Turn } from './model-server/speech'
import { type OwnServer, ownServer } from './own-server'

const question = 'Which country brought the most revenue?'
const key = 'sk-planted-5d2c8b7f3a9e6041'
const tables = ['customers', 'invoices', 'invoice_lines']
// Characters that a format could mistake for its own, and line breaks that it has to keep.
const sql = `SELECT c.country AS "country", SUM(l.quantity * l.unit_price) AS revenue
FROM invoice_lines l
  JOIN invoices i ON i.invoice_id = l.invoice_id
  JOIN customers c ON c.customer_id = i.customer_id
WHERE l.is_returned <> 1 AND l.quantity > 0 AND c.country NOT IN ('R&amp;D', '{"a": [1]}', '\`\`')
GROUP BY c.country
ORDER BY revenue DESC
LIMIT 3`

const plan: readonly Turn[] = [
  () => ({ text: 'First I look at the tables.', calls: [{ name: 'schema.list_tables', args: {} }] }),
  (seen) => {
    const found = (readRows(seen)?.rows ?? []).map(([name]) => String(name))
    const args = { tables: tables.filter((each) => found.includes(each)) }
    return { text: 'Then at their columns.', calls: [{ name: 'schema.list_columns', args }] }
  },
  (seen) => {
    if (!seen.includes('| invoice_lines | unit_price |')) return { text: 'I see no prices.' }
    return { text: 'Now I ask.', calls: [{ name: 'sql.execute', args: { sql, limit: 3 } }] }
  },
  (seen) => {
    const [country, revenue] = readRows(seen)?.rows[0] ?? []
    return { text: answerOf(country, revenue) }
  },
]

function answerOf(country: unknown, revenue: unknown): string {
  return `It was **${String(country)}**, with ${String(revenue)} of revenue.`
}

const calls = [
  { name: 'schema.list_tables', args: {} },
  { name: 'schema.list_columns', args: { tables } },
  { name: 'sql.execute', args: { sql, limit: 3 } },
]

const providers = ['openai', 'openai-responses', 'anthropic'] as const
type ProviderId = (typeof providers)[number]
const wireOf = { openai: 'openai', 'openai-responses': 'responses', anthropic: 'anthropic' } as const

test.setTimeout(120_000)

let models: ModelServer
let server: OwnServer
let template: object
/** The blocks of each call's result, queried by hand from the same database. */
let truth: readonly (readonly { readonly rows?: readonly (readonly unknown[])[] }[])[]

test.beforeAll(async () => {
  models = await startModelServer({ behaviour: playing(plan), key })
  server = await ownServer()
  await server.start()
  const { url } = server
  for (const [name, baseUrl] of [
    ['openai', models.openaiUrl],
    ['anthropic', models.anthropicUrl],
  ] as const)
    await call(`${url}/api/providers/${name}`, { baseUrl, key }, { method: 'PUT', status: 200 })
  const { items } = await call<{ items: { id: string; config: object }[] }>(`${url}/api/templates`)
  const found = items.find(({ id }) => id === 'data-analyst')
  expect(found?.config).toMatchObject({ name: 'retail-analyst' })
  template = found?.config ?? {}
  truth = await Promise.all(calls.map((each) => byHand(url, each)))
})

test.afterAll(async () => {
  await server?.dispose()
  await models?.close()
})

async function byHand(url: string, { name, args }: (typeof calls)[number]) {
  const body = { args: { ...args, database: 'retail' } }
  const path = `${url}/api/tools/${name}/try`
  const { result } = await call<{ result: { blocks: { rows?: unknown[][] }[] } }>(path, body, { status: 200 })
  return result.blocks
}

function trueAnswer(): string {
  const [country, revenue] = truth[2]?.[0]?.rows?.[0] ?? []
  expect(country).toBe('Germany')
  return answerOf(country, revenue)
}

async function analyst(provider: ProviderId, format: Format): Promise<string> {
  const name = `analyst-${provider}-${format.replace('_', '-')}`
  const model = { provider, name: 'model-large' }
  return await createAgent(server.url, { ...template, name, title: name, model, protocol: { format } })
}

function of(events: readonly StreamedEvent[], type: string) {
  return events.filter((each) => each.type === type).map((each) => each.data)
}

const raw = /function_calls|function_name|invoke|<\/?parameter|tool_calls?\b|"?action"|```|SELECT|\{"/

/** Expects a run with all its steps, by its events. */
function expectLoop(events: readonly StreamedEvent[]): void {
  expectWhole(events)
  expect(of(events, 'call.started').map(({ name, args }) => ({ name, args }))).toEqual(calls)
  const finished = of(events, 'call.finished')
  expect(finished.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
  expect(finished.map(({ result }) => result)).toEqual(
    truth.map((blocks) => ({ blocks, text: expect.stringMatching(/^\| /) })),
  )
  expect(of(events, 'run.finished')).toMatchObject([{ status: 'completed', answer: trueAnswer(), steps: 4 }])
  for (const type of ['model.retried', 'protocol.warned']) expect(of(events, type)).toEqual([])
  const text = wordsOf(events, 'text.delta')
  expect(text).toContain(trueAnswer())
  const all = text + wordsOf(events, 'reasoning.delta')
  for (const words of ['First I look at the tables.', 'Then at their columns.', 'Now I ask.'])
    expect(all).toContain(words)
  expect(all).not.toMatch(raw)
}

function wordsOf(events: readonly StreamedEvent[], type: 'text.delta' | 'reasoning.delta'): string {
  return of(events, type)
    .map((each) => String(each.text))
    .join('')
}

/**
 * What was sent to the provider in one run: native tool definitions under `native` only, and their
 * descriptions as text under the others.
 */
function expectRequests(asked: readonly Asked[], provider: ProviderId, format: Format): void {
  expect(asked).toHaveLength(4)
  for (const { wire, body, text, refusal } of asked) {
    expect(refusal).toBeUndefined()
    expect(wire).toBe(wireOf[provider])
    const isNative = format === 'native'
    expect('tools' in body, `tools under ${format}`).toBe(isNative)
    if (!isNative) {
      expect(body.tool_choice).toBeUndefined()
      expect(text).not.toMatch(/"tool_call_id"|"tool_use|"tool_result"|"function_call(_output)?"/)
    }
    for (const { name } of calls) expect(text).toContain(isNative ? name.replace('.', '_') : name)
    // Only these services have a setting for it.
    const isJson = format === 'json' && provider !== 'anthropic'
    expect(text.includes('"json_object"'), `a JSON answer asked for under ${format}`).toBe(isJson)
  }
}

/** The requests of the runs in `during`, and no others: runs go one at a time. */
async function askedIn<T>(during: () => Promise<T>): Promise<{ came: T; asked: readonly Asked[] }> {
  const before = models.requests.length
  const came = await during()
  return { came, asked: models.requests.slice(before) }
}

for (const provider of providers) {
  for (const format of formats) {
    // This combination is tested on the screen.
    if (provider === 'anthropic' && format === 'xml') continue
    test(`S2-01 S1-29 the retail analyst finishes over ${provider} in ${format}`, async () => {
      const agent = await analyst(provider, format)
      const { came, asked } = await askedIn(async () => {
        const id = await begin(server.url, agent, question)
        return { id, events: await readStream(server.url, id, 0) }
      })
      expectLoop(came.events)
      expectRequests(asked, provider, format)
      await expectOnRecord(came.id, asked)
    })
  }
}

/** Checks the last request as the app shows it afterwards. */
async function expectOnRecord(run: string, asked: readonly Asked[]): Promise<void> {
  const last = await call<{ request: object; exact: boolean }>(`${server.url}/api/runs/${run}/requests/4`)
  expect(last.exact).toBe(true)
  expect(last.request).toEqual(asked.at(-1)?.body)
}

test('S2-01 S1-29 the retail analyst finishes over anthropic in xml, on screen', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('loopwright:tour', 'left'))
  const agent = await analyst('anthropic', 'xml')
  await page.goto(`${server.url}/agents/${agent}`)
  const { asked } = await askedIn(() => ask(page))
  const answer = page.getByTestId('answer')
  await expect(answer).toHaveText(trueAnswer().replaceAll('**', ''))
  await expect(answer.locator('strong')).toHaveText('Germany')
  const trace = page.getByRole('treegrid', { name: 'Trace' })
  for (const { name } of calls) await expect(trace.getByText(name, { exact: true }).first()).toBeAttached()
  await expect(page.getByText(/function_calls|<invoke/)).toHaveCount(0)
  const { items } = await call<{ items: { id: string }[] }>(`${server.url}/api/runs?agent=${agent}`)
  const [run] = items
  expectLoop(await readStream(server.url, run?.id ?? '', 0))
  expectRequests(asked, 'anthropic', 'xml')
  await expectOnRecord(run?.id ?? '', asked)
})

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(question)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
}
