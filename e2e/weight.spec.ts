/** The size of the scripts that the builder page loads before the first interaction, as transferred. */
import { expect } from '@playwright/test'
import { createAgent, scriptedConfig } from './api'
import { test } from './journey'

/** In compressed bytes; code used later (editors, markdown, the search) is loaded when it is used. */
const mostScript = 470_000

test('the builder’s scripts before the first interaction stay below 470 kB compressed', async ({
  page,
  baseURL,
}) => {
  const agent = await createAgent(baseURL ?? '', scriptedConfig('weighed', [{ text: 'Nothing.' }]))
  const sizes = new Map<string, Promise<number>>()
  page.on('requestfinished', (finished) => {
    if (finished.resourceType() === 'script')
      sizes.set(
        finished.url(),
        finished.sizes().then(({ responseBodySize }) => responseBodySize),
      )
  })
  await page.goto(`/agents/${agent}`)
  await expect(page.locator('.react-flow__node').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const bytes = await Promise.all(sizes.values())
  const total = bytes.reduce((sum, each) => sum + each, 0)
  test.info().annotations.push({ type: 'weight', description: `${total} bytes in ${bytes.length} scripts` })
  expect(bytes.length).toBeGreaterThan(0)
  expect(total, `${bytes.length} scripts`).toBeLessThanOrEqual(mostScript)
})
