/** A report, shown while the model writes it, then as the finished page: in the builder, its trace and the chat. */
import { expect, type Page } from '@playwright/test'
import { createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const sections = Array.from(
  { length: 12 },
  (_, index) => `## Region ${index + 1}\n\nRevenue grew by **${index + 1} %**.\n\n- first\n- second\n`,
)
const content = `# Revenue in 2025\n\n![far](https://pictures.test/p.png)\n\n<b onclick="x()">as written</b>\n\n${sections.join('\n')}\nThe end.`

/** An agent whose model pauses half-way through its report. */
function writer(url: string, name: string): Promise<string> {
  const calls = [{ name: 'report.write', args: { title: 'Revenue', content, path: 'reports/revenue.html' } }]
  const config = scriptedConfig(name, [
    { calls, fault: { stallMs: 4_000 } },
    { text: 'The report is ready.' },
  ])
  return createAgent(url, {
    ...config,
    tools: [{ use: 'builtin', tools: ['report.write'] }],
  })
}

const panel = (page: Page) => page.getByRole('region', { name: 'Document', exact: true })
const draft = (page: Page) => panel(page).getByTestId('draft')

/** The report grows in the panel, its end in view, and gives way to the page. */
async function seesReport(page: Page): Promise<void> {
  await expect(panel(page).getByText('being written')).toBeVisible()
  await expect(draft(page).getByRole('heading', { name: 'Revenue in 2025' })).toBeAttached()
  await expect(draft(page).getByRole('heading', { name: 'Region 2', exact: true })).toBeAttached()
  await expect(draft(page).getByText('The end.')).toHaveCount(0)
  await expect(draft(page).locator('img, b[onclick]')).toHaveCount(0)
  const below = () => draft(page).evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight)
  await expect.poll(below).toBeLessThan(24)
  expect(await draft(page).evaluate((each) => each.scrollTop)).toBeGreaterThan(50)
  const frame = panel(page).locator('iframe')
  await expect(frame).toBeVisible({ timeout: 20_000 })
  expect(await frame.getAttribute('sandbox')).not.toMatch(/allow-(scripts|same-origin)/)
  const finished = panel(page).frameLocator('iframe')
  await expect(finished.getByRole('heading', { name: 'Region 12' })).toBeAttached()
  await expect(draft(page)).toHaveCount(0)
  await expect(page.getByTestId('answer')).toHaveText('The report is ready.')
  await panel(page).getByRole('button', { name: 'Open revenue.html' }).click()
  await expect(page.getByRole('dialog').frameLocator('iframe').getByText('The end.')).toBeVisible()
  await page.keyboard.press('Escape')
}

test(
  'S1-11 a report is shown in the chat while it is written, then as the page',
  deepOnly,
  async ({ page, baseURL }) => {
    const agent = await writer(baseURL ?? '', 'chat-reporter')
    const outside: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('pictures.test')) outside.push(request.url())
    })
    await page.goto(`/agents/${agent}/chat`)
    await page.getByRole('textbox', { name: 'Question' }).fill('Write the report.')
    await page.keyboard.press('Enter')
    await seesReport(page)
    // A finished run is read from the server after a reload.
    await page.reload()
    await expect(panel(page).locator('iframe')).toBeVisible()
    expect(await panel(page).locator('iframe').getAttribute('sandbox')).not.toMatch(
      /allow-(scripts|same-origin)/,
    )
    await panel(page)
      .getByRole('button', { name: /^Revenue|^revenue/ })
      .click()
    await expect(panel(page).locator('iframe')).toHaveCount(0)
    expect(outside).toEqual([])
  },
)

test(
  'S1-11 a report is shown in the builder and in its trace while it is written',
  deepOnly,
  async ({ page, baseURL }) => {
    const agent = await writer(baseURL ?? '', 'builder-reporter')
    await page.goto(`/agents/${agent}#ask`)
    await page.getByRole('textbox', { name: 'Question' }).fill('Write the report.')
    await page.getByRole('button', { name: /^Run/ }).click()
    const row = page.getByRole('row', { name: /^report\.write/ })
    await row.click()
    const opened = page.getByRole('region', { name: 'Opened row' })
    await expect(opened.getByRole('heading', { name: 'Document' })).toBeVisible()
    await expect(opened.getByRole('heading', { name: 'Revenue in 2025' })).toBeAttached()
    await seesReport(page)
    await expect(opened.getByRole('heading', { name: 'Document' })).toHaveCount(0)
  },
)
