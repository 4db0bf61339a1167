/** A person at the page of a tool: fills in the form, agrees where that is asked, and reads the result. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { ToolCase } from './cases'

/** Runs the tool from its page, and returns the part of the page with this result alone. */
export async function tryOnPage(page: Page, url: string, { name, args, reply }: ToolCase): Promise<Locator> {
  await page.goto(`${url}/tools/${encodeURIComponent(name)}`)
  const form = page.getByRole('region', { name: 'Arguments' })
  const run = form.getByRole('button', { name: 'Run it once' })
  await run.waitFor()
  if (Object.values(args).some((each) => typeof each === 'object')) await writeJson(form, args)
  else for (const [key, value] of Object.entries(args)) await fill(form, key, value)
  await run.click()
  const agree = form.getByRole('button', { name: 'Yes, run it' })
  const result = page.getByRole('region', { name: 'Result', exact: true })
  const over = result.getByRole('heading', { name: 'Result', exact: true })
  const question = result.getByRole('region', { name: `Question of ${name}` })
  await agree
    .or(question)
    .or(over.locator('..').getByText(/^(Done|Failed|Timed out)$/))
    .or(result.getByRole('status'))
    .first()
    .waitFor()
  if (await agree.isVisible()) await agree.click()
  if (reply !== undefined) await question.getByRole('button', { name: reply }).click()
  await expect(over.locator('..').getByText(/^(Done|Failed|Timed out)$/)).toBeVisible({ timeout: 60_000 })
  return over.locator('xpath=../..')
}

async function writeJson(form: Locator, args: object): Promise<void> {
  await form.getByRole('radio', { name: 'JSON' }).click()
  const editor = form.getByRole('textbox', { name: 'Arguments as JSON' })
  await editor.fill(JSON.stringify(args))
  await editor.blur()
}

async function fill(form: Locator, key: string, value: unknown): Promise<void> {
  const field = form.getByLabel(key, { exact: true })
  if (typeof value === 'boolean') return field.setChecked(value)
  const kind = await field.evaluate((each) => each.tagName)
  if (kind === 'SELECT') await field.selectOption(String(value))
  else {
    await field.fill(String(value))
    await field.blur()
  }
}
