/** Settings with late answers: each answer applies to what was asked, and removes nothing typed since. */
import { expect, type Page, type Route } from '@playwright/test'
import { followRequests, hold } from './hold'
import { test } from './journey'

const endpoint = {
  name: 'openai',
  kind: 'openai',
  label: 'OpenAI',
  baseUrlFrom: 'settings',
  key: null,
  idleSeconds: null,
  ready: true,
}
const answered = {
  ok: true,
  models: ['gpt-5-mini'],
  message: '1 model',
  at: 1_700_000_000_000,
  durationMs: 5,
}
const away = 'http://127.0.0.1:9/v1'

/** A provider at an address that does not answer; every other address does. */
async function withProvider(page: Page, tested: object | null): Promise<Route[]> {
  let baseUrl = away
  const late: Route[] = []
  await page.route('**/api/providers', (route) =>
    route.fulfill({ json: { items: [{ ...endpoint, baseUrl, test: tested }] } }),
  )
  await page.route('**/api/providers/openai', (route) => {
    baseUrl = route.request().postDataJSON().baseUrl
    return route.fulfill({ json: { ...endpoint, baseUrl, test: null } })
  })
  await page.route(/\/api\/providers\/openai\/test(-model)?$/, (route) => {
    if (baseUrl === away) late.push(route)
    else return route.fulfill({ json: answered })
  })
  await page.goto('/settings#models')
  return late
}

const provider = (page: Page) => page.getByRole('listitem', { name: 'OpenAI', exact: true })

test('the test of an address that was changed meanwhile says nothing of the new one', async ({ page }) => {
  const calmBut = followRequests(page)
  const late = await withProvider(page, null)
  const row = provider(page)
  await row.getByRole('button', { name: 'Test', exact: true }).click()
  await expect.poll(() => late.length).toBe(1)
  await row.getByRole('button', { name: 'Edit OpenAI' }).click()
  await row.getByRole('button', { name: 'Test without saving' }).click()
  await expect.poll(() => late.length).toBe(2)
  await row.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:10/v1')
  const failed = { ...answered, ok: false, models: [], message: 'No answer.', code: 'timeout' }
  await late[1]?.fulfill({ json: failed })
  await calmBut(() => late.slice(0, 1).map((route) => route.request()))
  await expect(row.getByText('No answer.')).toBeHidden()
  await row.getByRole('button', { name: 'Save and test' }).click()
  await expect(row.getByRole('textbox', { name: 'Address' })).toBeHidden()
  await expect(row.getByText('Ready', { exact: true })).toBeVisible()
  await late[0]?.fulfill({ json: failed })
  await calmBut()
  await expect(row.getByText('No answer.')).toBeHidden()
  await expect(row.getByRole('status').filter({ hasText: 'model' })).toBeVisible()
})

test('what a test finds of one model is not told of another', async ({ page }) => {
  const late = await withProvider(page, answered)
  const row = provider(page)
  await row.getByRole('button', { name: 'Test a model' }).click()
  await row.getByRole('combobox', { name: 'Model' }).fill('model-a')
  await row.getByRole('button', { name: 'Test this model' }).click()
  await expect.poll(() => late.length).toBe(1)
  await row.getByRole('combobox', { name: 'Model' }).fill('model-b')
  await expect(row.getByRole('table', { name: 'Formats' })).toBeHidden()
  await expect(row.getByRole('button', { name: 'Test this model' })).toBeEnabled()
})

test('what is typed into a price while prices are saved stays', async ({ page }) => {
  await page.goto('/settings#prices')
  const cell = page.getByRole('textbox', { name: /^Input of / }).first()
  const saved = `${Number(await cell.inputValue()) + 1}`
  await cell.fill(saved)
  const saving = await hold(page, '**/api/settings', 'PUT')
  // Leaving the row saves it.
  await page.getByRole('button', { name: 'Add a price' }).focus()
  await expect.poll(saving.count).toBe(1)
  await cell.fill('88')
  await saving.release()
  await expect(cell).toHaveValue('88')
  const stored = page.waitForResponse((each) => each.request().method() === 'PUT')
  await cell.press('Enter')
  await stored
  await page.reload()
  await expect(cell).toHaveValue('88')
})
