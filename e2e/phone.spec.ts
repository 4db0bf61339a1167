/**
 * Every page in a narrow window and on a phone: nothing overlaps or leaves the window, and what matters is in
 * view.
 */
import { expect, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { expectInView, expectTidy, smallTargets } from './page-layout'
import { deepOnly } from './test-depth'

const table = '| Country | Revenue | Invoices | Margin | Change |\n| - | - | - | - | - |\n'
const rows = Array.from({ length: 6 }, (_, n) => `| Country number ${n} | 3,734,218.75 | 812 | 41 % | +3 % |`)
const code =
  '```sql\nselect country, sum(total) as revenue from invoices group by country order by revenue\n```'
const answer = `## Revenue\n${table}${rows.join('\n')}\n\n${code}`
const sum = (expression: string) => ({ calls: [{ name: 'math.calculate', args: { expression } }] })
const asking = { policies: [{ use: 'approval' }] }

interface Ids {
  readonly agent: string
  readonly run: string
  readonly thread: string
}

/** An agent with a run that is over, or one whose run waits for a person. */
async function seeded(url: string, name: string, isWaiting: boolean): Promise<Ids> {
  const turns = isWaiting ? [sum('6 * 7'), { text: 'Done.' }] : [sum('6 * 7'), { text: answer }]
  const title = 'Revenue by country, with a title that is rather long'
  const config = scriptedConfig(name, turns, { title, ...(isWaiting && asking) })
  const agent = await createAgent(url, config)
  const run = await begin(url, agent, 'Which countries brought the most revenue this year?')
  const ends = isWaiting ? 'approval.requested' : 'run.finished'
  await readStream(url, run, 0, (events) => events.some(({ type }) => type.startsWith(ends)))
  const { threadId } = await call<{ threadId: string }>(`${url}/api/runs/${run}`)
  return { agent, run, thread: threadId }
}

const question = 'textarea[aria-label="Question"]'
const settled = (page: Page) => expect(page.locator('main [aria-label^="Loading"]')).toHaveCount(0)

/** Each page, and each of its tabs, with the check of what must be in view there. */
async function expectAllTidy(page: Page, url: string, { agent, run, thread }: Ids): Promise<void> {
  const open = async (path: string) => {
    await page.goto(url + path)
    await settled(page)
  }
  const tabs = async (name: string, labels: readonly string[]) => {
    for (const label of labels) {
      await page.getByRole('tablist', { name: 'Views of the page' }).getByRole('tab', { name: label }).click()
      await expectTidy(page, `${name}, ${label}`)
    }
  }
  for (const path of ['/', '/runs', '/settings']) {
    await open(path)
    await expectTidy(page, path)
  }
  for (const kind of ['chat', 'talk']) {
    await open(`/agents/${agent}/${kind}?thread=${thread}`)
    await expect(page.getByRole('log', { name: 'Dialogue' })).toContainText('Which countries')
    await expectTidy(page, kind)
    await expectInView(page, question, kind)
  }
  await open(`/runs/${run}`)
  await tabs('run', ['Drawing', 'Details', 'Trace'])
  await open(`/agents/${agent}?run=${run}`)
  await expect(page.locator('.react-flow__node').first()).toBeVisible()
  await tabs('builder', ['Agent', 'Run', 'Drawing'])
  await page.getByRole('tab', { name: 'Run', exact: true }).click()
  await expectInView(page, question, 'run box')
}

const windows = [
  { name: 'a phone', size: { width: 390, height: 844 } },
  { name: 'a window at 200 %', size: { width: 720, height: 450 } },
]

for (const { name, size } of windows) {
  test(
    `on ${name} nothing overlaps on any page, idle or waiting for a person`,
    deepOnly,
    async ({ page, baseURL }) => {
      test.setTimeout(120_000)
      const url = baseURL ?? ''
      await page.setViewportSize(size)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expectAllTidy(page, url, await seeded(url, `tidy-${size.width}`, false))
      await expectAllTidy(page, url, await seeded(url, `waiting-${size.width}`, true))
    },
  )
}

test('a person approves from a phone: from the bar to the run, and in the chat', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  await page.setViewportSize({ width: 390, height: 844 })
  const { run } = await seeded(url, 'phone-run', true)
  const asks = page.getByRole('region', { name: 'math.calculate waits for you' })
  const approve = asks.getByRole('button', { name: /^Approve/ })

  await page.goto(`${url}/runs/${run}`)
  await expect(approve).toBeInViewport({ ratio: 1 })
  await expect(asks.getByRole('button', { name: 'Reject' })).toBeInViewport({ ratio: 1 })
  expect(await smallTargets(page, 40)).toEqual([])
  // The question is above the call, and all views of the run are in one row of tabs.
  await expect(page.getByRole('paragraph').filter({ hasText: /^Which countries brought/ })).toBeInViewport({
    ratio: 1,
  })
  await expect(page.getByRole('tablist')).toHaveCount(1)
  const row = page.getByRole('treegrid', { name: 'Trace' }).getByRole('row', { name: /math\.calculate/ })
  expect((await row.first().boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await approve.click()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Answer' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('Done.', { exact: true })).toBeVisible()
  // The bar of the axis is too narrow for words: none is written over another.
  await page.getByRole('tab', { name: 'Trace' }).click()
  await expectTidy(page, 'the trace after an approval')
  // A tap on a row leads to its details.
  await page.getByRole('row', { name: /^math\.calculate/ }).click()
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('region', { name: 'math.calculate' })).toBeInViewport()
  // Enter on a row leads there too, and the focus goes with it.
  await page.getByRole('tab', { name: 'Trace' }).click()
  await page.getByRole('treegrid', { name: 'Trace' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Details' })).toBeFocused()

  const { agent } = await seeded(url, 'phone-chat', true)
  await page.goto(`${url}/agents/${agent}/chat`)
  await page.getByRole('button', { name: 'Threads' }).click()
  const threads = page.getByRole('dialog', { name: 'Threads' })
  await expect(threads.getByRole('img', { name: 'Waits for you' })).toBeVisible()
  // The list keeps the focus, and Escape returns it to its button.
  for (let press = 0; press < 8; press += 1) await page.keyboard.press('Tab')
  await expect(threads.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Threads' })).toBeFocused()
  await page.keyboard.press('Enter')
  await threads.getByRole('button', { name: /^Waits for you Which/ }).click()
  await expect(threads).toHaveCount(0)
  await expect(approve).toBeInViewport({ ratio: 1 })
  expect(await smallTargets(page, 40)).toEqual([])
  await asks.getByRole('button', { name: 'Edit and approve' }).click()
  await asks.getByRole('textbox', { name: 'expression' }).fill('20 + 2')
  // As above an on-screen keyboard.
  await page.setViewportSize({ width: 390, height: 480 })
  await expectInView(page, question, 'chat above the keyboard')
  await approve.click()
  await expect(page.getByTestId('answer')).toHaveText('Done.')
})

test('the bar keeps the title of a waiting fork at every width', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const { run } = await seeded(url, 'bar-fork', true)
  const fork = await call<{ id: string }>(`${url}/api/runs/${run}/fork`, { step: 1 })
  await page.goto(`${url}/runs/${fork.id}`)
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [720, 450],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(page.getByText('Waiting for you').first()).toBeVisible()
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toContainText('Revenue by country')
    expect((await title.boundingBox())?.width, `title at ${width}`).toBeGreaterThan(80)
    await expectTidy(page, `the run at ${width}`)
  }
})

test('the chat without the admin bar asks, answers and says who may open it', async ({ page, baseURL }) => {
  const agent = await createAgent(baseURL ?? '', scriptedConfig('talker-alone', [{ text: 'Hello.' }]))
  await page.goto(`/agents/${agent}/chat`)
  await page.getByRole('link', { name: 'Open without the admin bar' }).click()
  await expect(page).toHaveURL(/\/talk$/)
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await page.locator(question).fill('Who are you?')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('answer')).toHaveText('Hello.')
  await expect(page.getByRole('link', { name: 'See the run' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Share' }).click()
  const share = page.getByRole('dialog', { name: 'Share this page' })
  await expect(share).toContainText('People need this server’s access token to open this page.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Share' })).toBeFocused()
})
