/**
 * Every tool, tried from its page and called by an agent, on real input and behind each wall that this machine has.
 * What was seen is printed as a table. Where the walls of a tier do not hold, the tier is reported as not run.
 */
import { expect, type Page } from '@playwright/test'
import type { KeptTry } from '../lib/spec/trial'
import type { WalledKind } from '../lib/spec/walls'
import { call, createAgent, readStream, type StreamedEvent } from './api'
import { casesFor, notebookCases, type ToolCase, withoutPage } from './every-tool/cases'
import { tryOnPage } from './every-tool/page'
import { type Services, startServices } from './every-tool/services'
import {
  everyTool,
  giveFiles,
  givenFiles,
  helper,
  notebook,
  openTier,
  type Surroundings,
  type ToolTier,
  tiers,
} from './every-tool/surroundings'
import { test } from './journey'
import { deepOnly } from './test-depth'

interface Row {
  readonly tool: string
  readonly tier: string
  readonly wall: string
  readonly page: string
  readonly run: string
}

const rows: Row[] = []
let services: Services
test.beforeAll(async () => {
  test.setTimeout(180_000)
  services = await startServices()
})
test.afterAll(async () => {
  await services?.close()
  console.info(tableOf(rows))
})

for (const tier of tiers)
  test(
    `issue 18 every tool is tried from its page and called by an agent, ${tier.name}`,
    deepOnly,
    async ({ page }, info) => {
      test.setTimeout(900_000)
      page.setDefaultTimeout(30_000)
      const surroundings = await openTier(tier, services)
      try {
        const lack = lackOf(tier, surroundings)
        if (lack !== undefined) rows.push({ tool: 'all', tier: tier.name, wall: '–', page: lack, run: lack })
        test.skip(lack !== undefined, lack)
        await tryAll(page, tier, surroundings)
      } finally {
        await surroundings.dispose()
        await info.attach('tools.md', { body: tableOf(rows), contentType: 'text/markdown' })
      }
    },
  )

/** Why the tier cannot be made here. */
function lackOf({ hasBubblewrap }: ToolTier, { sandbox }: Surroundings): string | undefined {
  const shell = sandbox.kinds.find(({ kind }) => kind === 'shell')
  if (hasBubblewrap === (shell?.used === 'bubblewrap')) return undefined
  const test = shell?.walls[0]?.test
  return `not run: ${test?.holds === false ? test.reason : 'bubblewrap holds although it is hidden'}`
}

/** The wall behind which this kind of code runs, by its name and id; undefined when it does not run. */
function wallOf({ sandbox }: Surroundings, kind: WalledKind) {
  const found = sandbox.kinds.find((each) => each.kind === kind)
  return found?.walls.find(({ id }) => id === found.used)
}

async function tryAll(page: Page, tier: ToolTier, surroundings: Surroundings): Promise<void> {
  const { url } = surroundings.server
  const given = casesFor({ api: services.api, hasPostgres: services.postgres !== undefined })
  const runs = ({ kind }: ToolCase) => kind === undefined || wallOf(surroundings, kind) !== undefined
  for (const each of given.filter((one) => !runs(one)))
    rows.push({ tool: each.name, tier: tier.name, wall: '–', page: 'not run', run: 'not run: no wall' })
  const [cases, planning] = [given.filter(runs), notebookCases]
  await createAgent(url, helper)
  const turnsOf = (all: readonly ToolCase[]) => [
    ...all.map(({ name, args }) => ({ calls: [{ name, args }] })),
    { text: 'Every tool was called.' },
  ]
  const agent = await createAgent(url, await everyTool({ url, services, turns: turnsOf(cases) }))
  const planner = await createAgent(url, notebook(turnsOf(planning)))
  await expectAll(url, [agent, planner], [...given, ...planning])

  await giveTryFiles(page, url, agent)
  const called = [...(await callsOf(url, agent, cases)), ...(await callsOf(url, planner, planning))]
  for (const [at, each] of [...cases, ...planning].entries()) {
    const owner = at < cases.length ? agent : planner
    const wall = each.kind && wallOf(surroundings, each.kind)
    await test.step(`${each.name} from its page`, async () => {
      const result = await tryOnPage(page, `${url}/agents/${owner}`, each)
      await expect
        .soft(result.locator('xpath=./div[1]'), `the result of ${each.name}`)
        .toContainText(each.sees)
      if (wall !== undefined) {
        await expect.soft(page.locator('header').getByText(wall.name, { exact: true }).first()).toBeVisible()
        await result.getByText('Metadata, not sent to the model').click()
        await expect.soft(result.getByText(wall.id).first(), `the wall of ${each.name}`).toBeVisible()
      }
    })
    rows.push(await rowOf({ url, owner, each, tier, wall: wall?.name, call: called[at] }))
  }
}

/** Every registered tool is tried, or it is said why not. */
async function expectAll(url: string, agents: readonly string[], tried: readonly ToolCase[]): Promise<void> {
  const { tools } = await call<{ tools: { name: string; use: string }[] }>(`${url}/api/catalog`)
  const names = new Set(tried.map(({ name }) => name))
  const left = tools.map(({ name }) => name).filter((name) => !names.has(name) && !(name in withoutPage))
  expect(left, 'registered tools that are neither tried nor excepted').toEqual([])
  for (const agent of agents) {
    const list = await call<{ items: { name: string }[] }>(`${url}/api/agents/${agent}/trials`)
    expect(list.items.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
  }
}

async function giveTryFiles(page: Page, url: string, agent: string): Promise<void> {
  await page.goto(`${url}/agents/${agent}/tools/files.list`)
  await page.getByText('Files for tries').click()
  await page.getByLabel('Files for tries').setInputFiles(
    Object.entries(givenFiles).map(([name, buffer]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer,
    })),
  )
  await expect(page.getByRole('link', { name: 'uploads/sales.xlsx' })).toBeVisible()
}

interface Called {
  readonly name: string
  readonly status: string
  readonly code: string | null
  readonly result: { readonly text: string }
  readonly durationMs: number
  readonly metadata?: { readonly wall?: { readonly id: string } }
}

/** Lets the agent call all of them; people approve, and reply to what is asked. */
async function callsOf(url: string, agent: string, cases: readonly ToolCase[]): Promise<Called[]> {
  const { id: threadId } = await call<{ id: string }>(`${url}/api/threads`, {
    agentId: agent,
    title: 'All tools',
  })
  const files = await giveFiles(url, threadId)
  const begun = { input: 'Call every tool.', threadId, files }
  const { id } = await call<{ id: string }>(`${url}/api/agents/${agent}/runs`, begun)
  const events: StreamedEvent[] = []
  let answered = 0
  while (events.at(-1)?.type !== 'run.finished') {
    const after = events.at(-1)?.data.seq ?? 0
    const isAsked = ({ type }: StreamedEvent) => type === 'approval.requested' || type === 'input.requested'
    events.push(...(await readStream(url, id, after, (all) => all.some(isAsked))))
    for (const { type, data } of events.filter(isAsked).slice(answered)) {
      answered += 1
      const callId = encodeURIComponent(String(data.callId))
      const reply = cases.find(({ name }) => name === data.tool)?.reply ?? ''
      if (type === 'approval.requested')
        await call(`${url}/api/runs/${id}/approvals/${callId}`, { decision: 'approve' }, { status: 200 })
      else await call(`${url}/api/runs/${id}/replies/${callId}`, { text: reply }, { status: 200 })
    }
  }
  expect(events.at(-1)?.data).toMatchObject({ status: 'completed' })
  const called = events.flatMap(({ type, data }) =>
    type === 'call.finished' && !String(data.callId).includes('/') ? [data as unknown as Called] : [],
  ) // cast: the payload of this event
  for (const [at, { name, sees }] of cases.entries()) {
    expect.soft(called[at], `the call of ${name}`).toMatchObject({ name, status: 'ok', code: null })
    expect.soft(called[at]?.result.text, `what the model reads of ${name}`).toMatch(sees)
  }
  return called
}

interface Tried {
  readonly url: string
  readonly owner: string
  readonly each: ToolCase
  readonly tier: ToolTier
  readonly wall: string | undefined
  readonly call: Called | undefined
}

async function rowOf({ url, owner, each, tier, wall, call: called }: Tried): Promise<Row> {
  const { items } = await call<{ items: KeptTry[] }>(`${url}/api/agents/${owner}/trials/${each.name}`)
  const [last] = items
  expect.soft(last, `the try of ${each.name}`).toMatchObject({ status: 'ok', code: null })
  return {
    tool: each.name,
    tier: tier.name,
    wall: wall ?? '–',
    page: last === undefined ? 'nothing kept' : `${last.code ?? last.status}, ${last.durationMs} ms`,
    run: called === undefined ? 'not called' : `${called.code ?? called.status}, ${called.durationMs} ms`,
  }
}

function tableOf(all: readonly Row[]): string {
  const lines = all.map(
    ({ tool, tier, wall, page, run }) => `| ${[tool, tier, wall, page, run].join(' | ')} |`,
  )
  return [
    '| tool | tier | wall | from its page | by an agent |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}
