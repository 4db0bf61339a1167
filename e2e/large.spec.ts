/** A large drawing: laid out in a worker, so that the page stays free, and drawn only where it is looked at. */
import { expect, test } from '@playwright/test'
import { createAgent, scriptedConfig } from './api'

test('a drawing of more than 200 parts without places is laid out in a worker', async ({ page, baseURL }) => {
  const tools = Array.from({ length: 120 }, (_, n) => ({
    use: 'code',
    name: `part_${n}`,
    description: `Part ${n}.`,
    source: 'return 1',
  }))
  const policies = Array.from({ length: 90 }, (_, n) => ({
    use: 'results',
    appliesTo: [`part_${n}`],
    maxChars: 1_000 + n,
  }))
  const agent = await createAgent(
    baseURL ?? '',
    scriptedConfig('large', [{ text: 'Nothing.' }], { tools, policies }),
  )
  const refused: string[] = []
  page.on('console', (said) => {
    if (said.type() === 'error') refused.push(said.text())
  })
  const worker = page.waitForEvent('worker')
  await page.goto(`/agents/${agent}`)
  await worker
  const card = page.locator('.react-flow__node', { hasText: 'large' }).first()
  await expect(card).toBeVisible()
  // Sources stand left of the agent, each column in line: no rough place is left.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const xs = [...document.querySelectorAll<HTMLElement>('.react-flow__node')].map(
          (each) => new DOMMatrix(each.style.transform).e,
        )
        return new Set(xs).size
      }),
    )
    .toBeLessThan(8)
  expect(refused).toEqual([])
})
