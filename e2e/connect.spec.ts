/** Lending an agent out: a key is made on screen, its link opens a chat, and its MCP clients are watched live. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const approving = [
  { calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] },
  { text: 'It is 42.' },
]

test(
  'a key of use chat is made on screen, and its link opens a chat of its own',
  deepOnly,
  async ({ page, browser, server: { url } }) => {
    const policies = [{ use: 'approval', appliesTo: ['math.*'] }]
    const id = await createAgent(url, scriptedConfig('lent-chat', approving, { title: 'Lent', policies }))
    await begin(url, id, 'A question of the operator')
    await page.goto(`/agents/${id}`)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByText('No version is published yet')).toBeVisible()
    await call(`${url}/api/agents/${id}/versions`, {})
    await page.reload()
    await expect(page.getByText('Holders of keys get version 1.')).toBeVisible()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const form = page.getByRole('form', { name: 'Make a key' })
    await form.getByLabel('Name').fill('Support desk')
    await form.getByRole('radio', { name: 'Chat' }).click()
    await form.getByRole('button', { name: 'Make key' }).click()
    const made = page.getByRole('region', { name: 'The new key Support desk' })
    const text = await made.getByTestId('new-key').textContent()
    const link = `${url}/talk/lent-chat#${text}`
    await expect(made.getByText(link)).toBeVisible()

    // Another person, who knows nothing but the link.
    const guest = await browser.newContext()
    const talk = await guest.newPage()
    const refused: string[] = []
    talk.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await talk.goto(link)
    await expect(talk.getByRole('heading', { name: 'Lent', level: 2 })).toBeVisible()
    await expect(talk.getByText('A question of the operator')).toHaveCount(0)
    await talk.locator('#question').fill('What is 6 times 7?')
    await talk.keyboard.press('Enter')
    await expect(talk.getByText('Waiting for the operator, who decides about this call')).toBeVisible()
    await expect(talk.getByRole('button', { name: /approve/i })).toHaveCount(0)

    const { items } = await call<{ items: { id: string; pending: { callId: string }[] }[] }>(
      `${url}/api/runs?agent=${id}&status=waiting`,
    )
    for (const each of items)
      await call(
        `${url}/api/runs/${each.id}/approvals/${each.pending[0]?.callId}`,
        { decision: 'approve' },
        { status: 200 },
      )
    await expect(talk.getByText('It is 42.')).toBeVisible()
    await talk.getByRole('button', { name: 'Good answer' }).click()
    await expect(talk.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'true')
    await talk.reload()
    await expect(talk.getByText('It is 42.')).toBeVisible()
    expect(refused).toEqual([])

    await made.getByRole('button', { name: 'I have copied it' }).click()
    await expect(page.getByText(text ?? '')).toHaveCount(0)
    await expect(page.getByRole('listitem', { name: 'Support desk' })).toContainText('1 of 100 runs')
    await page.getByRole('button', { name: 'Revoke Support desk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('No keys yet.')).toBeVisible()
    await talk.reload()
    await expect(talk.getByRole('heading', { name: /key is not known/ })).toBeVisible()
    await talk.goto(link.slice(0, -1))
    await expect(talk.getByRole('heading', { name: 'This link is not complete' })).toBeVisible()
    await guest.close()
  },
)

test('S0-33 the holder of a chat key answers the questions of the agent on a phone', async ({
  browser,
  server: { url },
}) => {
  const ask = (args: object) => ({ calls: [{ name: 'human.ask', args }] })
  const turns = [
    ask({ question: 'Which city?', choices: ['Lisbon', 'Porto'] }),
    ask({ question: 'For how many people?' }),
    { text: 'A table for four in Porto.' },
  ]
  const tools = [{ use: 'builtin', tools: ['human.ask'] }]
  const id = await createAgent(url, scriptedConfig('lent-asker', turns, { title: 'Tables', tools }))
  await call(`${url}/api/agents/${id}/versions`, {})
  const { key } = await call<{ key: string }>(`${url}/api/agents/${id}/keys`, { name: 'Guest', use: 'chat' })
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const talk = await phone.newPage()
  const refused: string[] = []
  talk.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  await talk.goto(`${url}/talk/lent-asker#${key}`)
  await talk.locator('#question').fill('Book a table.')
  await talk.getByRole('button', { name: 'Send' }).tap()
  const question = talk.getByRole('region', { name: 'Question of human.ask' })
  await expect(question).toContainText('Which city?')
  await question.getByRole('button', { name: 'Porto' }).tap()
  await expect(question).toContainText('For how many people?')
  const overflow = await talk.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await question.getByRole('textbox', { name: 'Your answer' }).fill('Four')
  await question.getByRole('button', { name: 'Send' }).tap()
  await expect(question).toHaveCount(0)
  await expect(talk.getByTestId('answer')).toContainText('A table for four in Porto.')
  const { items } = await call<{ items: { id: string }[] }>(`${url}/api/runs?agent=${id}`)
  const replied = (await readStream(url, items[0]?.id ?? '', 0)).filter(({ type }) => type === 'input.given')
  expect(replied.map(({ data }) => data.text)).toEqual(['Porto', 'Four'])
  expect(refused).toEqual([])
  await phone.close()
})

test('a run that a client begins over MCP is watched live on screen', async ({ page, server: { url } }) => {
  const turns = [{ calls: approving[0]?.calls ?? [] }, { text: 'word '.repeat(300) }]
  const config = scriptedConfig('lent-mcp', turns)
  const model = { provider: 'scripted', name: 'script', turns, paceMs: 20 }
  const id = await createAgent(url, { ...config, model })
  await call(`${url}/api/agents/${id}/versions`, {})
  const { key } = await call<{ key: string }>(`${url}/api/agents/${id}/keys`, { name: 'Editor', use: 'mcp' })
  const client = new Client({ name: 'journey', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/api/mcp/lent-mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  const heard: string[] = []
  const answer = client.callTool(
    { name: 'lent-mcp', arguments: { question: 'Asked over MCP' } },
    { onprogress: ({ message = '' }) => void heard.push(message) },
  )
  await page.goto(`/runs?agent=${id}`)
  await page
    .getByRole('link', { name: /Asked over MCP/ })
    .first()
    .click()
  await expect(page.getByText('math.calculate').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  // The client hears how it ended.
  const result = await answer
  expect(result.isError).toBe(true)
  expect(heard).toContain('Calls math.calculate.')
  await client.close()
})
