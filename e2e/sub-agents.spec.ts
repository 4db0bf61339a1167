/** An agent that calls another: chosen in the inspector, approved inside the call, and read in the trace. */
import { expect } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'

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
