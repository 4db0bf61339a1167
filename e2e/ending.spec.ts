/**
 * How a run ends: with JSON that matches a schema if the agent has an output, and only through the finish
 * tool if a policy requires it.
 */
import { expect, type Locator, type Page } from '@playwright/test'
import { call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'

const schema = {
  type: 'object',
  properties: { customers: { type: 'integer' }, sentence: { type: 'string' } },
  required: ['customers', 'sentence'],
  additionalProperties: false,
}

const card = (page: Page, id: string) => page.locator(`.react-flow__node[data-id^="${id}"]`)

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(question)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
}

async function boxOf(of: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await of.boundingBox()
  if (box === null) throw new Error('nothing to measure')
  return box
}

/** The wire leaves the agent on its right and goes straight into the output, which is next to it. */
async function expectRightOf(page: Page): Promise<void> {
  const agent = await boxOf(card(page, 'agent'))
  const output = await boxOf(card(page, 'output'))
  expect(output.x).toBeGreaterThan(agent.x + agent.width)
  const wire = await boxOf(page.locator('.react-flow__edge[data-id^="agent:"] .react-flow__edge-path'))
  expect(wire.x).toBeGreaterThan(agent.x + agent.width / 2)
  expect(wire.x + wire.width).toBeLessThan(output.x + output.width / 2)
}

async function lastRun(url: string, agent: string) {
  const { items } = await call<{ items: { id: string }[] }>(`${url}/api/runs?agent=${agent}`)
  const id = items[0]?.id ?? ''
  const events = (await readStream(url, id, 0)).map(({ data }) => data)
  return { events, run: await call<{ output: unknown; answer: string }>(`${url}/api/runs/${id}`) }
}

test('S4-05 an agent with an output answers the demo’s figure as JSON, and its output stands right of it', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const { items } = await call<{ items: { id: string; config: object }[] }>(`${url}/api/templates`)
  const template = items.find(({ id }) => id === 'data-analyst')?.config
  const agent = await createAgent(url, { ...template, name: 'counting-analyst', output: { schema } })
  await page.goto(`/agents/${agent}`)
  await expect(card(page, 'output')).toBeVisible()
  await expectRightOf(page)
  await ask(page, 'How many customers are there?')
  const answer = page.getByTestId('answer')
  await expect(answer).toContainText('"customers": 800')
  await expect(answer).toContainText('"sentence": "')
  const { run } = await lastRun(url, agent)
  expect(run.output).toEqual({ customers: 800, sentence: expect.stringContaining('800') })
  expect(JSON.parse((await answer.locator('pre').textContent()) ?? '')).toEqual(run.output)
  expect(JSON.parse(run.answer)).toEqual(run.output)
})

test('an output drawn by hand is wired from the agent, stands right of it, and shapes the next answer', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, {
    name: 'plain-answers',
    model: { provider: 'scripted', name: 'demo' },
  })
  await page.goto(`/agents/${agent}`)
  await card(page, 'agent').click()
  await page
    .getByRole('complementary', { name: 'Parts' })
    .getByRole('button', { name: 'Output', exact: true })
    .click()
  await expect(card(page, 'output')).toBeVisible()
  await expect
    .poll(async () => (await call<{ config: object | null }>(`${url}/api/agents/${agent}`)).config)
    .toHaveProperty('output.schema')
  await expectRightOf(page)
  await ask(page, 'Hello')
  await expect(page.getByTestId('answer')).toContainText('"answer": "I am a scripted demo')
})

test('X-01 where only the finish tool ends a run, words before it end nothing', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const turns = [
    { text: 'I think it is 41.' },
    { calls: [{ name: 'math.calculate', args: { expression: '6 * 7' } }] },
    { calls: [{ name: 'finish', args: { answer: 'It is **42**.' } }] },
  ]
  const policies = [{ use: 'finish', when: 'finish_tool' }]
  const agent = await createAgent(url, scriptedConfig('finisher', turns, { policies }))
  await page.goto(`/agents/${agent}`)
  await expect(card(page, 'policies').first()).toContainText('finish tool')
  await ask(page, 'What is six times seven?')
  const answer = page.getByTestId('answer')
  await expect(answer).toHaveText('It is 42.')
  const trace = page.getByRole('treegrid', { name: 'Trace' })
  for (const name of ['math.calculate', 'finish'])
    await expect(trace.getByText(name, { exact: true }).first()).toBeAttached()
  const { events } = await lastRun(url, agent)
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', steps: 3 })
})

test('S0-33 S4-19 an answer cut off is gone on with, and a call shows what its tool told of its work', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const turns = [
    { calls: [{ name: 'sql.execute', args: { sql: 'select count(*) as n from customers' } }] },
    { text: 'There are many cus', fault: { finish: 'length' } },
    { text: 'tomers.' },
  ]
  const policies = [{ use: 'finish', continues: 2 }]
  const tools = [{ use: 'builtin', tools: ['sql.execute'] }]
  const agent = await createAgent(url, scriptedConfig('cut-answer', turns, { policies, tools }))
  await page.goto(`/agents/${agent}`)
  await expect(card(page, 'policies').first()).toContainText('2 continuations')
  await ask(page, 'How many customers are there?')
  await expect(page.getByTestId('answer')).toHaveText('There are many customers.')
  const trace = page.getByRole('treegrid', { name: 'Trace' })
  const told = trace.getByRole('row', { name: /Asked to continue where it was cut off/ })
  await expect(told).toBeVisible()
  await trace.getByRole('row', { name: /^sql\.execute/ }).click()
  await expect(page.getByRole('heading', { name: 'Metadata, not sent to the model' })).toBeVisible()
  await page.getByRole('button', { name: 'Hide notes to the model' }).click()
  await expect(told).toHaveCount(0)
  const { events, run } = await lastRun(url, agent)
  expect(run.answer).toBe('There are many customers.')
  expect(events.at(-1)).toMatchObject({ status: 'completed', error: null, steps: 3 })
})
