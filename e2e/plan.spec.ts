/** A plan that a person changes while the run waits: in the dock, in the chat and in the trace. */
import { expect } from '@playwright/test'
import { begin, call, createAgent, scriptedConfig } from './api'
import { test } from './journey'

const plan = (args: object) => ({ name: 'plan', args })
const turns = [
  { calls: [plan({ command: 'create', title: 'Revenue', steps: ['Read the tables', 'Sum up', 'Compare'] })] },
  { calls: [plan({ command: 'next' })] },
  { calls: [{ name: 'time.now', args: {} }] },
  { calls: [plan({ command: 'next' })] },
  { text: 'It is 4.' },
]
const planner = (name: string) =>
  scriptedConfig(name, turns, {
    tools: [{ use: 'plan' }, { use: 'builtin', tools: ['time.now'] }],
    policies: [{ use: 'approval', appliesTo: ['time.now'] }],
  })

interface Run {
  readonly status: string
  readonly pending: readonly { readonly callId: string }[]
}

test('X-12 a person changes the plan in its tab, and the run goes on with it', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, planner('planner'))
  const run = await begin(url, agent, 'Which country?')
  const at = `${url}/api/runs/${run}`
  await expect.poll(async () => (await call<Run>(at)).status).toBe('waiting')
  await page.goto(`/runs/${run}`)
  await page.getByRole('tab', { name: 'Plan' }).click()
  const shown = page.getByRole('region', { name: 'Plan', exact: true })
  await expect(shown).toContainText('0 of 3 done')
  await expect(shown.getByRole('listitem').first()).toContainText('in progress')

  await page.getByRole('button', { name: 'Change the plan' }).click()
  const form = page.getByRole('form', { name: 'Change the plan' })
  await expect(form.getByRole('textbox', { name: 'Title of the plan' })).toBeFocused()
  await form.getByRole('combobox', { name: 'State of step 1' }).selectOption('done')
  await form.getByRole('button', { name: 'Remove step 3' }).click()
  await form.getByRole('button', { name: 'Add a step' }).click()
  await form.getByRole('textbox', { name: 'Step 3', exact: true }).fill('Ask Ann')
  await form.getByRole('button', { name: 'Move step 3 up' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(shown).toContainText('1 of 3 done')
  await expect(shown).toContainText('changed by you')
  await expect(shown.getByRole('listitem').nth(1)).toContainText('Ask Ann')

  await page.getByRole('button', { name: 'Change the plan' }).click()
  const { pending } = await call<Run>(at)
  await call(`${at}/approvals/${pending[0]?.callId}`, { decision: 'approve' }, { status: 200 })
  await expect(form).toContainText('The run is over')
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await form.getByRole('button', { name: 'Discard' }).click()
  await expect(shown.getByRole('listitem').nth(1)).toContainText('in progress')
  await expect(page.getByRole('button', { name: 'Change the plan' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Trace' }).click()
  await expect(page.getByText('You changed the plan')).toBeVisible()
})

test('X-12 a change is not saved over one that the person has not seen, unless the person says so', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, planner('planner-twice'))
  const run = await begin(url, agent, 'Which country?')
  const at = `${url}/api/runs/${run}`
  await expect.poll(async () => (await call<Run>(at)).status).toBe('waiting')
  await page.goto(`/runs/${run}`)
  await page.getByRole('tab', { name: 'Plan' }).click()
  await page.getByRole('button', { name: 'Change the plan' }).click()
  const form = page.getByRole('form', { name: 'Change the plan' })
  await form.getByRole('textbox', { name: 'Step 1', exact: true }).fill('Mine')
  const theirs = { revision: 2, plan: { title: 'Theirs', steps: [{ text: 'Other', status: 'todo' }] } }
  await call(`${at}/plan`, theirs, { method: 'PUT', status: 200 })
  await call(`${at}/plan`, theirs, { method: 'PUT', status: 409 })
  await expect(form.getByRole('alert')).toContainText('has changed since you began')
  await expect(form.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await form.getByRole('button', { name: 'Save mine over it' }).click()
  const shown = page.getByRole('region', { name: 'Plan', exact: true })
  await expect(shown.getByRole('listitem').first()).toContainText('Mine')
  await expect(shown.getByRole('listitem')).toHaveCount(3)
})

test('X-12 the chat shows the plan while the run goes on', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, planner('planner-chat'))
  await page.goto(`/agents/${agent}/chat`)
  await page.getByRole('textbox').first().fill('Which country?')
  await page.keyboard.press('Enter')
  const strip = page.getByRole('region', { name: 'Plan', exact: true })
  await expect(strip).toContainText('0 of 3 done')
  await expect(strip.getByRole('listitem').first()).toContainText('Read the tables, in progress')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect(strip).toContainText('1 of 3 done')
  await strip.getByRole('button').click()
  await expect(strip.getByRole('listitem')).toHaveCount(3)
})
