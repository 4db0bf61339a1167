/** Memory and knowledge from the screen: a collection is filled and searched, an agent cites it and remembers. */
import { expect } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'

const handbook = '# Returns\n\n## After 30 days\n\nOnly a voucher is given.\n\n## Broken\n\nIt is replaced.\n'

test('S4-06 S4-07 files are added and searched, an agent cites them, and what it notes is changed and forgotten', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  await page.goto('/settings#knowledge')
  await page.getByRole('button', { name: 'Add a collection' }).click()
  const form = page.getByRole('form', { name: 'Add a collection' })
  await form.getByRole('textbox', { name: 'Name' }).fill('handbook')
  await form.getByRole('button', { name: 'Add collection' }).click()
  await page.getByLabel('Files for handbook').setInputFiles([
    { name: 'returns.md', mimeType: 'text/markdown', buffer: Buffer.from(handbook) },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 no') },
  ])
  await expect(page.getByRole('list', { name: 'Files of handbook' })).toContainText('2 passages')
  await expect(page.getByText('1 file added.')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: '“broken.pdf” cannot be read.' })).toBeVisible()
  const search = page.getByRole('search', { name: 'Search collections' })
  await search.getByRole('textbox', { name: 'Question' }).fill('return after 30 days')
  await search.getByRole('button', { name: 'Search' }).click()
  const passages = page.getByRole('list', { name: 'Passages' })
  await expect(passages.getByRole('listitem').first()).toContainText('returns.md · Returns › After 30 days')

  const turns = [
    { calls: [{ name: 'knowledge.search', args: { query: 'after 30 days' } }] },
    { calls: [{ name: 'memory.record', args: { notes: ['The user asks about vouchers.'] } }] },
    { text: 'A voucher [returns.md].' },
  ]
  const tools = [{ use: 'knowledge', collections: ['handbook'] }, { use: 'memory' }]
  const agent = await createAgent(url, scriptedConfig('recaller', turns, { tools }))
  const { id } = await call<{ id: string }>(`${url}/api/agents/${agent}/runs`, {
    input: 'Late?',
    user: 'ada',
  })
  await expect
    .poll(async () => (await call<{ status: string }>(`${url}/api/runs/${id}`)).status)
    .toBe('completed')
  await page.goto(`/runs/${id}`)
  await expect(page.getByText('Not remembered')).toBeVisible()
  await expect(page.getByText('From memory')).toBeVisible()

  await page.goto(`/agents/${agent}/memory`)
  const entries = page.getByRole('list', { name: 'Entries' })
  await expect(entries).toContainText('The user asks about vouchers.')
  await entries.getByRole('button', { name: 'Change this entry' }).click()
  await entries.getByRole('textbox', { name: 'Entry' }).fill('The user likes vouchers.')
  await entries.getByRole('button', { name: 'Save' }).click()
  await expect(entries).toContainText('The user likes vouchers.')
  await page.getByRole('searchbox', { name: 'Search this memory' }).fill('parcels')
  await expect(page.getByText('No entry has these words.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search this memory' }).fill('voucher')
  await entries.getByRole('button', { name: 'Forget this entry' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
  await expect(page.getByText('Nothing is remembered yet')).toBeVisible()
})
