/** A call in the background as a person sees it: at work while the model goes on, then with its result. */
import { expect } from '@playwright/test'
import { createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const turns = [
  { text: 'I start the report.', calls: [{ name: 'report_build', args: { pages: 12 } }] },
  { text: 'Meanwhile I add up.', calls: [{ name: 'math.calculate', args: { expression: '2 + 3' } }] },
  { text: 'The sum is 5. The report is still being built.' },
  { text: 'The sum is 5, and the report has 12 pages.' },
]

const config = (name: string) =>
  scriptedConfig(name, turns, {
    tools: [
      {
        use: 'code',
        name: 'report_build',
        description: 'Builds a report.',
        parameters: { type: 'object', properties: { pages: { type: 'integer' } } },
        source: `await new Promise((done) => setTimeout(done, 3000)); return 'The report has ' + args.pages + ' pages.'`,
        risk: 'read',
        background: true,
      },
      { use: 'builtin', tools: ['math.calculate'] },
    ],
  })

test(
  'S4-42 a call in the background works while the model goes on, and the answer has its result',
  deepOnly,
  async ({ page, baseURL }) => {
    const agent = await createAgent(baseURL ?? '', config('background'))
    await page.goto(`/agents/${agent}`)
    await page.getByRole('textbox', { name: 'Question' }).fill('Build the report and add up.')
    await page.keyboard.press('Enter')
    const trace = page.getByRole('treegrid', { name: 'Trace' })
    const row = (name: RegExp) => trace.getByRole('row', { name })
    await expect(page.locator('.react-flow__node').getByText('background · pages: 12')).toBeVisible()
    // The next steps are over while the call is still at work.
    await expect(row(/The report is still being built/)).toBeVisible()
    await expect(row(/report_build.*in the background.*running/)).toBeVisible()
    await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
    await expect(row(/Result of report_build, from the background.*The report has 12 pages/)).toBeVisible()
    await expect(row(/The sum is 5, and the report has 12 pages/).first()).toBeVisible()
    await row(/report_build.*in the background/).click()
    await expect(trace.getByText('Started in the background as call_1_1.')).toBeVisible()
  },
)
