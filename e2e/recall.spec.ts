/** Memory and knowledge from the screen: a collection is filled and searched, an agent cites it and remembers. */
import fs from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

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

test(
  'S4-07 a file of 100 MB and a broken PDF are one sentence each, and a long upload shows its bytes',
  deepOnly,
  async ({ page, baseURL }, info) => {
    const folder = info.outputPath('files')
    fs.mkdirSync(folder, { recursive: true })
    const fileOf = (name: string, content: string | Buffer) => {
      fs.writeFileSync(path.join(folder, name), content)
      return path.join(folder, name)
    }
    await call(`${baseURL}/api/knowledge`, { name: 'large' })
    await page.goto('/settings#knowledge')
    await page.getByRole('button', { name: 'Open large' }).click()
    const files = page.getByLabel('Files for large')
    await files.setInputFiles([
      fileOf('big.txt', Buffer.alloc(100_000_000, 'a line of text\n')),
      fileOf('broken.pdf', '%PDF-1.7 broken'),
      fileOf('good.md', '# Soup\n\nOn Mondays.\n'),
    ])
    // Next has an empty one on every page.
    const alerts = page.getByRole('alert').filter({ hasText: '“' })
    await expect(alerts).toHaveText([
      /^ ?“big\.txt” is larger than 50 MiB, so it was not sent\.$/,
      /^ ?“broken\.pdf” cannot be read\. [^.]+\.$/,
    ])
    await expect(page.getByText('1 file added.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Files of large' }).getByRole('listitem')).toHaveCount(1)

    const slow = await page.context().newCDPSession(page)
    const conditions = { offline: false, latency: 0, downloadThroughput: -1 }
    await slow.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: 400_000 })
    const text = Array.from({ length: 20_000 }, (_, at) => `Line ${at} of a long text that is sent slowly.`)
    await files.setInputFiles(fileOf('long.txt', text.join('\n\n')))
    await expect(page.getByText('Sending long.txt (1 of 1)')).toBeVisible()
    const sent = page.getByRole('progressbar', { name: 'Sent' })
    const bytes = async () => Number(await sent.getAttribute('value'))
    await expect.poll(bytes).toBeGreaterThan(0)
    expect(await bytes()).toBeLessThan(900_000)
    await expect(page.getByText(/^[\d.]+ (kB|MB) of [\d.]+ (kB|MB)$/)).toBeVisible()
    await slow.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: -1 })
    await expect(page.getByRole('list', { name: 'Files of large' })).toContainText('long.txt')
  },
)

test(
  'S4-07 the trace shows what a call found with its rank, its file and its place',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    await call(`${url}/api/knowledge`, { name: 'shop' })
    const sent = await fetch(`${url}/api/knowledge/shop/files?name=returns.md`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: handbook,
    })
    expect(sent.status).toBe(201)
    const turns = [
      { calls: [{ name: 'knowledge.search', args: { query: 'after 30 days' } }] },
      { calls: [{ name: 'memory.record', args: { notes: ['The user asks about vouchers.'] } }] },
      { calls: [{ name: 'memory.search', args: { query: 'voucher' } }] },
      { text: 'A voucher [returns.md].' },
    ]
    const tools = [
      { use: 'knowledge', collections: ['shop'] },
      { use: 'memory', mode: 'agent' },
    ]
    const agent = await createAgent(url, scriptedConfig('finder', turns, { tools }))
    const { id } = await call<{ id: string }>(`${url}/api/agents/${agent}/runs`, {
      input: 'Late?',
      user: 'ada',
    })
    await expect
      .poll(async () => (await call<{ status: string }>(`${url}/api/runs/${id}`)).status)
      .toBe('completed')
    await page.goto(`/runs/${id}`)
    const trace = page.getByRole('treegrid')
    await trace.getByRole('row', { name: /From knowledge/ }).click()
    const passages = page.getByRole('list', { name: 'Passages' })
    await expect(passages.getByRole('listitem').first()).toContainText('returns.md · Returns › After 30 days')
    await expect(passages.getByRole('listitem').first()).toContainText(/best match.*Only a voucher is given/)
    await trace.getByRole('row', { name: /Remembered/ }).click()
    await expect(page.getByRole('list', { name: 'Recorded notes' })).toHaveText(
      'The user asks about vouchers.',
    )
    await trace.getByRole('row', { name: /^memory\.search/ }).click()
    await expect(page.getByRole('heading', { name: 'Found in memory' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Notes' })).toContainText('The user asks about vouchers.')
  },
)
