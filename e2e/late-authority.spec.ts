/** What an agent may do is asked of the server while its drawing changes. */
import { expect } from '@playwright/test'
import { createAgent, smallConfig } from './api'
import { test } from './journey'

// The test stops the clock of its context.
test.use({ hasOwnContext: true })

test('what the agent may do is told of the drawing it was asked for', async ({ page, baseURL }) => {
  const agent = await createAgent(baseURL ?? '', smallConfig('late-authority'))
  await page.clock.install()
  await page.goto(`/agents/${agent}`)
  const tools = page.getByRole('list', { name: 'Tools of the agent' }).getByRole('listitem')
  const told = async (names: readonly string[]) => {
    await expect(async () => {
      await page.clock.runFor(100)
      await expect(tools).toHaveText(
        names.map((name) => new RegExp(`^${name}`)),
        { timeout: 1_000 },
      )
    }).toPass()
  }
  await told(['math.calculate', 'time.now'])
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.locator('.react-flow__node').filter({ hasText: 'time.now' }).click()
  await page.keyboard.press('Delete')
  // It is compiled quickly and checked by the server once edits pause; it is changed again just before that.
  await page.clock.runFor(60)
  await page.clock.runFor(330)
  await page.keyboard.press('ControlOrMeta+z')
  await page.clock.runFor(40)
  await told(['math.calculate', 'time.now'])
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await page.clock.runFor(500)
  await told(['math.calculate'])
})
