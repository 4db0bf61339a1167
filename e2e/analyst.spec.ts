/** The analyst: from a workbook that a person attaches to a chart and a report, in the chat and in the trace. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { call } from './api'
import { test } from './journey'

const folder = path.resolve('examples/analyst')
const config: object = JSON.parse(readFileSync(path.join(folder, 'analyst.json'), 'utf8'))

async function importAnalyst(url: string): Promise<string> {
  const { id } = await call<{ id: string }>(`${url}/api/agents/import?rename=1`, config, { status: 201 })
  return id
}

/** Whether a wall for Python holds on this machine. */
async function hasPython(url: string): Promise<boolean> {
  const { kinds } = await call<{ kinds: { kind: string; used: string | null }[] }>(`${url}/api/sandbox`)
  return kinds.some(({ kind, used }) => kind === 'python' && used !== null)
}

async function attach(page: Page, file: string) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles(file)
}

test('S1-11 the analyst goes from an attached workbook to a chart and a report', async ({
  page,
  baseURL,
}) => {
  test.skip(!(await hasPython(baseURL ?? '')), 'no wall for Python holds on this machine')
  const agent = await importAnalyst(baseURL ?? '')
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !/^(data|about|blob):/.test(request.url()))
      outside.push(request.url())
  })
  await page.goto(`/agents/${agent}/chat`)
  await attach(page, path.join(folder, 'sales.xlsx'))
  await page.getByRole('textbox', { name: 'Question' }).fill('Which region brought the most revenue?')
  await page.getByRole('button', { name: /^Send/ }).click()
  await expect(page.getByTestId('answer')).toContainText('600,100 of 1,431,540 euros', { timeout: 30_000 })

  const made = page.getByRole('list', { name: 'Created files' })
  const chart = made.getByRole('img', { name: 'revenue.png' })
  await expect(chart).toBeVisible()
  expect(await chart.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(1_000)

  await made.getByRole('button', { name: 'Open report.html' }).click()
  const dialog = page.getByRole('dialog', { name: 'report.html' })
  const report = dialog.frameLocator('iframe')
  await expect(report.getByRole('heading', { name: 'Revenue in 2025' })).toBeVisible()
  await expect(report.getByRole('cell', { name: '600,100' })).toBeVisible()
  const picture = report.getByRole('img', { name: 'Revenue by month and region' })
  expect(await picture.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(500)
  expect(await dialog.locator('iframe').getAttribute('sandbox')).not.toMatch(/allow-(scripts|same-origin)/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(outside).toEqual([])
})
