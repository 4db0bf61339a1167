/** The walls around foreign code as a person sees them: under Settings, on a card, and in the trace of a call. */
import { expect } from '@playwright/test'
import { createAgent, scriptedConfig } from './api'
import { test } from './journey'

const turns = [
  { calls: [{ name: 'execute_bash', args: { command: 'echo a,b | cut -d, -f2 > out.txt; cat out.txt' } }] },
  { text: 'The file is written.' },
]

test('T8 S1-07 the wall of a script is named under Settings, on its card and in its call', async ({
  page,
  baseURL,
}) => {
  await page.goto('/settings#sandbox')
  const shell = page.getByRole('region', { name: 'Sandbox' }).getByRole('region', { name: 'Shell' })
  const used = shell.getByRole('listitem').filter({ has: page.getByText('in use', { exact: true }) })
  const name = (await used.locator('b').textContent()) ?? ''
  expect(['bubblewrap', 'just-bash']).toContain(name)
  await page.getByRole('button', { name: 'Test all again' }).click()
  await expect(page.getByText('Tested just now.')).toBeVisible()
  await expect(shell.getByText('not tested')).toHaveCount(0)

  const config = scriptedConfig('sheller', turns, {
    tools: [{ use: 'builtin', tools: ['shell.run'], askFirst: false }],
  })
  const agent = await createAgent(baseURL ?? '', config)
  await page.goto(`/agents/${agent}`)
  const card = page.locator('.react-flow__node').filter({ hasText: 'shell.run' })
  await expect(card.getByText(`${name}, Tool, write`)).toBeVisible()
  await page.getByRole('textbox', { name: 'Question' }).fill('Write the file.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  await page
    .getByRole('treegrid', { name: 'Trace' })
    .getByRole('row', { name: /^shell\.run/ })
    .click()
  await expect(page.getByText('s of processor time')).toBeVisible()
  await expect(page.getByText('out.txt').first()).toBeVisible()
})
