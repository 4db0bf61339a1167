/**
 * A large drawing: laid out in a worker, so that the page stays responsive, and rendered only where it is
 * visible.
 */
import { expect } from '@playwright/test'
import { createAgent, largeConfig } from './api'
import { test } from './journey'

test('a drawing of more than 200 parts without places is laid out in a worker', async ({ page, baseURL }) => {
  const agent = await createAgent(baseURL ?? '', largeConfig('large', { tools: 120, policies: 90 }))
  const refused: string[] = []
  page.on('console', (said) => {
    if (said.type() === 'error') refused.push(said.text())
  })
  const worker = page.waitForEvent('worker')
  await page.goto(`/agents/${agent}`)
  await worker
  const card = page.locator('.react-flow__node', { hasText: 'large' }).first()
  await expect(card).toBeVisible()
  // Sources are left of the agent, in aligned columns: the provisional layout is gone.
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
