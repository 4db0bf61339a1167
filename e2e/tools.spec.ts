/** The page of an agent's tools: a tool is tried, its try is kept, and a mock answers its calls in a run. */
import { expect } from '@playwright/test'
import { test } from './journey'

const config = {
  name: 'shop-clerk',
  title: 'Shop clerk',
  model: {
    provider: 'scripted',
    name: 'script',
    paceMs: 0,
    turns: [
      { text: 'I look.', calls: [{ name: 'prices.lookup', args: { item: 'tea' } }] },
      { text: 'I know the price.' },
    ],
  },
  tools: [
    { use: 'builtin', tools: ['files.create', 'math.calculate'] },
    {
      use: 'code',
      name: 'prices.lookup',
      description: 'Looks up the price of an item.',
      parameters: {
        type: 'object',
        properties: { item: { type: 'string' } },
        required: ['item'],
        additionalProperties: false,
      },
      source: 'return { item: args.item, price: 4 }',
      risk: 'read',
    },
  ],
}

test('S0-29 S3-19 a tool is tried from its page and mocked, and a mocked run says so everywhere', async ({
  page,
  request,
}) => {
  const made = await request.post('/api/agents', { data: { config } })
  const { id } = await made.json()
  await page.goto(`/agents/${id}/tools`)
  await page.getByRole('navigation', { name: 'Tools of the draft' }).getByText('prices.lookup').click()

  // A missing argument is reported in its field, and nothing runs.
  await page.getByRole('button', { name: 'Run it once' }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(page.getByRole('textbox', { name: 'item' })).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('textbox', { name: 'item' }).fill('tea')
  await page.keyboard.press('Control+Enter')
  await expect(result.getByText('Done')).toBeVisible()
  await expect(result.getByText('"tea"')).toBeVisible()
  await expect(result.getByRole('region', { name: 'Earlier tries' }).getByText('item: tea')).toBeVisible()

  await page.getByRole('tab', { name: 'Mock' }).click()
  await page.getByRole('textbox', { name: 'Result' }).fill('nine pounds')
  await page.getByRole('button', { name: 'Mock this tool' }).click()
  await expect(page.getByText('Mocked in runs of the draft.')).toBeVisible()

  const begun = await request.post(`/api/agents/${id}/runs`, { data: { input: 'How much is tea?' } })
  const { id: run } = await begun.json()
  await page.goto(`/runs/${run}`)
  await expect(page.getByText('1 mock', { exact: true })).toBeVisible()
  await expect(page.getByText('mocked: fixed')).toBeVisible()
  await expect(page.getByText('nine pounds').first()).toBeVisible()

  // From the call back to its tool, with the same arguments.
  await page.getByText('mocked: fixed').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Try again with these arguments' }).click()
  await expect(page.getByRole('textbox', { name: 'item' })).toHaveValue('tea')
  await expect(page.getByText('With the arguments of a call of the run')).toBeVisible()

  await page.goto(`/runs?agent=${id}`)
  await expect(page.getByRole('img', { name: 'Mocked tool: prices.lookup (fixed)' }).first()).toBeVisible()
})

test('S0-29 @deep a tool that writes asks first, its example reaches the drawing, and a lost mock is said', async ({
  page,
  request,
}) => {
  const made = await request.post('/api/agents', { data: { config: { ...config, name: 'shop-writer' } } })
  const { id } = await made.json()
  await request.put(`/api/agents/${id}/mocks/no.longer`, { data: { mock: { answer: { kind: 'echo' } } } })
  await page.goto(`/agents/${id}/tools/files.create`)
  await page.getByRole('textbox', { name: 'path' }).fill('note.txt')
  await page.getByRole('textbox', { name: 'content' }).fill('Hello')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Its risk is write')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Run it once' }).click()
  await page.getByRole('button', { name: 'Yes, run it' }).click()
  await expect(page.getByRole('region', { name: 'Result' }).getByText('Done')).toBeVisible()
  await page.getByText('Files for tries').click()
  await expect(page.getByRole('link', { name: 'note.txt' }).first()).toBeVisible()

  // It is ticked by what is stored, so not at once.
  await page.getByRole('checkbox', { name: 'Example' }).click()
  await expect
    .poll(async () => (await (await request.get(`/api/agents/${id}`)).json()).config.tools[0].example)
    .toEqual({ 'files.create': expect.stringContaining('note.txt') })

  // A kept try fills in its arguments again.
  await page.getByRole('textbox', { name: 'path' }).fill('other.txt')
  await page.getByRole('region', { name: 'Earlier tries' }).getByText('note.txt').click()
  await expect(page.getByRole('textbox', { name: 'path' })).toHaveValue('note.txt')
  await page.getByRole('checkbox', { name: 'Example' }).click()
  await expect
    .poll(async () => (await (await request.get(`/api/agents/${id}`)).json()).config.tools[0].example)
    .toBeUndefined()

  await expect(page.getByText('Mocks without a tool')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the mock of no.longer' }).click()
  await expect(page.getByText('Mocks without a tool')).toBeHidden()
})
