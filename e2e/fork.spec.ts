/** Forks: a stored run continues from one of its steps with a change, and forked runs link to each other. */
import { expect, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig, type Turn } from './api'
import { test } from './journey'

const turns: readonly Turn[] = [
  { text: 'First the sum.', calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] },
  {
    text: 'Then tax and shipping.',
    calls: [
      { name: 'math.calculate', args: { expression: '42*2' } },
      { name: 'math.calculate', args: { expression: '42+8' } },
    ],
  },
  { text: 'That is all.' },
]

interface View {
  readonly answer: string | null
  readonly input: string
  readonly forkedFrom: { readonly runId: string; readonly step: number; readonly edit?: string } | null
}

let names = 0

async function ran(baseURL: string | undefined): Promise<string> {
  const url = `${baseURL}`
  const agent = await createAgent(url, scriptedConfig(`fork-${Date.now().toString(36)}-${names++}`, turns))
  const id = await begin(url, agent, 'What does it come to?')
  await readStream(url, id, 0)
  return id
}

const detail = (page: Page) => page.getByRole('complementary', { name: /^Step/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Fork from step/ })
const trace = (page: Page) => page.getByRole('treegrid', { name: 'Trace' })
const runIn = (page: Page) => page.url().split('/').at(-1) ?? ''

/** Waits for the page of another, finished run, and returns the run's id. */
async function arrived(page: Page, from: string): Promise<string> {
  await expect(page).not.toHaveURL(new RegExp(`${from}$`))
  await expect(page.getByRole('banner').getByText('Completed')).toBeVisible()
  return runIn(page)
}

/** Opens a finished run with its second step selected; returns the run's id. */
async function ranToStepTwo(page: Page, baseURL: string | undefined): Promise<string> {
  const parent = await ran(baseURL)
  await page.goto(`/runs/${parent}`)
  await expect(detail(page)).toHaveAccessibleName('Step 3')
  await page.keyboard.press('k')
  await expect(detail(page)).toHaveAccessibleName('Step 2')
  return parent
}

test('a call runs with other arguments, by keys alone, and what was taken over is marked', async ({
  page,
  baseURL,
}) => {
  const parent = await ranToStepTwo(page, baseURL)
  await page.keyboard.press('f')
  await expect(dialog(page)).toBeVisible()
  await page.getByRole('radio', { name: 'Nothing' }).focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Arguments' })).toHaveAttribute('aria-checked', 'true')
  await expect(dialog(page)).toContainText('Step 1 is kept and not run again.')
  await page.getByLabel('expression').fill('1000+1')
  await page.keyboard.press('Control+Enter')

  const fork = await arrived(page, parent)
  await expect(trace(page).getByRole('row', { name: /Step 1/ })).toContainText('copied')
  await expect(trace(page).getByRole('row', { name: /1000\+1/ })).toContainText('arguments by you')
  await expect(trace(page)).toContainText('1001')
  const view = await call<View>(`${baseURL}/api/runs/${fork}`)
  expect(view.forkedFrom).toMatchObject({ runId: parent, step: 2, edit: 'args' })
  const asked = await call<{ exact: boolean }>(`${baseURL}/api/runs/${fork}/requests/3`)
  expect(asked.exact).toBe(true)

  // It is a fork of the run that the link in the bar leads to.
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Forked from run/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`${parent}$`))
})

test('the model continues from another result; the tree leads from run to run', async ({ page, baseURL }) => {
  const parent = await ranToStepTwo(page, baseURL)
  await detail(page).getByRole('button', { name: 'Fork from math.calculate' }).first().click()
  await page.getByRole('radio', { name: 'Result' }).click()
  await page.getByLabel('Result of math.calculate').fill('ninety')
  await expect(dialog(page)).toContainText('1 call that ended later runs again.')
  await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click()
  const first = await arrived(page, parent)
  await expect(trace(page)).toContainText('ninety')
  await expect(trace(page)).toContainText('result by you')

  await expect(detail(page)).toHaveAccessibleName('Step 3')
  await page.keyboard.press('f')
  await page.getByRole('radio', { name: 'Reply' }).click()
  await page.getByLabel('Reply').fill('It comes to my own words.')
  await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click()
  const second = await arrived(page, first)
  expect((await call<View>(`${baseURL}/api/runs/${second}`)).answer).toBe('It comes to my own words.')

  await page.getByRole('tab', { name: /^Branches/ }).click()
  const tree = page.getByRole('region', { name: 'Branches' })
  const links = tree.getByRole('link')
  await expect(links).toHaveCount(3)
  await expect(links.nth(1)).toContainText('step 2, another result')
  await expect(links.nth(2)).toContainText('step 3, another reply')
  await expect(links.nth(2)).toHaveAttribute('aria-current', 'page')
  await links.nth(0).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${parent}$`))

  const rail = page.getByRole('complementary', { name: 'Runs' })
  await expect(rail.getByRole('img', { name: /^Forked from run/ })).not.toHaveCount(0)
})

test('another question begins anew, and a refusal stays in the dialog', async ({ page, baseURL }) => {
  const parent = await ran(baseURL)
  await page.goto(`/runs/${parent}`)
  await expect(detail(page)).toHaveAccessibleName('Step 3')
  await page.keyboard.press('f')
  await page.getByRole('radio', { name: 'Question' }).click()
  const question = dialog(page).getByRole('textbox', { name: 'Question' })
  await expect(question).toHaveValue('What does it come to?')
  await question.fill(' ')
  await expect(dialog(page).getByRole('button', { name: 'Fork', exact: true })).toBeDisabled()
  await question.fill('And the other one?')
  await page.route('**/fork', (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: 'unavailable', message: 'Nothing can be stored just now.' } },
    }),
  )
  await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Nothing can be stored just now.')
  await page.unroute('**/fork')
  await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click()
  const fork = await arrived(page, parent)
  expect((await call<View>(`${baseURL}/api/runs/${fork}`)).input).toBe('And the other one?')
})
