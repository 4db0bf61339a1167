/** The first minute: open the example, ask, watch every step, get the right figure. */
import { expect } from '@playwright/test'
import { begin, call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { ownServer } from './own-server'

// With animations, as most people see the pages.
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'no-preference' }))

const question = 'Which country brought the most revenue, and how much?'

interface Tried {
  readonly result: {
    readonly blocks?: readonly { readonly rows?: readonly (readonly (string | number)[])[] }[]
  }
}

/** The right answer, queried by hand from the same database. */
async function truth(url: string): Promise<{ country: string; revenue: number }> {
  const sql = `SELECT c.country, SUM(l.quantity * l.unit_price) AS revenue
    FROM invoice_lines l JOIN invoices i USING (invoice_id) JOIN customers c USING (customer_id)
    WHERE l.is_returned = 0
    GROUP BY c.country ORDER BY revenue DESC LIMIT 1`
  const tried = await call<Tried>(
    `${url}/api/tools/sql.execute/try`,
    { args: { sql, database: 'retail' } },
    { status: 200 },
  )
  const [country, revenue] = tried.result.blocks?.[0]?.rows?.[0] ?? []
  return { country: String(country), revenue: Number(revenue) }
}

test('a stranger opens Retail analyst, asks, sees each call in the trace, and reads the true figure', async ({
  page,
  baseURL,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Retail analyst' }).first().click()
  await expect(page.getByRole('region', { name: 'Run' })).toBeVisible()
  await page.getByRole('tabpanel', { name: 'Trace' }).getByRole('button', { name: question }).click()
  const answer = page.getByTestId('answer')
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  const { country, revenue } = await truth(baseURL ?? '')
  await expect(answer).toContainText(country)
  const figures = ((await answer.textContent()) ?? '').match(/\d[\d,]*(\.\d+)?/g) ?? []
  expect(figures.map((each) => Number(each.replaceAll(',', '')))).toContainEqual(expect.closeTo(revenue, 0))
  const trace = page.getByRole('treegrid', { name: 'Trace' })
  for (const tool of ['schema.list_tables', 'schema.list_columns', 'sql.execute']) {
    await expect(trace.getByText(tool, { exact: true }).first()).toBeAttached()
  }
  await expect(page.getByText('is not an AI')).toBeVisible()
})

test.describe('while nothing has run', () => {
  const ends: (() => Promise<void>)[] = []
  test.afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  test('the first page says what this is, and asks the example with one click', async ({ page }) => {
    const server = await ownServer()
    ends.push(() => server.dispose())
    await server.start()
    await page.goto(server.url)
    await expect(page.getByRole('link', { name: 'Loopwright, all agents' })).toContainText('Loopwright')
    await expect(page.getByText('which is not an AI and needs no key')).toBeVisible()
    await page.getByRole('button', { name: 'Ask the example' }).click()
    await page.waitForURL(/\/agents\/.+run=/)
    await expect(page.getByTestId('answer')).toContainText('Germany')
    await page.goto(server.url)
    await expect(page.getByRole('link', { name: /^Completed/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Ask the example' })).toHaveCount(0)
  })
})

test('calls appear while the run goes on, a reload in mid-run shows the same run, and Stop ends it', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const turns = Array.from({ length: 400 }, (_, index) => ({
    text: `Turn ${index + 1}.`,
    calls: [{ name: 'math.calculate', args: { expression: `${index} + 1` } }],
    fault: { stallMs: 300 },
  }))
  const agent = await createAgent(url, scriptedConfig('slow-counter', turns))
  await page.goto(`/agents/${agent}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('count slowly')
  await page.keyboard.press('Enter')
  const trace = page.getByRole('treegrid', { name: 'Trace' })
  await expect(trace.getByText('math.calculate', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  const run = new URL(page.url()).searchParams.get('run')
  expect(run).not.toBeNull()
  await page.reload()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  await expect(page.getByRole('log', { name: 'Dialogue' }).getByText('count slowly')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('run')).toBe(run)
  await page.getByRole('textbox', { name: 'Question' }).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  const stored = await call<{ status: string; steps: number }>(`${url}/api/runs/${run}`)
  expect(stored.status).toBe('cancelled')
  expect(stored.steps).toBeLessThan(400)
})

test('a run page shows a finished run whole: its frozen canvas, its trace and the request of each step', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(
    url,
    scriptedConfig('shown-run', [
      { text: 'Let me see.', calls: [{ name: 'math.calculate', args: { expression: '6 * 7' } }] },
      { text: 'It is 42.' },
    ]),
  )
  const run = await begin(url, agent, 'What is 6 times 7?')
  await page.goto(`/runs/${run}`)
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(page.locator('.react-flow__node').first()).toBeVisible()
  await expect(
    page.getByRole('treegrid', { name: 'Trace' }).getByText('math.calculate', { exact: true }).first(),
  ).toBeVisible()
  await page.goto('/runs')
  await expect(page.getByText('What is 6 times 7?').first()).toBeVisible()
})
