/**
 * Every tool, tried from its page and called by an agent, on real input and in each tier of walls: `every-tool/tiers.ts`
 * has what is expected. What was seen is printed as a table. Where a machine lacks a wall of a tier, the tier is
 * reported as not run; the walls of the last tier belong to the product, so that it always runs.
 */
import { expect, type Page } from '@playwright/test'
import type { KeptTry } from '../lib/spec/trial'
import { call, createAgent, readStream, type StreamedEvent } from './api'
import { casesFor, notebookCases, scriptInPython, type ToolCase, withoutPage } from './every-tool/cases'
import { tryOnPage } from './every-tool/page'
import { type Services, startServices } from './every-tool/services'
import {
  adder,
  everyTool,
  giveFiles,
  givenFiles,
  helper,
  notebook,
  openTier,
  type Surroundings,
  skillsOf,
} from './every-tool/surroundings'
import { endIn, type ToolTier, tiers } from './every-tool/tiers'
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

/** Why the tier cannot be made here: what the test of one of its walls has shown. */
function lackOf(
  { walls, hasPackages, hasBubblewrap }: ToolTier,
  { sandbox }: Surroundings,
): string | undefined {
  if (!hasPackages && !hasBubblewrap) return undefined
  for (const { kind, walls: reports } of sandbox.kinds) {
    const test = reports.find(({ id }) => id === walls[kind])?.test
    if (test?.holds === false) return `not run: ${test.reason}`
  }
  return undefined
}

async function tryAll(page: Page, tier: ToolTier, surroundings: Surroundings): Promise<void> {
  const { url } = surroundings.server
  const { kinds } = surroundings.sandbox
  expect(Object.fromEntries(kinds.map(({ kind, used }) => [kind, used]))).toEqual(tier.walls)
  const names = new Map(kinds.flatMap(({ walls }) => walls.map(({ id, name }) => [id, name])))
  const cases = casesFor({ api: services.api, hasPostgres: services.postgres !== undefined })
  await createAgent(url, helper)
  const agent = await createAgent(url, await everyTool({ url, services, turns: turnsOf(cases) }))
  const planner = await createAgent(url, notebook(turnsOf(notebookCases)))
  await expectAll(url, [agent, planner], [...cases, ...notebookCases])

  await giveTryFiles(page, url, agent)
  const called = [
    ...(await callsOf(url, { agent, cases, tier })),
    ...(await callsOf(url, { agent: planner, cases: notebookCases, tier })),
  ]
  for (const [at, each] of [...cases, ...notebookCases].entries()) {
    const owner = at < cases.length ? agent : planner
    const wall = each.kind && tier.walls[each.kind]
    const { sees } = endIn(tier, each)
    await test.step(`${each.name} from its page`, async () => {
      const result = await tryOnPage(page, `${url}/agents/${owner}`, each)
      await expect.soft(result.locator('xpath=./div[1]'), `the result of ${each.name}`).toContainText(sees)
      const head = page.locator('header')
      if (wall === null) {
        await expect.soft(head.getByText('not run here', { exact: true })).toBeVisible()
        await expect.soft(head.getByText(sees), `how to get a wall for ${each.name}`).toBeVisible()
      } else if (wall !== undefined) {
        await expect.soft(head.getByText(names.get(wall) ?? wall, { exact: true }).first()).toBeVisible()
        await result.getByText('Metadata, not sent to the model').click()
        await expect.soft(result.getByText(wall).first(), `the wall of ${each.name}`).toBeVisible()
      }
    })
    rows.push(
      await rowOf({ url, owner, each, tier, wall: (wall && names.get(wall)) ?? undefined, call: called[at] }),
    )
  }
  await trySkillInPython(page, tier, url)
}

const turnsOf = (cases: readonly ToolCase[]) => [
  ...cases.map(({ name, args }) => ({ calls: [{ name, args }] })),
  { text: 'Every tool was called.' },
]

/** Where no Python runs, the tool for its scripts is listed as not available, and a model that calls it is told so. */
async function trySkillInPython(page: Page, tier: ToolTier, url: string): Promise<void> {
  const skill = (await skillsOf(url)).get('adder')
  if (skill === undefined) throw new Error('the skill adder was not stored')
  const agent = await createAgent(url, adder(turnsOf([scriptInPython]), skill))
  const row = { tool: 'skill.run, with a script in Python alone', tier: tier.name }
  if (tier.walls.python !== null) {
    const [done] = await callsOf(url, { agent, cases: [scriptInPython], tier })
    rows.push({ ...row, wall: done?.metadata?.wall?.id ?? '–', page: 'not tried', run: endOf(done) })
    return
  }
  const [refused] = await callsOf(url, {
    agent,
    cases: [scriptInPython],
    tier,
    end: { status: 'error', code: 'unknown_tool', sees: /no sandbox of this machine holds/ },
  })
  await page.goto(`${url}/agents/${agent}/tools`)
  const missing = page.getByRole('region', { name: 'Not available now' }).getByRole('listitem')
  await expect
    .soft(missing)
    .toContainText('skill.runno sandbox of this machine holds for the scripts of the skills')
  rows.push({ ...row, wall: '–', page: 'not offered, and why', run: endOf(refused) })
}

const endOf = (called: Called | undefined) =>
  called === undefined ? 'not called' : `${called.code ?? called.status}, ${called.durationMs} ms`

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

interface Calling {
  readonly agent: string
  readonly cases: readonly ToolCase[]
  readonly tier: ToolTier
  /** How every call ends; as the tier says when absent. */
  readonly end?: ReturnType<typeof endIn>
}

/** Lets the agent call all of them; people approve, and reply to what is asked. */
async function callsOf(url: string, { agent, cases, tier, end }: Calling): Promise<Called[]> {
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
  for (const [at, each] of cases.entries()) {
    const { name, kind } = each
    const { status, code, sees } = end ?? endIn(tier, each)
    expect.soft(called[at], `the call of ${name}`).toMatchObject({ name, status, code })
    expect.soft(called[at]?.result.text, `what the model reads of ${name}`).toMatch(sees)
    if (kind !== undefined)
      expect
        .soft(called[at]?.metadata?.wall?.id ?? null, `the wall of the call of ${name}`)
        .toBe(tier.walls[kind])
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
  const { status, code } = endIn(tier, each)
  expect.soft(last, `the try of ${each.name}`).toMatchObject({ status, code })
  return {
    tool: each.name,
    tier: tier.name,
    wall: wall ?? '–',
    page: last === undefined ? 'nothing kept' : `${last.code ?? last.status}, ${last.durationMs} ms`,
    run: endOf(called),
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
