/** Calls that a person decides on: in the builder, in the chat, by the API across a kill, and seen from anywhere. */
import { expect, type Page, test } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { type OwnServer, ownServer } from './own-server'

const turns = [
  {
    calls: [
      { name: 'math.calculate', args: { expression: '6 * 7' } },
      { name: 'math.calculate', args: { expression: '1 + 1' } },
    ],
  },
  { text: 'That is all.' },
]
const careful = (name: string) =>
  scriptedConfig(name, turns, {
    policies: [
      { use: 'steps', max: 10 },
      { use: 'approval', appliesTo: ['math.*'] },
    ],
  })

interface Run {
  readonly status: string
  readonly pending: readonly { readonly callId: string; readonly args: object }[]
}

const asks = (page: Page) => page.getByRole('region', { name: 'math.calculate waits for you' })

test('S3-17 in the builder a person approves by key, rejects with a reason, and the trace tells both', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, careful('careful-builder'))
  await page.goto(`/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Work it out.')
  await page.keyboard.press('Enter')
  await expect(asks(page)).toHaveCount(2)
  await expect(asks(page).first()).toContainText('6 * 7')
  await expect(page).toHaveTitle(/^\(\d+\) /, { timeout: 15_000 })
  await expect(page.getByRole('link', { name: /waits? for you$/ })).toBeVisible()
  await page.locator('body').click({ position: { x: 700, y: 5 } })
  await page.keyboard.press('a')
  await expect(asks(page)).toHaveCount(1)
  await asks(page).getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Once is enough')
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect(asks(page)).toHaveCount(0)
  await expect(page.getByText('That is all.').first()).toBeVisible()
  const { items } = await call<{ items: { id: string }[] }>(`${url}/api/runs?agent=${agent}`)
  const events = await readStream(url, items[0]?.id ?? '', 0)
  const ends = events.flatMap(({ data }) => (data.type === 'call.finished' ? [data.status] : []))
  expect(ends).toEqual(['ok', 'denied'])
})

test('S3-17 in the chat a call is changed before it runs, and the rest of the run asks no more', async ({
  page,
  baseURL,
}) => {
  const agent = await createAgent(baseURL ?? '', careful('careful-chat'))
  await page.goto(`/agents/${agent}/chat`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Work it out.')
  await page.keyboard.press('Enter')
  await expect(asks(page)).toHaveCount(2)
  await asks(page).first().getByRole('checkbox').check()
  await asks(page).first().getByRole('button', { name: 'Edit and approve' }).click()
  await asks(page).first().getByRole('textbox', { name: 'expression' }).fill('20 + 2')
  await asks(page)
    .first()
    .getByRole('button', { name: /^Approve/ })
    .click()
  // The second was asked about together with the first, and keeps its own word.
  await expect(asks(page)).toHaveCount(1)
  await asks(page)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(page.getByTestId('answer')).toHaveText('That is all.')
  await page.getByRole('button', { name: '2 steps, 2 calls' }).click()
  await expect(page.getByRole('log', { name: 'Dialogue' }).getByText('expression: 20 + 2')).toBeVisible()
})

test('S3-17 the figure in the bar leads to the run that waits, where it is decided on', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const id = await begin(url, await createAgent(url, careful('careful-run')), 'Work it out.')
  await page.goto(`/runs/${id}`)
  await expect(asks(page)).toHaveCount(2)
  await asks(page)
    .first()
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(asks(page)).toHaveCount(1)
  await asks(page)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
})

test.describe('a server of its own', () => {
  let server: OwnServer
  test.beforeAll(async () => {
    server = await ownServer()
    await server.start()
  })
  test.afterAll(() => server.dispose())

  test('E-60 an approval outlives kill -9, is given by the API once, and another word is refused', async () => {
    const agent = await createAgent(server.url, careful('careful-api'))
    const id = await begin(server.url, agent, 'Work it out.')
    const run = () => call<Run>(`${server.url}/api/runs/${id}`)
    await expect.poll(async () => (await run()).pending.length).toBe(2)
    await server.stop('SIGKILL')
    await server.start()
    expect((await run()).status).toBe('waiting')
    const decide = (callId: string, decision: string, status = 200) =>
      call<Run>(`${server.url}/api/runs/${id}/approvals/${callId}`, { decision }, { status })
    await decide('call_1_1', 'approve')
    await decide('call_1_1', 'approve')
    await decide('call_1_1', 'reject', 409)
    await server.stop('SIGKILL')
    await server.start()
    await decide('call_1_2', 'reject')
    await expect.poll(async () => (await run()).status).toBe('completed')
  })
})
