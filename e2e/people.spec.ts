/** Questions of an agent to a person: answered in the chat, in the builder and on a phone, and through a restart. */
import { expect, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { ownServer } from './own-server'
import { deepOnly } from './test-depth'

const form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 9 },
  },
  required: ['name', 'guests'],
}
const turns = [
  {
    calls: [
      { name: 'human.ask', args: { question: 'Which trip?', choices: ['Lisbon', 'Porto'] } },
      { name: 'human.ask', args: { question: 'Who travels?', form } },
      { name: 'human.ask', args: { question: 'Anything else?' } },
    ],
  },
  { text: 'The trip is booked.' },
]
const asker = (name: string) =>
  scriptedConfig(name, turns, {
    tools: [{ use: 'builtin', tools: ['human.ask'] }],
    policies: [{ use: 'execution', strategy: 'parallel' }],
  })

const questions = (page: Page) => page.getByRole('region', { name: 'Question of human.ask' })

async function resultsOf(url: string, agent: string): Promise<string[]> {
  const { items } = await call<{ items: { id: string }[] }>(`${url}/api/runs?agent=${agent}`)
  const events = await readStream(url, items[0]?.id ?? '', 0)
  return events.flatMap(({ data }) => (data.type === 'call.finished' ? [String(data.callId)] : [])).sort()
}

test('S0-33 in the builder a person chooses, fills in a form that is checked, and declines; the trace tells all three', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, asker('asker-builder'))
  await page.goto(`/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Book a trip.')
  await page.keyboard.press('Enter')
  await expect(questions(page)).toHaveCount(3)
  await expect(page.getByRole('link', { name: /waits? for you$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Porto' }).click()
  await expect(questions(page)).toHaveCount(2)
  const details = questions(page).filter({ hasText: 'Who travels?' })
  await details.getByRole('button', { name: 'Send' }).click()
  await expect(details.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await details.getByLabel('Name', { exact: true }).fill('Ada')
  await details.getByLabel('Guests', { exact: true }).fill('2')
  await details.getByLabel('Guests', { exact: true }).blur()
  await details.getByRole('button', { name: 'Send' }).click()
  await expect(questions(page)).toHaveCount(1)
  await questions(page).getByRole('button', { name: 'Decline' }).click()
  await expect(questions(page)).toHaveCount(0)
  await expect(page.getByText('The trip is booked.').first()).toBeVisible()
  const trace = page.getByRole('treegrid')
  for (const words of ['Which trip?', 'Porto', 'You declined', 'Continued'])
    await expect(trace.getByText(words).first()).toBeVisible()
  expect(await resultsOf(url, agent)).toEqual(['call_1_1', 'call_1_2', 'call_1_3'])
})

test('S0-33 in the chat on a phone a question is answered with the keyboard, and the page says that it waits', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const agent = await createAgent(baseURL ?? '', {
    ...asker('asker-chat'),
    model: {
      provider: 'scripted',
      name: 'script',
      turns: [{ calls: [{ name: 'human.ask', args: { question: 'Which city?' } }] }, { text: 'Thank you.' }],
    },
  })
  await page.goto(`/agents/${agent}/chat`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Ask me.')
  await page.keyboard.press('Enter')
  await expect(questions(page)).toHaveCount(1)
  await expect(page.getByRole('status').filter({ hasText: 'human.ask asks: Which city?' })).toBeAttached()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await page.getByRole('textbox', { name: 'Your answer' }).fill('Lisbon')
  await page.keyboard.press('Enter')
  await expect(questions(page)).toHaveCount(0)
  await expect(page.getByTestId('answer')).toContainText('Thank you.')
})

test(
  'S0-33 F2: a question waits through kill -9, and is answered on the page of its run',
  deepOnly,
  async ({ page }) => {
    const server = await ownServer()
    try {
      await server.start()
      const agent = await createAgent(server.url, asker('asker-killed'))
      const id = await begin(server.url, agent, 'Book a trip.')
      await expect
        .poll(async () => (await call<{ pending: object[] }>(`${server.url}/api/runs/${id}`)).pending.length)
        .toBe(3)
      await server.stop('SIGKILL')
      await server.start()
      await page.goto(`${server.url}/runs/${id}`)
      await expect(questions(page)).toHaveCount(3)
      await page.getByRole('button', { name: 'Lisbon' }).click()
      await expect(questions(page)).toHaveCount(2)
      for (const left of [1, 0]) {
        await questions(page).first().getByRole('button', { name: 'Cancel' }).click()
        await expect(questions(page)).toHaveCount(left)
      }
      await expect(page.getByText('The trip is booked.').first()).toBeVisible()
    } finally {
      await server.dispose()
    }
  },
)
