/** An agent that calls another: chosen in the inspector, approved inside the call, and read in the trace. */
import { expect, type Page } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const helper = scriptedConfig(
  'note-taker',
  [
    {
      text: 'I write it down.',
      calls: [{ name: 'files.create', args: { path: 'note.md', content: 'Seven.' } }],
    },
    { text: 'It is in the note.' },
  ],
  {
    description: 'Writes things down.',
    tools: [{ use: 'builtin', tools: ['files.create'] }],
    policies: [{ use: 'approval' }],
  },
)

test('S1-12 an agent is drawn as a tool of another, its call is approved inside, and the trace shows its run', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const inner = await createAgent(url, helper)
  const lead = await createAgent(
    url,
    scriptedConfig(
      'note-lead',
      [
        { calls: [{ name: 'note-taker', args: { task: 'Note the number of words.' } }] },
        { text: 'All is noted.' },
      ],
      { tools: [{ use: 'agent', agent: 'nobody' }] },
    ),
  )
  await page.goto(`/agents/${lead}`)
  await page
    .locator('.react-flow__node')
    .filter({ hasText: 'nobody' })
    .filter({ hasText: 'Tool, published' })
    .click()
  const chooser = page.getByRole('combobox', { name: 'Agent', exact: true })
  await expect(chooser).toHaveValue('nobody')
  await chooser.selectOption('note-taker')
  await expect(page.getByText('Writes things down.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Version', exact: true }).selectOption('draft')
  await expect
    .poll(async () => JSON.stringify((await call<{ config: object }>(`${url}/api/agents/${lead}`)).config))
    .toContain('"version":"draft"')

  await page.getByRole('textbox', { name: 'Question' }).fill('Note it.')
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'files.create waits for you' }).first()
  await expect(card).toContainText('note-taker: call 1 of step 1')
  await card.getByRole('button', { name: /^Approve/ }).click()
  await expect(page.getByText('All is noted.').first()).toBeVisible()

  const { items } = await call<{ items: { id: string; status: string }[] }>(`${url}/api/runs?agent=${lead}`)
  await page.goto(`/runs/${items[0]?.id}`)
  await expect(page.getByText('Run of note-taker')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'files.create' }).first()).toBeVisible()
  expect(items[0]?.status).toBe('completed')
  expect(inner).not.toBe(lead)
})

test(
  'S1-24 a run is forked at a step of an agent that it called, and the request of that step is shown @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    await createAgent(url, {
      ...helper,
      name: 'fork-taker',
      description: 'Writes things down.',
      instructions: 'Write short notes.',
      policies: [],
    })
    const lead = await createAgent(
      url,
      scriptedConfig(
        'fork-lead',
        [
          { calls: [{ name: 'fork-taker', args: { task: 'Note the number of words.' } }] },
          { text: 'All is noted.' },
        ],
        { tools: [{ use: 'agent', agent: 'fork-taker', version: 'draft' }] },
      ),
    )
    const { id } = await call<{ id: string }>(`${url}/api/agents/${lead}/runs`, { input: 'Note it.' })
    const status = async (run: string) => (await call<{ status: string }>(`${url}/api/runs/${run}`)).status
    await expect.poll(() => status(id)).toBe('completed')

    await page.goto(`/runs/${id}`)
    await expect(page.getByText('Run of fork-taker')).toBeVisible()
    const rows = page.getByRole('row')
    await rows.filter({ hasText: 'files.create' }).first().click()
    const detail = page.getByRole('complementary', { name: 'Step 1' })
    await expect(detail.getByRole('heading', { name: /Step 1 of 2, fork-taker/ })).toBeVisible()
    await detail.getByRole('button', { name: 'Show request' }).click()
    await expect(detail.getByText('Exactly as it was sent')).toBeVisible()
    await expect(detail.getByText('Write short notes.').first()).toBeVisible()
    await detail.getByRole('button', { name: 'Next step' }).click()
    await expect(page.getByRole('heading', { name: /Step 2 of 2, fork-taker/ })).toBeVisible()
    await photograph(page, 'inner-step')

    await page.getByRole('button', { name: /^Fork from step 2/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Fork from step 2 of fork-taker' })
    await expect(dialog.getByText('Calls that ran at the same time keep their results')).toBeVisible()
    await expect(dialog.getByRole('radio', { name: 'Question' })).toHaveCount(0)
    await dialog.getByText('Reply', { exact: true }).click()
    await photograph(page, 'inner-fork')
    await dialog.getByRole('textbox', { name: 'Reply' }).fill('It is in another note.')
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
    await page.waitForURL((at) => at.pathname.startsWith('/runs/') && !at.pathname.endsWith(id))
    const fork = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await expect.poll(() => status(fork)).toBe('completed')
    await expect(page.getByText('It is in another note.').first()).toBeVisible()
    await photograph(page, 'inner-forked')
    const { forkedFrom } = await call<{ forkedFrom: object }>(`${url}/api/runs/${fork}`)
    expect(forkedFrom).toEqual({ runId: id, parent: 'call_1_1', step: 2, edit: 'reply' })
  },
)

test(
  'S1-24 a dry run of a call of another agent shows what that agent would send first @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    await createAgent(url, { ...helper, name: 'dry-taker', instructions: 'Write short notes.' })
    const lead = await createAgent(
      url,
      scriptedConfig('dry-lead', [{ text: 'Hello.' }], {
        tools: [{ use: 'agent', agent: 'dry-taker', version: 'draft' }],
      }),
    )
    await page.goto(`/agents/${lead}`)
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    await inspector.getByRole('button', { name: 'Would a call run?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Would this call run?' })
    await dialog.getByLabel('Tool').selectOption('dry-taker')
    await dialog.getByRole('textbox', { name: 'Arguments' }).fill('{"task":"Count the words."}')
    await dialog.getByRole('button', { name: /^Check/ }).click()
    await expect(dialog.getByText('What the draft of dry-taker would send to its model first')).toBeVisible()
    await expect(dialog.getByText('Write short notes.')).toBeVisible()
    await photograph(page, 'dry-run-inside')
  },
)

test(
  'S1-24 a dry run says what the agents behind a call lack, and checks a call that one of them makes @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const of = (name: string, more: object) =>
      createAgent(url, scriptedConfig(name, [{ text: 'Hello.' }], more))
    await of('dry-deep', {
      tools: [
        { use: 'mcp', server: 'nowhere' },
        { use: 'builtin', tools: ['files.create', 'files.view'] },
      ],
    })
    await of('dry-middle', { tools: [{ use: 'agent', agent: 'dry-deep', version: 'draft' }] })
    const lead = await of('dry-top', {
      tools: [{ use: 'agent', agent: 'dry-middle', version: 'draft' }],
      policies: [{ use: 'skills', deny: ['files.create'] }],
    })
    await page.goto(`/agents/${lead}`)
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    await inspector.getByRole('button', { name: 'Would a call run?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Would this call run?' })
    await dialog.getByLabel('Tool').selectOption('dry-middle')
    await dialog.getByRole('textbox', { name: 'Arguments' }).fill('{"task":"Count the words."}')
    await dialog.getByRole('button', { name: /^Check (?!a)/ }).click()
    const agents = dialog.getByRole('list', { name: 'Agents that it sets to work' }).locator('> li')
    await expect(agents.nth(0)).toContainText('Nothing is lacking.')
    await expect(agents.nth(1)).toContainText('called by dry-middle')
    await expect(agents.nth(1)).toContainText('No MCP server “nowhere” is set up here')
    await expect(agents.nth(1)).toContainText('by a rule of the agent that calls it')
    await photograph(page, 'dry-run-agents')

    await agents.nth(1).getByRole('button', { name: 'Check a call of it' }).click()
    await expect(dialog.getByText('dry-deep, called by dry-middle')).toBeVisible()
    await expect(dialog.getByLabel('Tool')).toHaveValue('files.view')
    await dialog.getByRole('textbox', { name: 'Arguments' }).fill('{"path":"a.md"}')
    await dialog.getByRole('button', { name: /^Check (?!a)/ }).click()
    await expect(dialog.getByText('It would run', { exact: true })).toBeVisible()
    await photograph(page, 'dry-run-deep')
    await dialog.getByRole('button', { name: 'Back to this agent' }).click()
    await expect(dialog.getByLabel('Tool')).toHaveValue('dry-middle')
  },
)

test(
  'S1-24 a call of a run inside is checked again as a call of its own agent @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    await createAgent(url, { ...helper, name: 'again-taker', policies: [] })
    const lead = await createAgent(
      url,
      scriptedConfig(
        'again-lead',
        [{ calls: [{ name: 'again-taker', args: { task: 'Note it.' } }] }, { text: 'All is noted.' }],
        { tools: [{ use: 'agent', agent: 'again-taker', version: 'draft' }] },
      ),
    )
    await page.goto(`/agents/${lead}`)
    await page.getByRole('textbox', { name: 'Question' }).fill('Note it.')
    await page.keyboard.press('Enter')
    await expect(page.getByText('All is noted.').first()).toBeVisible()
    const trace = page.getByRole('treegrid')
    await trace.getByRole('row', { name: /^files\.create/ }).click()
    const opened = page.getByRole('region', { name: 'Opened row' })
    await opened.getByRole('button', { name: 'Check again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Would this call run?' })
    await expect(dialog.getByText('again-taker', { exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: /^Check (?!a)/ }).click()
    await expect(dialog.getByText('It would run', { exact: true })).toBeVisible()
    await photograph(page, 'dry-run-again')
  },
)

test(
  'S1-24 agents that call each other in a circle are named and refused, and one deleted in mid-run works on @deep',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const calling = (name: string, other: string) =>
      createAgent(
        url,
        scriptedConfig(name, [{ text: 'Hello.' }], {
          tools: [{ use: 'agent', agent: other, version: 'draft' }],
        }),
      )
    await calling('circle-b', 'circle-c')
    await calling('circle-c', 'circle-a')
    const first = await calling('circle-a', 'circle-b')
    const way = 'circle-a calls circle-b calls circle-c calls circle-a, which has no end.'
    const refused = await fetch(`${url}/api/agents/${first}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"Go."}',
    })
    expect([refused.status, (await refused.json()).error.message]).toEqual([
      422,
      `circle-a cannot run. ${way} Take one of these calls out.`,
    ])
    await page.goto(`/agents/${first}`)
    await page.getByRole('tab', { name: /^Problems/ }).click()
    await expect(page.getByText(way).first()).toBeVisible()

    const inner = await createAgent(url, { ...helper, name: 'short-lived' })
    const lead = await createAgent(
      url,
      scriptedConfig(
        'long-lived',
        [{ calls: [{ name: 'short-lived', args: { task: 'Note it.' } }] }, { text: 'All is noted.' }],
        { tools: [{ use: 'agent', agent: 'short-lived', version: 'draft' }] },
      ),
    )
    const { id } = await call<{ id: string }>(`${url}/api/agents/${lead}/runs`, { input: 'Note it.' })
    await page.goto(`/runs/${id}`)
    const card = page.getByRole('region', { name: 'files.create waits for you' }).first()
    await expect(card).toBeVisible()
    expect((await fetch(`${url}/api/agents/${inner}`, { method: 'DELETE' })).ok).toBe(true)
    await card.getByRole('button', { name: /^Approve/ }).click()
    await expect(page.getByText('All is noted.').first()).toBeVisible()
  },
)

/** Pictures for people to look at, where a folder for them is named. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.LOOPWRIGHT_PICTURES
  if (folder === undefined) return
  for (const width of [1440, 1024])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}
