/** Importing and exporting configs: byte for byte if valid, with plain errors if not, and nothing is lost. */
import { expect } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { ownServer } from './own-server'

const post = (url: string, body: string, type = 'application/json') =>
  fetch(`${url}/api/agents/import`, { method: 'POST', headers: { 'content-type': type }, body })

test('export, import into an empty server and export again are the same bytes', async ({ baseURL }) => {
  test.setTimeout(60_000)
  const url = baseURL ?? ''
  const { items } = await call<{ items: { id: string; name: string }[] }>(`${url}/api/agents`)
  const other = await ownServer()
  try {
    await other.start()
    const names = ['calculator', 'guarded-analyst', 'report-writer', 'retail-analyst']
    const examples = items.filter((each) => names.includes(each.name))
    expect(examples).toHaveLength(names.length)
    const there = await call<{ items: { id: string }[] }>(`${other.url}/api/agents`)
    for (const { id } of there.items) await fetch(`${other.url}/api/agents/${id}`, { method: 'DELETE' })
    expect((await call<{ items: object[] }>(`${other.url}/api/agents`)).items).toEqual([])
    for (const { id } of examples) {
      const file = await (await fetch(`${url}/api/agents/${id}/export`)).text()
      const imported = await post(other.url, file)
      expect(imported.status).toBe(201)
      const copy = (await imported.json()) as { id: string } // cast: the shape is the API's own
      expect(await (await fetch(`${other.url}/api/agents/${copy.id}/export`)).text()).toBe(file)
    }
  } finally {
    await other.dispose()
  }
})

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const bad: [string, string, number, RegExp][] = [
  ['broken JSON', '{"name": "x",', 400, /JSON/i],
  ['an unknown key', JSON.stringify({ name: 'x-key', tool: [] }), 400, /tool/],
  ['a wrong type', JSON.stringify({ name: 'x-type', instructions: 7 }), 400, /instructions/],
  ['a wrong name', JSON.stringify({ name: 'Not A Name' }), 400, /name/],
  ['an unknown part', JSON.stringify({ name: 'x-part', tools: [{ use: 'magic' }] }), 400, /tools\/0/],
  ['T39 a key that would reach a prototype', '{"name": "x-proto", "__proto__": {"x": 1}}', 400, /__proto__/],
  ['T41 JSON 100,000 deep', deep, 400, /deep/],
  [
    'T41 50 MB of JSON',
    JSON.stringify({ name: 'x', instructions: 'a'.repeat(50_000_000) }),
    413,
    /MiB|MB|large|bytes/i,
  ],
]

for (const [name, body, status, words] of bad) {
  test(`an import with ${name} is refused in words, with no stack trace, and nothing is lost`, async ({
    baseURL,
  }) => {
    const url = baseURL ?? ''
    const before = await call<{ items: object[] }>(`${url}/api/agents`)
    const answer = await post(url, body).catch((error: Error) => error)
    // The server may close the connection on a far too large body before it was sent completely.
    if (!(answer instanceof Error)) {
      expect(answer.status).toBe(status)
      const { error } = (await answer.json()) as { error: { code: string; message: string; path?: string } } // cast: the API's error shape
      expect(`${error.message} ${error.path ?? ''}`).toMatch(words)
      expect(JSON.stringify(error)).not.toMatch(/\bat .*\.(ts|js|mjs):\d+/)
    } else expect(status).toBe(413)
    expect(await call<{ items: object[] }>(`${url}/api/agents`)).toEqual(before)
  })
}

test('the screen says what is wrong with a dropped file, and offers another name when one is taken', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  await createAgent(url, scriptedConfig('taken-name', []))
  await page.goto('/')
  const choose = async (text: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await (await chooser).setFiles({
      name: 'agent.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
  }
  await choose('{"name": "broken"')
  await expect(page.getByRole('alert').filter({ hasText: /JSON/i }).first()).toBeVisible()
  // A second report is shown as well, wherever the page is scrolled to.
  const report = page.getByRole('region', { name: 'Import' })
  await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 100_000))
  await choose(JSON.stringify({ nodes: [{ type: 'n8n-nodes-base.start' }], connections: {} }))
  await expect(report.getByText('This is a workflow of n8n.')).toBeInViewport()
  await expect(report).toBeFocused()
  await choose(JSON.stringify({ name: 'odd', tols: [], modle: {} }))
  await expect(page.getByRole('alert').filter({ hasText: /tols/ }).first()).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: /modle/ }).first()).toBeVisible()
  await choose(JSON.stringify(scriptedConfig('taken-name', [])))
  await page.getByRole('button', { name: /another name/i }).click()
  await expect
    .poll(async () =>
      (await call<{ items: { name: string }[] }>(`${url}/api/agents`)).items.map((each) => each.name),
    )
    .toContain('taken-name-2')
})

test('a graph with no agent, or with two models, is saved, told in words, and does not run', async ({
  baseURL,
}) => {
  const url = baseURL ?? ''
  const node = (id: string, kind: string, config: object = {}) => ({ id, kind, config })
  const two = {
    version: 1,
    nodes: [
      node('a', 'agent', { name: 'two-models' }),
      node('m', 'model', { provider: 'scripted', name: 'demo' }),
      node('n', 'model', { provider: 'scripted', name: 'demo' }),
    ],
    edges: ['m', 'n'].map((id) => ({ from: { node: id, port: 'model' }, to: { node: 'a', port: 'model' } })),
  }
  const saved = await call<{
    id: string
    config: null
    diagnostics: { severity: string; message: string }[]
  }>(`${url}/api/agents`, { graph: two })
  expect(saved.config).toBeNull()
  expect(saved.diagnostics.filter((each) => each.severity === 'error')).not.toEqual([])
  const refused = await call<{ error: { code: string } }>(
    `${url}/api/agents/${saved.id}/runs`,
    { input: 'hi' },
    { status: 422 },
  )
  expect(refused.error.code).toBe('not_compiled')
  const none = await call<{ config: null; diagnostics: { severity: string }[] }>(
    `${url}/api/compile`,
    { graph: { version: 1, nodes: [], edges: [] } },
    { status: 200 },
  )
  expect(none.config).toBeNull()
  expect(none.diagnostics.some((each) => each.severity === 'error')).toBe(true)
})

test('E-60 a run of a deleted agent still opens, and a deleted agent answers 404 in words', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('short-lived', [{ text: 'Done.' }]))
  const { id } = await call<{ id: string }>(`${url}/api/agents/${agent}/runs`, { input: 'hello there' })
  await expect
    .poll(async () => (await call<{ status: string }>(`${url}/api/runs/${id}`)).status)
    .toBe('completed')
  await fetch(`${url}/api/agents/${agent}`, { method: 'DELETE' })
  await call(`${url}/api/agents/${agent}`, undefined, { status: 404 })
  await page.goto(`/runs/${id}`)
  await expect(page.getByText('hello there').first()).toBeVisible()
  await page.goto(`/agents/${agent}`)
  await expect(page.getByText(/not found|no agent|deleted/i).first()).toBeVisible()
})
