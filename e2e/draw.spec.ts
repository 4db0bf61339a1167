/** Drawing an agent by hand: parts, wires, undo, delete; then running the drawn agent. */
import { expect, type Locator, type Page } from '@playwright/test'
import { call } from './api'
import { test } from './journey'

const card = (page: Page, name: string) => page.locator('.react-flow__node', { hasText: name })

async function dragTo(page: Page, from: Locator, to: Locator | { x: number; y: number }): Promise<void> {
  const start = await middle(from)
  const end = 'x' in to ? to : await middle(to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 5 })
  await page.mouse.move(end.x, end.y, { steps: 5 })
  await page.mouse.up()
}

async function middle(of: Locator): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox()
  if (box === null) throw new Error('nothing to point at')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** The id of the agent open in the builder. */
const agentId = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''

interface Config {
  readonly tools?: readonly object[]
  readonly policies?: readonly object[]
  readonly canvas?: object
}

test('a person draws an agent, wires a tool and a policy, undoes, runs it and watches the call', async ({
  page,
  baseURL,
}) => {
  const api = `${baseURL}/api/agents`
  const saved = async () => (await call<{ config: Config | null }>(`${api}/${agentId(page)}`)).config
  await page.goto('/')
  await page.getByRole('button', { name: /^New agent N/ }).click()
  await page.waitForURL(/\/agents\/./)
  const parts = page.getByRole('complementary', { name: 'Parts' })

  await parts.getByRole('button', { name: /math\.calculate/ }).click()
  await expect(card(page, 'math.calculate')).toBeVisible()
  await expect
    .poll(async () => (await saved())?.tools)
    .toEqual([{ use: 'builtin', tools: ['math.calculate'] }])

  await parts.getByRole('button', { name: 'Step limit' }).click()
  await expect.poll(async () => (await saved())?.policies).toEqual([{ use: 'steps' }])

  // A part dropped on the canvas is wired by itself; a wire can be cut and drawn by hand as well.
  const canvas = page.locator('.react-flow__pane')
  const box = await canvas.boundingBox()
  if (box === null) throw new Error('no canvas')
  await parts
    .getByRole('button', { name: /time\.now/ })
    .dragTo(canvas, { targetPosition: { x: 90, y: box.height - 110 } })
  const clock = card(page, 'time.now')
  await expect(clock).toBeVisible()
  await expect.poll(async () => (await saved())?.tools).toHaveLength(2)
  const id = (await clock.getAttribute('data-id')) ?? ''
  await page.locator(`.react-flow__edge[data-id^="${id}:"]`).click({ force: true })
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await saved())?.tools).toHaveLength(1)
  await dragTo(page, clock.getByLabel('Out port tool'), page.getByLabel('In port tools').first())
  await expect.poll(async () => (await saved())?.tools).toHaveLength(2)

  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await saved())?.tools).toHaveLength(1)
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(async () => (await saved())?.tools).toHaveLength(2)

  await clock.click()
  await page.keyboard.press('Delete')
  await expect(clock).toHaveCount(0)
  await expect.poll(async () => (await saved())?.tools).toHaveLength(1)

  await page.getByRole('textbox', { name: 'Question' }).fill('What is 12 * 12?')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('treegrid', { name: 'Trace' }).getByText('math.calculate', { exact: true }).first(),
  ).toBeVisible()
  await expect(page.getByTestId('answer')).toContainText('144')
})

test('moving a node changes no config hash, and survives a reload', async ({ page, baseURL }) => {
  await page.goto('/')
  await page.getByRole('button', { name: /^New agent N/ }).click()
  await page.waitForURL(/\/agents\/./)
  const parts = page.getByRole('complementary', { name: 'Parts' })
  await parts.getByRole('button', { name: /math\.calculate/ }).click()
  const node = card(page, 'math.calculate')
  await expect(node).toBeVisible()
  const find = async () => {
    const { items } = await call<{ items: { id: string; configHash: string; revision: number }[] }>(
      `${baseURL}/api/agents`,
    )
    return items.find((each) => each.id === agentId(page))
  }
  await expect.poll(async () => (await find())?.configHash).toBeTruthy()
  await expect
    .poll(async () => (await call<{ config: Config }>(`${baseURL}/api/agents/${agentId(page)}`)).config.tools)
    .toHaveLength(1)
  const before = await find()
  const from = await middle(node)
  await dragTo(page, node, { x: from.x + 48, y: from.y + 96 })
  await expect.poll(async () => (await find())?.revision).toBeGreaterThan(before?.revision ?? 0)
  expect((await find())?.configHash).toBe(before?.configHash)
  const moved = await call<{ config: Config }>(`${baseURL}/api/agents/${agentId(page)}`)
  await page.reload()
  await expect(node).toBeVisible()
  expect((await call<{ config: Config }>(`${baseURL}/api/agents/${agentId(page)}`)).config.canvas).toEqual(
    moved.config.canvas,
  )
})
