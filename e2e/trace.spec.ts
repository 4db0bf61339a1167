/**
 * The trace as a person reads it: rows, search, filter, keys, the details of a row, following the end, and
 * the dialogue next to it.
 */
import { expect, type Page } from '@playwright/test'
import { createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const answer = [
  'The sums are **right**.',
  '',
  '| sum | is |',
  '| --- | -: |',
  '| 2 + 3 | 5 |',
  '',
  '<img src=x onerror="document.title = \'broken in\'">',
  '[a link](javascript:alert(1))',
].join('\n')

const turns = [
  { text: 'First the easy one.', calls: [{ name: 'math.calculate', args: { expression: '2 + 3' } }] },
  {
    text: 'Now one that fails, beside the time.',
    calls: [
      { name: 'math.calculate', args: { expression: '1 +' } },
      { name: 'time.now', args: {} },
    ],
  },
  { text: answer },
]

const config = (name: string, script: typeof turns) =>
  scriptedConfig(name, script, { tools: [{ use: 'builtin', tools: ['math.calculate', 'time.now'] }] })

async function ask(page: Page, agent: string, question = 'Add it up') {
  await page.goto(`/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill(question)
  await page.keyboard.press('Enter')
}

const trace = (page: Page) => page.getByRole('treegrid', { name: 'Trace' })
const row = (page: Page, name: RegExp | string) => trace(page).getByRole('row', { name })
const finished = (page: Page) => expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()

test('a finished run is searched, filtered, folded and walked by keys alone', async ({ page, baseURL }) => {
  await ask(page, await createAgent(baseURL ?? '', config('trace-keys', turns)))
  await finished(page)
  await page.keyboard.press('Control+Shift+F')
  const field = page.getByRole('textbox', { name: 'Find in the trace' })
  await expect(field).toBeFocused()
  await page.keyboard.type('calculate')
  const bar = page.getByRole('search', { name: 'Find in the trace' })
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+$/)
  await expect(trace(page).locator('mark').first()).toHaveText('calculate')
  await page.keyboard.press('Enter')
  await expect(bar.getByRole('status')).toHaveText(/^2 of \d+$/)
  await page.keyboard.press('Shift+Enter')
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+$/)
  await page.keyboard.press('Shift+Enter')
  await expect(bar.getByRole('status')).toHaveText(/^(\d+) of \1$/)

  await field.fill('')
  await bar.getByRole('button', { name: 'Errors' }).click()
  await expect(row(page, /Step 1\b/)).toHaveCount(0)
  await expect(row(page, /expression: 1 \+/)).toBeVisible()
  await bar.getByRole('button', { name: 'Close find and filter' }).click()
  await expect(row(page, /Step 1\b/)).toHaveCount(1)

  await page.getByRole('button', { name: 'Fold all steps' }).click()
  await expect(row(page, /expression: 2 \+ 3/)).toHaveCount(1)
  await trace(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press(']')
  const active = () => trace(page).getAttribute('aria-activedescendant')
  const name = async () => page.locator(`[id="${await active()}"]`).textContent()
  expect(await name()).toContain('Step 1')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await name()).toContain('First the easy one.')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Opened row' })).toContainText('Arguments')
  await page.keyboard.press('ArrowLeft')
  expect(await name()).toContain('Step 1')
})

test('a row opens to its call, raw as the model read it, and says of a scripted model that nothing was sent', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await ask(page, await createAgent(baseURL ?? '', config('trace-open', turns)))
  await finished(page)
  await row(page, /expression: 2 \+ 3/).click()
  const opened = page.getByRole('region', { name: 'Opened row' })
  await expect(opened).toContainText('Result')
  await expect(opened).toContainText('No policy objected.')
  await page.getByRole('button', { name: 'Raw', exact: true }).click()
  await expect(opened).toContainText('{"expression":"2 + 3"}')
  await page.getByRole('button', { name: 'Copy call as JSON' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied).toMatchObject({ name: 'math.calculate', args: { expression: '2 + 3' }, status: 'ok' })
  await row(page, /expression: 2 \+ 3/).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Copy request of step 1 as curl/ }).click()
  await expect(page.getByText('there is no request to send')).toBeVisible()
})

test('a call told in the inspector leads to its row, out of another tab and a folded step', async ({
  page,
  baseURL,
}) => {
  await ask(page, await createAgent(baseURL ?? '', config('trace-pointed', turns)))
  await finished(page)
  await row(page, /Step 1\b/)
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('tab', { name: /^Events/ }).click()
  await page.locator('.react-flow__node').filter({ hasText: 'math.calculate' }).first().click()
  const calls = page.getByRole('region', { name: 'In this run' })
  await calls.getByRole('button', { name: /2 \+ 3/ }).click()
  await expect(trace(page).locator('[data-active]')).toContainText('2 + 3')
})

test('an answer is markdown that runs nothing and fetches nothing', async ({ page, baseURL }) => {
  await ask(page, await createAgent(baseURL ?? '', config('trace-answer', turns)))
  await finished(page)
  const said = page.getByTestId('answer')
  await expect(said.getByRole('table')).toContainText('2 + 3')
  await expect(said.getByText('right', { exact: true })).toBeVisible()
  await expect(said.locator('img')).toHaveCount(0)
  await expect(said.locator('a[href]')).toHaveCount(0)
  await expect(said).toContainText('onerror')
  await expect(page).not.toHaveTitle('broken in')
})

test('events are listed by type, and one of them opens as JSON', async ({ page, baseURL }) => {
  await ask(page, await createAgent(baseURL ?? '', config('trace-events', turns)))
  await finished(page)
  await page.getByRole('tab', { name: /^Events/ }).click()
  await page.getByRole('combobox', { name: 'Type of event' }).selectOption('call.finished')
  const list = page.getByRole('region', { name: 'Events' })
  await expect(list.getByRole('button')).toHaveCount(3)
  await list.getByRole('button').first().click()
  await expect(page.getByRole('region', { name: 'The event as JSON' })).toContainText('"call.finished"')
})

const slowTurns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    text: `Turn ${index + 1}.`,
    calls: [{ name: 'math.calculate', args: { expression: `${index} + 1` } }],
    fault: { stallMs: 200 },
  }))

test('the end is followed until a person scrolls, and a reload in mid-run shows the same rows', async ({
  page,
  baseURL,
}) => {
  await ask(page, await createAgent(baseURL ?? '', config('trace-follow', slowTurns(500))))
  const body = trace(page)
  const top = () => body.evaluate((each) => each.scrollTop)
  const fromEnd = () => body.evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight)
  await expect.poll(top).toBeGreaterThan(200)
  await expect.poll(fromEnd).toBeLessThan(30)
  await body.hover()
  await page.mouse.wheel(0, -400)
  await page.getByRole('button', { name: 'Jump to now' }).click()
  await expect.poll(fromEnd).toBeLessThan(30)

  await page.reload()
  // If all rows are in view, it cannot be scrolled.
  await expect.poll(top).toBeGreaterThan(200)
  await body.focus()
  await page.keyboard.press('Home')
  await expect(row(page, /Turn 1\./)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
})

test('a follow-up waits until the run before it is over', deepOnly, async ({ page, baseURL }) => {
  await ask(page, await createAgent(baseURL ?? '', config('trace-queue', slowTurns(40))))
  await page.getByRole('textbox', { name: 'Question' }).fill('and once more')
  await page.keyboard.press('Alt+Enter')
  const waiting = page.getByRole('list', { name: 'Waiting messages' })
  await expect(waiting.getByText('and once more')).toBeVisible()
  await expect(waiting).toBeHidden({ timeout: 30_000 })
  await expect(page.getByRole('log', { name: 'Dialogue' })).toContainText('and once more')
})
