/**
 * An agent that calls two others, with a skill, a memory, a collection, a persona and two APIs, is taken to an empty
 * server: the screen names what is lacking there, and with that given it answers as before.
 */
import { expect, type Page } from '@playwright/test'
import { zipSync } from 'fflate'
import { call, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { ownServer } from './own-server'
import { deepOnly } from './test-depth'

const skill = Buffer.from(
  zipSync({
    'house-style/SKILL.md': Buffer.from(
      '---\nname: house-style\ndescription: Rules for letters.\n---\n\nBe kind.\n',
    ),
  }),
)
const document = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  servers: [{ url: 'https://parcels.example.com' }],
  paths: {
    '/parcels': {
      get: {
        operationId: 'listParcels',
        summary: 'Lists parcels.',
        responses: { 200: { description: 'ok' } },
      },
    },
  },
}
const origin = 'https://weather.example.com'

/** What a person sets up on a server besides its agents; returns the hash of the skill. */
async function furnish(url: string): Promise<string> {
  await call(`${url}/api/knowledge`, { name: 'handbook' })
  await fetch(`${url}/api/knowledge/handbook/files?name=returns.md`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: '# Returns\n\nAfter 30 days there is a voucher.\n',
  })
  await call(
    `${url}/api/secrets/WEATHER_KEY`,
    { value: 'a-weather-key', origins: [origin] },
    { method: 'PUT', status: 200 },
  )
  const sent = await fetch(`${url}/api/skills`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: skill,
  })
  const { skill: made } = (await sent.json()) as { skill: { hash: string } } // cast: the shape is the API's own
  return made.hash
}

const counter = (name: string) =>
  scriptedConfig(
    name,
    [{ calls: [{ name: 'math.calculate', args: { expression: '20 + 22' } }] }, { text: `42, says ${name}.` }],
    { description: `Counts for ${name}.`, tools: [{ use: 'builtin', tools: ['math.calculate'] }] },
  )

function lead(hash: string, parcels: object) {
  return scriptedConfig(
    'desk-lead',
    [
      { calls: [{ name: 'knowledge.search', args: { query: 'voucher' } }] },
      { calls: [{ name: 'skill.load', args: { skill: 'house-style' } }] },
      {
        calls: [
          { name: 'desk-one', args: { task: 'Count.' } },
          { name: 'desk-two', args: { task: 'Count.' } },
        ],
      },
      { calls: [{ name: 'memory.record', args: { notes: ['The customer likes vouchers.'] } }] },
      { text: 'A voucher it is.' },
    ],
    {
      tools: [
        { use: 'agent', agent: 'desk-one' },
        { use: 'agent', agent: 'desk-two' },
        { use: 'memory', mode: 'agent' },
        { use: 'knowledge', collections: ['handbook'] },
        {
          use: 'http',
          name: 'weather',
          url: `${origin}/now`,
          headers: { 'X-Key': { secret: 'WEATHER_KEY' } },
        },
        { use: 'openapi', name: 'parcels', baseUrl: 'https://parcels.example.com', ...parcels },
      ],
      skills: [{ name: 'house-style', hash }],
      policies: [{ use: 'personas', names: { 'desk-*': 'Clerk' } }],
    },
  )
}

test(
  'S0-33 an agent with all that it needs is taken to an empty server, which says what is lacking @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const hash = await furnish(url)
    await call(
      `${url}/api/openapi-documents`,
      { name: 'parcels', text: JSON.stringify(document) },
      { status: 200 },
    )
    const chosen = await call<{ hash: string; items: object[] }>(
      `${url}/api/openapi-documents/parcels/operations`,
      { names: ['listParcels'] },
      { status: 200 },
    )
    const ids: string[] = []
    for (const config of [
      lead(hash, { document: { name: 'parcels', hash: chosen.hash }, operations: chosen.items }),
      counter('desk-one'),
      counter('desk-two'),
    ])
      ids.push((await call<{ id: string }>(`${url}/api/agents`, { config })).id)
    for (const id of ids.slice(1)) await call(`${url}/api/agents/${id}/versions`, {})
    const exported = async (id: string) => (await fetch(`${url}/api/agents/${id}/export`)).text()
    const files = await Promise.all(
      ids.map(async (id, at) => ({
        name: `${['desk-lead', 'desk-one', 'desk-two'][at]}.json`,
        mimeType: 'application/json',
        buffer: Buffer.from(await exported(id)),
      })),
    )

    const other = await ownServer()
    try {
      await other.start()
      await page.goto(other.url)
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await (await chooser).setFiles(files)
      const report = page.getByRole('region', { name: 'Import' })
      await expect(report.getByRole('status')).toHaveText('3 agents imported')
      const needs = report.getByRole('list', { name: 'What desk-lead needs' })
      for (const words of [
        'There is no collection “handbook” here',
        'There is no skill “house-style”',
        'WEATHER_KEY',
        'desk-one has no published version. Publish it, or use its draft.',
        'desk-two has no published version. Publish it, or use its draft.',
      ])
        await expect(needs).toContainText(words)
      await expect(needs).not.toContainText('There is no agent')
      for (const place of ['Knowledge', 'Skills', 'Secrets'])
        await expect(needs.getByRole('link', { name: `Add it under ${place}` })).toHaveCount(1)
      await photograph(page, 'elsewhere-import')

      await furnish(other.url)
      const { items } = await call<{ items: { id: string; name: string }[] }>(`${other.url}/api/agents`)
      const idOf = (name: string) => items.find((each) => each.name === name)?.id ?? ''
      await report
        .getByRole('listitem')
        .filter({ hasText: 'from desk-lead.json' })
        .getByRole('link', { name: 'Open agent' })
        .click()
      await page.getByRole('tab', { name: /^Problems/ }).click()
      await expect(page.getByText('desk-one has no published version.').first()).toBeVisible()
      await expect(page.getByText('There is no skill')).toHaveCount(0)
      await photograph(page, 'elsewhere-problems')
      for (const name of ['desk-one', 'desk-two'])
        await call(`${other.url}/api/agents/${idOf(name)}/versions`, {})
      await page.reload()
      await page.getByRole('textbox', { name: 'Question' }).fill('What is there?')
      await page.keyboard.press('Enter')
      await expect(page.getByText('A voucher it is.').first()).toBeVisible()
      await photograph(page, 'elsewhere-answer')
      const runs = await call<{ items: { id: string }[] }>(`${other.url}/api/runs?agent=${idOf('desk-lead')}`)
      const events = await readStream(other.url, runs.items[0]?.id ?? '', 0)
      const ended = events.filter(({ type }) => type === 'call.finished')
      expect(ended.map(({ data }) => data.status)).toEqual(Array(7).fill('ok'))
      expect(await (await fetch(`${other.url}/api/agents/${idOf('desk-lead')}/export`)).text()).toBe(
        await exported(ids[0] ?? ''),
      )
    } finally {
      await other.dispose()
    }
  },
)

/** A picture for people to look at, where a folder for it is named. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.LOOPWRIGHT_PICTURES
  if (folder === undefined) return
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.waitForTimeout(300)
  await page.screenshot({ path: `${folder}/${name}.png` })
}
