/**
 * Calls that a person approves or rejects: in the builder, in the chat, through the API across a kill, and
 * visible on every page.
 */
import { expect, type Locator, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { type OwnServer, ownServer } from './own-server'
import { deepOnly } from './test-depth'

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

const approve = (ask: Locator) => ask.getByRole('button', { name: /^Approve/ }).click()
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
  const sum = (expression: string) => ({ calls: [{ name: 'math.calculate', args: { expression } }] })
  const more = { policies: [{ use: 'approval' }] }
  const script = [sum('6 * 7'), sum('1 + 1'), { text: 'That is all.' }]
  const agent = await createAgent(baseURL ?? '', scriptedConfig('careful-chat', script, more))
  await page.goto(`/agents/${agent}/chat`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Work it out.')
  await page.keyboard.press('Enter')
  await asks(page).getByRole('checkbox').check()
  await asks(page).getByRole('button', { name: 'Edit and approve' }).click()
  await asks(page).getByRole('textbox', { name: 'expression' }).fill('20 + 2')
  await approve(asks(page))
  // The second step calls the same tool without asking again.
  await expect(page.getByTestId('answer')).toHaveText('That is all.')
  await page.getByRole('button', { name: '3 steps, 2 calls' }).click()
  await expect(page.getByRole('log', { name: 'Dialogue' }).getByText('expression: 20 + 2')).toBeVisible()
})

test('Ctrl+Enter rejects from the reason, and runs the question from a tag field', async ({
  page,
  baseURL,
}) => {
  const agent = await createAgent(baseURL ?? '', careful('careful-keys'))
  await page.goto(`/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Work it out.')
  await page.locator('.react-flow__node', { hasText: 'math' }).first().click()
  const tags = page.getByRole('combobox', { name: 'Tools', exact: true })
  await tags.fill('time.now')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
  await expect(asks(page)).toHaveCount(2)
  await asks(page).first().getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Once is enough')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(asks(page)).toHaveCount(1)
})

test.describe('a server of its own', () => {
  // Two of them stop the clock.
  test.use({ hasOwnContext: true })

  let server: OwnServer
  test.beforeAll(async () => {
    server = await ownServer()
    await server.start()
  })
  test.afterAll(() => server.dispose())

  /** The id of a new run, which waits for a person. */
  const waitingRun = async (agent: string) => {
    const run = await begin(server.url, agent, 'Work it out.')
    await readStream(server.url, run, 0, (events) => events.some(({ type }) => type === 'approval.requested'))
    return run
  }

  test('S3-17 the figure in the bar leads to the run that waits, where what hides in its arguments is seen', async ({
    page,
  }) => {
    const hiding = [
      { calls: [{ name: 'math.calculate', args: { expression: '1 + 1\u202e' } }] },
      { text: 'That is all.' },
    ]
    const more = { policies: [{ use: 'approval' }] }
    const agent = await createAgent(server.url, scriptedConfig('careful-run', hiding, more))
    await begin(server.url, agent, 'Work it out.')
    await page.goto(`${server.url}/settings`)
    await page.getByRole('link', { name: 'A run waits for you' }).click()
    await expect(asks(page)).toContainText('1 + 1⟨U+202E⟩')
    await approve(asks(page))
    await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'A run waits for you' })).toBeHidden({ timeout: 15_000 })
  })

  test('finding 37: the figure in the bar is right again after the server could not be reached', async ({
    page,
  }) => {
    const agent = await createAgent(server.url, careful('careful-bar'))
    const polls = '**/api/runs?*status=waiting*'
    let failed = 0
    await page.clock.install()
    await page.goto(`${server.url}/settings`)
    await page.route(polls, async (route) => {
      failed += 1
      await route.abort()
    })
    await expect(async () => {
      await page.clock.runFor(5_000)
      expect(failed).toBeGreaterThan(0)
    }).toPass()
    await page.unroute(polls)
    const run = await waitingRun(agent)
    await expect(async () => {
      await page.clock.runFor(15_000)
      await expect(page.getByRole('link', { name: 'A run waits for you' })).toBeVisible({ timeout: 500 })
    }).toPass()
    await call(`${server.url}/api/runs/${run}/cancel`, {}, { status: 200 })
  })

  test('a replay skips the wait for a person, and plays it where a person wants that', async ({ page }) => {
    const agent = await createAgent(server.url, careful('careful-replay'))
    const run = await waitingRun(agent)
    const asked = Date.now()
    // Shorter waits are always played.
    await expect.poll(() => Date.now() - asked, { intervals: [100] }).toBeGreaterThan(2_500)
    const { pending } = await call<Run>(`${server.url}/api/runs/${run}`)
    for (const { callId } of pending)
      await call(
        `${server.url}/api/runs/${run}/approvals/${callId}`,
        { decision: 'approve' },
        { status: 200 },
      )
    await readStream(server.url, run, 0)
    await page.clock.install()
    await page.goto(`${server.url}/runs/${run}`)
    const playhead = page.getByRole('slider', { name: 'Time in the run' })
    const place = async () => {
      const [now, end] = await Promise.all(
        ['aria-valuenow', 'aria-valuemax'].map((name) => playhead.getAttribute(name)),
      )
      return Number(now) / Number(end)
    }
    const playASecond = async () => {
      await page.keyboard.press('Home')
      await expect.poll(place).toBe(0)
      await page.keyboard.press('Space')
      await page.clock.runFor(1_200)
      return await place()
    }
    await expect.poll(place).toBe(1)
    expect(await playASecond()).toBe(1)
    await page.getByRole('button', { name: 'Skip waits for people' }).click()
    expect(await playASecond()).toBeLessThan(0.9)
  })

  test(
    'E-60 an approval outlives kill -9, is given by the API once, and another word is refused',
    deepOnly,
    async () => {
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
    },
  )
})

test('Escape stops a run at the first press, with a card selected and calls approved', async ({
  page,
  baseURL,
}) => {
  const config = careful('stop-by-key')
  const words = 'word '.repeat(400)
  const model = { provider: 'scripted', name: 'script', turns: [turns[0], { text: words }], paceMs: 50 }
  const agent = await createAgent(baseURL ?? '', { ...config, model })
  await page.goto(`/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Work it out.')
  await page.keyboard.press('Enter')
  await expect(asks(page)).toHaveCount(2)
  await page
    .locator('.react-flow__node')
    .filter({ hasText: 'model' })
    .last()
    .click({ position: { x: 60, y: 12 } })
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(1)
  await page.locator('body').press('a')
  await page.locator('body').press('a')
  await expect(page.getByText(/the model is writing|word word/).first()).toBeVisible()
  await page.locator('body').press('Escape')
  await expect(page.getByText('Cancelled').first()).toBeVisible()
})
