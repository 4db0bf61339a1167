/** Finding out why a call would be blocked, without running it; and starting points, applied and undone. */
import { expect, type Page } from '@playwright/test'
import { call, createAgent } from './api'
import { test } from './journey'

interface Saved {
  readonly config: { readonly model?: object; readonly policies?: readonly object[] } | null
}

let serial = 0

async function drawn(baseURL: string): Promise<string> {
  serial += 1
  return await createAgent(baseURL, {
    name: `asked-${Date.now().toString(36)}-${serial}`,
    title: 'Asked',
    model: {
      provider: 'scripted',
      name: 'script',
      turns: [
        { calls: [{ name: 'files.delete', args: { path: 'a.txt' } }] },
        { text: 'It was not deleted.' },
      ],
    },
    tools: [{ use: 'builtin', tools: ['math.calculate', 'files.view', 'files.delete', 'javascript.run'] }],
    policies: [
      { use: 'skills', deny: ['javascript.*'] },
      { use: 'arguments', appliesTo: ['files.*'], schema: { properties: { path: { pattern: '^docs/' } } } },
    ],
  })
}

/** Makes a run whose only call is denied; returns its id. */
async function ranOnce(baseURL: string, agentId: string): Promise<string> {
  const { id } = await call<{ id: string }>(`${baseURL}/api/agents/${agentId}/runs`, { input: 'Delete it' })
  await expect
    .poll(async () => (await call<{ status: string }>(`${baseURL}/api/runs/${id}`)).status)
    .toBe('completed')
  return id
}

async function open(page: Page, baseURL: string) {
  const id = await drawn(baseURL)
  await page.goto(`${baseURL}/agents/${id}`)
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const config = async () => (await call<Saved>(`${baseURL}/api/agents/${id}`)).config
  return { id, inspector, config }
}

test('a call is put to the policies before any run, pasted whole, and leads to the policy that denies it', async ({
  page,
  baseURL,
}) => {
  const { inspector } = await open(page, baseURL ?? '')
  await inspector.getByRole('button', { name: 'Would a call run?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Would this call run?' })
  const args = dialog.getByRole('textbox', { name: 'Arguments' })
  const ask = dialog.getByRole('button', { name: /^Check/ })
  const asked = dialog.getByRole('list', { name: 'Checks, in order' })

  await dialog.getByLabel('Tool').selectOption('math.calculate')
  await args.fill('{"expression":"6*7"}')
  await ask.click()
  await expect(dialog.getByText('It would run', { exact: true })).toBeVisible()
  await expect(asked.getByRole('listitem').first()).toHaveText(/The tool exists/)

  await args.fill('{"formula":"6*7"}')
  await ask.click()
  await expect(dialog.getByRole('region', { name: 'The outcome' })).toContainText(
    'It would be refused as an invalid call',
  )
  await expect(dialog).not.toContainText('args_schema')

  await args.fill('{"expression":')
  await expect(dialog.getByRole('alert')).toContainText('Not JSON yet')
  await expect(asked).toBeHidden()

  await args.fill('{"name":"javascript_run","arguments":"{\\"code\\":\\"1\\"}"}')
  await expect(dialog.getByText('A whole call was pasted')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByText('It would be denied')).toBeVisible()
  await expect(asked).toContainText('Not offered to the model')

  await args.fill('{"name":"files.view","arguments":{"path":"secret.txt"}}')
  await ask.click()
  await expect(asked.getByRole('listitem').last()).toContainText(
    'its arguments do not fit the schema of the policy',
  )
  await expect(dialog.getByText('Error: files.view is not permitted')).toBeVisible()
  await asked.getByRole('button', { name: 'Check arguments' }).click()
  await expect(dialog).toBeHidden()
  await expect(inspector.getByText('Denies calls whose arguments do not fit')).toBeVisible()
})

test('a refused call of a run shows its ruling, leads to the policy, and can be asked about again', async ({
  page,
  baseURL,
}) => {
  const { id, inspector } = await open(page, baseURL ?? '')
  const runId = await ranOnce(baseURL ?? '', id)
  await page.goto(`${baseURL}/agents/${id}?run=${runId}`)
  const trace = page.getByRole('treegrid')
  await trace.getByRole('row', { name: /^files\.delete/ }).click()
  const opened = page.getByRole('region', { name: 'Opened row' })
  await expect(opened).toContainText(
    'Check arguments denies: its arguments do not fit the schema of the policy',
  )
  await opened.getByRole('button', { name: 'Check again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Would this call run?' })
  await expect(dialog.getByLabel('Tool')).toHaveValue('files.delete')
  await expect(dialog.getByRole('switch', { name: 'Continue the run shown here' })).toBeChecked()
  await dialog.getByRole('button', { name: /^Check/ }).click()
  await expect(dialog.getByText('It would be denied')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await opened.getByTitle('Show the policy').click()
  await expect(inspector.getByText('Denies calls whose arguments do not fit')).toBeVisible()
})

test('on the page of a run a ruling leads to its policy on the frozen canvas', async ({ page, baseURL }) => {
  const runId = await ranOnce(baseURL ?? '', await drawn(baseURL ?? ''))
  await page.goto(`${baseURL}/runs/${runId}`)
  await page.getByRole('button', { name: 'Previous step' }).click()
  await page.getByRole('region', { name: 'files.delete' }).getByTitle('Show the policy').click()
  await expect(page.locator('.react-flow__node.selected')).toContainText('Check arguments')
})

test('a starting point sets what it says, shows as pressed, and is taken back by one undo', async ({
  page,
  baseURL,
}) => {
  const { inspector, config } = await open(page, baseURL ?? '')
  await inspector.getByRole('region', { name: 'Nodes' }).getByRole('button', { name: 'Asked' }).click()
  const points = inspector.getByRole('region', { name: 'Starting points' })
  const fast = points.getByRole('button', { name: 'Performance' })
  await expect(fast).toHaveAttribute('aria-pressed', 'false')
  const before = await config()
  await fast.click()
  await expect(fast).toHaveAttribute('aria-pressed', 'true')
  await expect
    .poll(async () => (await config())?.policies?.slice(2))
    .toEqual([
      { use: 'steps', max: 20 },
      { use: 'execution', strategy: 'parallel' },
    ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(fast).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(config).toEqual(before)
  const plain = points.getByRole('button', { name: 'Basic' })
  await plain.click()
  await expect(plain).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await config())?.model).toMatchObject({ stream: false })
})
