/**
 * The builder's own features: one search, the list of keys, problems with fixes, saving, and two windows on
 * one agent.
 */
import { expect, type Page } from '@playwright/test'
import { call, createAgent } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const card = (page: Page, name: string) => page.locator('.react-flow__node', { hasText: name })
const search = (page: Page) => page.getByRole('dialog', { name: 'Search' })
/** The search is loaded when it is first opened; keys typed earlier would go elsewhere. */
async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(search(page).getByRole('combobox')).toBeFocused({ timeout: 20_000 })
}

const saved = (page: Page) => expect(page.locator('[data-save="saved"]')).toBeVisible()

let made = 0
async function opened(page: Page, url: string, more: object = {}): Promise<string> {
  made += 1
  const id = await createAgent(url, {
    name: `builder-${test.info().workerIndex}-${made}-${Date.now().toString(36)}`,
    title: 'Builder',
    tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    policies: [{ use: 'steps', max: 7 }],
    ...more,
  })
  await page.goto(`/agents/${id}`)
  await expect(card(page, 'math.calculate')).toBeVisible({ timeout: 20_000 })
  return id
}

interface Stored {
  readonly config: { readonly tools?: readonly { tools?: string[] }[]; readonly title?: string } | null
  readonly name: string
}

test('one search adds a part, finds a node, and goes to another page', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const id = await opened(page, url)
  await openSearch(page)
  await page.keyboard.type('time now')
  await expect(search(page).getByRole('option', { name: /time\.now/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(card(page, 'time.now')).toBeVisible()
  await expect.poll(async () => (await call<Stored>(`${url}/api/agents/${id}`)).config?.tools?.length).toBe(2)

  await page.keyboard.press('ControlOrMeta+f')
  const find = page.getByRole('dialog', { name: 'Find on the canvas' })
  await expect(find.getByRole('option')).not.toHaveCount(0)
  await page.keyboard.type('calc')
  await page.keyboard.press('Enter')
  await expect(find).toBeHidden()
  await expect(card(page, 'math.calculate')).toHaveClass(/selected/)

  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(search(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('zzzz')
  await expect(search(page).getByText(/Nothing matches “zzzz”/)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('settings')
  await search(page)
    .getByRole('option', { name: /^Settings/ })
    .click()
  await page.waitForURL(/\/settings/)
})

test('what was chosen last stands first the next time', async ({ page, baseURL }) => {
  await opened(page, baseURL ?? '')
  await openSearch(page)
  await page.keyboard.type('fit all')
  await page.keyboard.press('Enter')
  await openSearch(page)
  await expect(search(page).getByRole('option').first()).toContainText('Fit all in view')
  await page.keyboard.press('Escape')
  await expect(search(page)).toBeHidden()
})

test('the sheet tells every key by its group', async ({ page, baseURL }) => {
  await opened(page, baseURL ?? '')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const group of ['Run', 'Edit', 'View'])
    await expect(sheet.getByRole('region', { name: group })).toBeVisible()
  await expect(sheet.getByText('Find on the canvas')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('a problem tells where it stands, and its button mends it with one undo', async ({ page, baseURL }) => {
  await opened(page, baseURL ?? '', {
    tools: [{ use: 'builtin', tools: ['math.calculate', 'math.calculatr'] }],
  })
  await page.getByRole('tab', { name: /Problems/ }).click()
  const problem = page.getByRole('listitem').filter({ hasText: 'math.calculatr' })
  await problem.getByRole('button').first().click()
  await expect(card(page, 'math.calculate')).toHaveClass(/selected/)
  await problem.getByRole('button', { name: 'Remove “math.calculatr”' }).click()
  await expect(problem).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(problem).toHaveCount(1)
})

test('an agent without a model is given the demo by one button', async ({ page, baseURL }) => {
  await opened(page, baseURL ?? '')
  await page.getByRole('tab', { name: /Problems/ }).click()
  await page.getByRole('button', { name: 'Use the scripted demo model' }).click()
  await expect(page.locator('.react-flow__node[data-id^="model"]')).toBeVisible()
})

test('saving is told while the server is away, and made good when it is back', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const id = await opened(page, url)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Saved as you go')).toBeVisible()
  await page.route('**/api/agents/*', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionrefused') : route.fallback(),
  )
  await rename(page, 'Away')
  await expect(page.locator('[data-save="failed"]')).toBeVisible()
  await page.unroute('**/api/agents/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await saved(page)
  expect((await call<Stored>(`${url}/api/agents/${id}`)).config?.title).toBe('Away')
})

async function rename(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Agent menu' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByRole('textbox', { name: 'Agent’s title' })).toBeFocused()
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
}

test('a click on the name renames the agent, and its tab, file name and other windows follow', async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: /^New agent N/ }).click()
  await page.waitForURL(/\/agents\/./)
  // A run of an earlier test may wait for a person, which the title counts.
  await expect(page).toHaveTitle(/^(\(\d+\) )?Untitled agent.* · Loopwright$/)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other).toHaveTitle(/^(\(\d+\) )?Untitled agent.* · Loopwright$/)

  await page.getByTitle(/Click to rename/).click()
  await page.keyboard.type('Revenue report')
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle(/^(\(\d+\) )?Revenue report · Loopwright$/)
  const id = new URL(page.url()).pathname.split('/')[2]
  const stored = () => call<Stored & { name: string }>(`${baseURL}/api/agents/${id}`)
  await expect.poll(async () => (await stored()).name).toBe('revenue-report')
  // With nothing unsaved, the other window shows the change by itself.
  await expect(other).toHaveTitle(/^(\(\d+\) )?Revenue report · Loopwright$/)

  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await stored()).name).toMatch(/^untitled-agent/)
})

for (const answer of ['Take theirs', 'Keep mine', 'Keep both'] as const) {
  test(
    `two windows on one agent: ${answer.toLowerCase()}`,
    answer === 'Keep mine' ? {} : deepOnly,
    async ({ page, context, baseURL }) => {
      const url = baseURL ?? ''
      const id = await opened(page, url)
      const other = await context.newPage()
      await other.goto(`/agents/${id}`)
      await expect(card(other, 'math.calculate')).toBeVisible({ timeout: 20_000 })
      // The other window cannot read, so it does not see the change before it saves one of its own.
      await other.route('**/api/agents/*', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.fallback(),
      )
      await rename(page, 'Theirs')
      await expect
        .poll(async () => (await call<Stored>(`${url}/api/agents/${id}`)).config?.title)
        .toBe('Theirs')
      await rename(other, 'Mine')
      const dialog = other.getByRole('dialog', { name: 'This agent was changed elsewhere' })
      await expect(dialog.getByRole('region', { name: 'They changed' })).toContainText('Theirs')
      await expect(dialog.getByRole('region', { name: 'You changed' })).toContainText('Mine')
      await dialog.getByRole('button', { name: answer }).click()
      await expect(dialog).toBeHidden()
      await saved(other)
      const title = answer === 'Keep mine' ? 'Mine' : 'Theirs'
      await expect.poll(async () => (await call<Stored>(`${url}/api/agents/${id}`)).config?.title).toBe(title)
      await expect(other.getByRole('heading', { level: 1, name: title })).toBeAttached()
      const all = await call<{ items: { title: string }[] }>(`${url}/api/agents`)
      const copies = all.items.filter((each) => each.title.startsWith('Mine (copy)'))
      if (answer === 'Keep both') expect(copies.length).toBeGreaterThan(0)
    },
  )
}
