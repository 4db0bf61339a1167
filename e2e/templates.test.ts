/** Asks every sample of every template on a real server, and checks that the answer is true. */
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { samplesOf } from '#components/dialogue/sample-questions'
import { prepareFirstRun } from '#lib/server/agents/first-run'
import { readTemplates } from '#lib/server/agents/templates'
import type { Catalog } from '#lib/spec/catalog'
import type { RunEvent } from '#lib/spec/event'
import type { AgentView, TemplateList } from '#lib/wire/agents'
import type { RunView } from '#lib/wire/runs'
import { openProduct, type Product, type Server } from './contract/start'

/** What each answer must contain; a template without samples of its own is not asked. */
const truths: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'data-analyst': {
    'Which country brought the most revenue, and how much?': /Germany.*3,734,218\.75/s,
    'How many customers are there?': /There are 800 customers/,
    'What is the average unit price by category?': /Furniture.*473\.49/s,
  },
  'web-reader': { 'Read the web page https://example.com/ and say what it is about.': /lighthouse/ },
  'file-writer': {
    'Write a file "shopping.md" with the text "Milk, bread and apples."':
      /Milk, bread and apples\..* into shopping\.md/,
    'Which files are in the workspace?': /empty|no files/i,
  },
  'report-writer': { 'Write a report on revenue by country.': /Germany, the United Kingdom and France/ },
  calculator: {
    'What is 12.5% of 840?': /= 105$/,
    'What is (17 + 4) * 3?': /= 63$/,
    'How much is 15 % of 2,480?': /= 372$/,
  },
  javascript: {
    'What is the 50th Fibonacci number?': /12586269025/,
    'How many Fridays the 13th are there from 2020 to 2030?': /there are 18 Fridays/,
    'Which files are in the workspace?': /empty|no files/i,
  },
  analyst: { 'Which region brought the most revenue?': /North brought.*271,550 of 678,150 euros/ },
  'party-planner': {
    'Plan a birthday party.': /A picnic on 2026-06-01, indoors, for 12 guests/,
    'What time is it in Tokyo?': /./,
  },
  'plan-execute': {
    'Where does our revenue come from, and where are our customers?':
      /Germany, the United Kingdom and France bring the most revenue, 3,734,218\.75/,
  },
  // No search is set up here.
  researcher: { 'How long is the Nile?': /A script wrote this.*Settings → Web search/s },
  'support-desk': {
    'My teapot of order A-1001 arrived broken.': /the shop has decided on the refund of 39\.50/,
  },
  coder: { 'Mend the small program whose test fails.': /The tests pass now/ },
  planner: { 'Which countries bring the most revenue?': /Germany brought the most revenue/ },
  'guarded-analyst': { 'How is the retail database built?': /four tables/ },
  blank: { 'What can you do?': /scripted demo/ },
}

let product: Product
let server: Server
let page: http.Server
let pageAddress = ''
beforeAll(async () => {
  page = http.createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>A page</title><p>This page is about a lighthouse.</p>')
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const address = page.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  pageAddress = `http://${host}/`
  product = await openProduct()
  server = await product.serve({ env: { LOOPWRIGHT_ALLOW_HOSTS: host } })
}, 60_000)
afterAll(async () => {
  page.close()
  await product?.end()
})

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
  return JSON.parse(text)
}

/** The answer to one question, asked in a thread of its own. */
async function answerOf(agentId: string, input: string): Promise<string> {
  const { id } = await ask<{ id: string }>('POST', `/api/agents/${agentId}/runs`, { input })
  await replyToQuestions(id)
  const stream = await fetch(`${server.url}/api/runs/${id}/events`, {
    headers: { accept: 'text/event-stream' },
  })
  const events = (await stream.text())
    .split('\n')
    .flatMap((line): RunEvent[] => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
  const end = events.find((each) => each.type === 'run.finished' && each.parent === undefined)
  expect(end).toMatchObject({ status: 'completed' })
  return (end?.type === 'run.finished' && end.answer) || ''
}

/** Replies and approves like a person until the run is over. */
async function replyToQuestions(runId: string): Promise<void> {
  for (;;) {
    const { finishedAt, pending } = await ask<RunView>('GET', `/api/runs/${runId}`)
    if (finishedAt !== null) return
    for (const { callId, input } of pending) {
      if (input === undefined) {
        await ask('POST', `/api/runs/${runId}/approvals/${callId}`, { decision: 'approve' })
        continue
      }
      const reply =
        input.schema === undefined
          ? { text: input.choices?.[1] }
          : { values: { date: '2026-06-01', guests: 12 } }
      await ask('POST', `/api/runs/${runId}/replies/${callId}`, reply)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const { items } = readTemplates('examples')

describe('the samples of the templates', () => {
  test.each(items)('$id', async ({ id, config, others = [] }) => {
    const catalog = await ask<Catalog>('GET', '/api/catalog')
    for (const other of others) await ask('POST', '/api/agents/import', prepareFirstRun(other, { paceMs: 0 }))
    const quick = prepareFirstRun(config, { paceMs: 0 })
    const agent = await ask<AgentView>('POST', '/api/agents/import?rename=1', quick)
    const samples = samplesOf(agent.graph, catalog)
    expect(samples).toEqual(Object.keys(truths[id] ?? {}))
    for (const [sample, truth] of Object.entries(truths[id] ?? {})) {
      // The page is asked of this machine, so that the test needs no network.
      const answer = await answerOf(agent.id, sample.replace('https://example.com/', pageAddress))
      expect(answer, sample).toMatch(truth)
      expect(answer, sample).not.toMatch(/None of my rules|refused|failed/)
    }
  })

  test('are the templates of the server', async () => {
    const served = await ask<TemplateList>('GET', '/api/templates')
    expect(served.items.map((each) => each.id)).toEqual(items.map((each) => each.id))
  })
})
