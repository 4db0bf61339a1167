/**
 * The page of states: how a recorded run with features of later versions is shown, and what its controls
 * send.
 */
import { expect, type Page } from '@playwright/test'
import { test } from './journey'
import { type StatesPage, serveStates } from './states/serve'
import { deepOnly } from './test-depth'

let states: StatesPage
test.beforeAll(async () => {
  states = await serveStates()
})
test.afterAll(() => states.close())

const open = (page: Page, query: string) => page.goto(`${states.url}/?${query}`)
const card = (page: Page, name: string) => page.locator('.react-flow__node', { hasText: name })
/** What the controls of the page have sent, in order. */
const said = (page: Page) => page.evaluate(() => Reflect.get(window, 'said'))

test('a call that waits for a person says so on its card, in the trace and in the head of the trace', async ({
  page,
}) => {
  await open(page, 'view=builder')
  await expect(card(page, 'files.create')).toContainText('Waiting for you')
  await expect(card(page, 'files.create').getByRole('button', { name: 'Review' })).toBeVisible()
  await expect(page.getByRole('row', { name: /files\.create/ }).last()).toContainText(/1[45]:\d\d|Waiting/)
  await expect(page.getByText('Waiting for you', { exact: true }).first()).toBeVisible()
  // The other call continues meanwhile.
  await expect(card(page, 'sql.execute')).toContainText('SELECT')
})

test('Review leads to the call, A approves it, and a reason goes with a no', async ({ page }) => {
  await open(page, 'view=builder')
  await card(page, 'files.create').getByRole('button', { name: 'Review' }).click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector).toContainText('reports/q3-category-decline.csv')
  await expect(inspector).toContainText(/1[45]:\d\d left/)
  await inspector.getByRole('button', { name: /^Approve/ }).focus()
  await page.keyboard.press('a')
  await expect
    .poll(() => said(page))
    .toEqual([expect.objectContaining({ callId: 'c5', decision: 'approve' })])
})

test('a person edits the arguments and approves, or rejects with a reason', deepOnly, async ({ page }) => {
  await open(page, 'view=builder&select=create')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('button', { name: 'Edit and approve' }).click()
  await inspector.getByLabel('path').fill('reports/other.csv')
  await inspector.getByRole('button', { name: /^Approve/ }).click()
  await expect
    .poll(() => said(page))
    .toEqual([
      expect.objectContaining({
        decision: 'approve',
        args: expect.objectContaining({ path: 'reports/other.csv' }),
      }),
    ])
  await open(page, 'view=builder&select=create')
  await inspector.getByRole('button', { name: 'Reject' }).click()
  await inspector.getByRole('textbox', { name: /reason/i }).fill('Not there.')
  await inspector.getByRole('button', { name: 'Reject' }).last().click()
  await expect
    .poll(() => said(page))
    .toEqual([expect.objectContaining({ decision: 'reject', reason: 'Not there.' })])
})

test('tools of an MCP server in an inactive group are withheld, and their wires are dotted', async ({
  page,
}) => {
  await open(page, 'view=builder')
  await expect(card(page, 'everything')).toContainText(/withheld/i)
  await expect(card(page, 'extras')).toContainText(/inactive/i)
})

test('the plan has its tab, with each step and how far it is', async ({ page }) => {
  await open(page, 'view=builder')
  await page.getByRole('tab', { name: /^Plan/ }).click()
  const plan = page.getByRole('tabpanel', { name: 'Plan' })
  await expect(plan).toContainText('Q3 decline by category')
  await expect(plan.getByRole('listitem')).toHaveCount(4)
})

test('files that came with the question stand beside the run', async ({ page }) => {
  await open(page, 'view=builder')
  await page.getByRole('tab', { name: /^Files/ }).click()
  await expect(page.getByText('targets.csv').first()).toBeVisible()
})

test('a person’s no is told where it was said, and a step can be forked', async ({ page }) => {
  await open(page, 'view=run')
  await expect(card(page, 'files.create')).toContainText(/rejected|denied|said no/i)
  await page.getByRole('button', { name: /Fork from step 4/ }).click()
  await expect.poll(() => said(page)).toEqual([{ fork: 4 }])
})
