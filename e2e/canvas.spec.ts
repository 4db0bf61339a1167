/**
 * The canvas with the mouse: drag parts, drop wires on empty space, drop cards on wires, copies, frames,
 * menus; each is one undo step.
 */
import { expect, type Locator, type Page } from '@playwright/test'
import { call, createAgent, smallConfig } from './api'
import { test } from './journey'

interface Point {
  readonly x: number
  readonly y: number
}
interface Drawn {
  readonly nodes: readonly { id: string; kind: string; at?: Point }[]
  readonly edges: readonly { from: { node: string; port: string }; to: { node: string; port: string } }[]
  readonly notes: readonly { text: string }[]
  readonly look: { frames: readonly { title: string; at: [number, number]; size: [number, number] }[] }
}

const card = (page: Page, name: string) => page.locator('.react-flow__node-card', { hasText: name })
const parts = (page: Page) => page.getByRole('complementary', { name: 'Parts' })
const wires = (page: Page) => page.locator('.react-flow__edge')
const agentId = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''

async function middle(of: Locator): Promise<Point> {
  const box = await of.boundingBox()
  if (box === null) throw new Error('nothing to point at')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Drags something to a point without releasing it. */
async function carry(page: Page, from: Locator, to: Point): Promise<void> {
  const start = await middle(from)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 8, start.y + 8, { steps: 3 })
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 5 })
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.move(to.x, to.y)
}

/** A point on the wire that leaves a card, in screen coordinates. */
function onWire(page: Page, node: string): Promise<Point> {
  return page.locator(`.react-flow__edge[data-id^="${node}:"] .react-flow__edge-path`).evaluate((path) => {
    if (!(path instanceof SVGPathElement)) throw new Error('a wire is a path')
    const at = path.getPointAtLength(path.getTotalLength() * 0.4)
    const screen = path.getScreenCTM()
    if (screen === null) throw new Error('a wire is on screen')
    return { x: at.x * screen.a + screen.e, y: at.y * screen.d + screen.f }
  })
}

/** No two cards of the canvas overlap. */
async function expectNoOverlap(page: Page): Promise<void> {
  const boxes = await page.locator('.react-flow__node-card').evaluateAll((cards) =>
    cards.map((each) => {
      const { left, top, right, bottom } = each.getBoundingClientRect()
      return { left, top, right, bottom }
    }),
  )
  const crossing = boxes.filter((a, index) =>
    boxes
      .slice(index + 1)
      .some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  )
  expect(crossing).toEqual([])
}

/** An empty point low on the canvas. */
async function emptySpot(page: Page): Promise<Point> {
  const box = await page.locator('[data-canvas]').boundingBox()
  if (box === null) throw new Error('no canvas')
  return { x: box.x + box.width * 0.45, y: box.y + box.height - 40 }
}

async function drawn(page: Page, baseURL: string | undefined): Promise<Drawn> {
  return (await call<{ graph: Drawn }>(`${baseURL}/api/agents/${agentId(page)}`)).graph
}

test.beforeEach(async ({ page, baseURL }, info) => {
  const id = await createAgent(baseURL ?? '', smallConfig(`canvas-${info.workerIndex}-${Date.now()}`))
  await page.goto(`/agents/${id}`)
  await expect(wires(page)).toHaveCount(4)
})

test('a wire dropped on nothing asks what fits, and what is picked stands there wired: one undo', async ({
  page,
}) => {
  await carry(page, page.getByLabel('In port tools').first(), await emptySpot(page))
  await page.mouse.up()
  const picker = page.getByRole('dialog', { name: 'What fits “tools”' })
  await expect(picker.getByRole('option', { name: /Step limit/ })).toHaveCount(0)
  await page.keyboard.type('list_tables')
  await page.keyboard.press('Enter')
  await expect(card(page, 'schema.list_tables')).toBeVisible()
  await expect(wires(page)).toHaveCount(5)
  await page.keyboard.press('Control+z')
  await expect(card(page, 'schema.list_tables')).toHaveCount(0)
  await expect(wires(page)).toHaveCount(4)
})

test('a double click on nothing opens everything, and Escape leaves it as it was', async ({ page }) => {
  const spot = await emptySpot(page)
  await page.mouse.dblclick(spot.x, spot.y)
  const search = page.getByRole('combobox', { name: 'Add a part' })
  await expect(search).toBeFocused()
  await search.fill('nothing is called so')
  await expect(page.getByText('No part here matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await expect(page.locator('.react-flow__node')).toHaveCount(5)
})

test('a policy dropped on the wire of a tool covers that tool; one that cannot is wired to the agent and says why', async ({
  page,
  baseURL,
}) => {
  const tool = (await drawn(page, baseURL)).nodes.find((each) => each.kind === 'tool:builtin')?.id ?? ''
  const timeLimit = parts(page).getByRole('button', { name: 'Time limit' })
  await timeLimit.scrollIntoViewIfNeeded()
  await carry(page, timeLimit, await onWire(page, tool))
  await expect(page.locator('.react-flow__edge[data-landing]')).toHaveCount(1)
  await page.mouse.up()
  await expect(wires(page)).toHaveCount(5)
  await expect(page.locator('.react-flow__edge[data-landing]')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(wires(page)).toHaveCount(4)

  const steps = parts(page).getByRole('button', { name: 'Step limit' })
  await steps.scrollIntoViewIfNeeded()
  await carry(page, steps, await onWire(page, tool))
  await page.mouse.up()
  await expect(
    page.getByText('Step limit always covers the whole run, so it was wired to the agent.'),
  ).toBeVisible()
  await expect(wires(page)).toHaveCount(5)
  await page.keyboard.press('Control+z')
  await expect(wires(page)).toHaveCount(4)
})

test('a part dropped on the agent is wired and placed in its column, and one undo takes both back', async ({
  page,
}) => {
  await parts(page).getByRole('button', { name: /^Web/ }).click()
  const fetch = parts(page).getByRole('button', { name: /web\.fetch/ })
  await carry(page, fetch, await middle(card(page, 'Agent')))
  await expect(page.locator('.react-flow__node[data-landing]')).toHaveCount(1)
  await page.mouse.up()
  await expect(wires(page)).toHaveCount(5)
  const [agent, tool] = [await card(page, 'Agent').boundingBox(), await card(page, 'web.fetch').boundingBox()]
  if (agent === null || tool === null) throw new Error('both cards are on screen')
  expect(tool.x + tool.width).toBeLessThan(agent.x)
  await page.keyboard.press('Control+z')
  await expect(card(page, 'web.fetch')).toHaveCount(0)
  await expect(wires(page)).toHaveCount(4)
})

test('Shift+A adds a part that is wired and covers no card', async ({ page }) => {
  const at = await middle(card(page, 'Agent'))
  await page.mouse.move(at.x, at.y)
  await page.keyboard.press('Shift+A')
  await page.keyboard.type('web.fetch')
  await page.keyboard.press('Enter')
  await expect(wires(page)).toHaveCount(5)
  await expectNoOverlap(page)
})

test('a copy takes the next free place, and says why a tool of the same name stays unwired', async ({
  page,
}) => {
  await card(page, 'time.now').click()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect(card(page, 'time.now')).toHaveCount(2)
  await expect(page.getByText('Pasted, not connected: a tool of that name exists already.')).toBeVisible()
  await page.keyboard.press('Control+d')
  await expect(card(page, 'time.now')).toHaveCount(3)
  await expectNoOverlap(page)
})

test('“Never allow” blocks one tool by one click, and one undo allows it again', async ({
  page,
  baseURL,
}) => {
  const skills = async () => (await drawn(page, baseURL)).nodes.filter(({ kind }) => kind === 'policy:skills')
  const count = (await skills()).length
  await card(page, 'time.now').click()
  const policies = page.getByRole('region', { name: 'Policies on this tool' })
  await policies.getByRole('button', { name: 'Add a policy to this tool' }).click()
  const menu = page.getByRole('menu', { name: 'Add a policy to this tool' })
  await expect(menu.getByRole('menuitem').first()).toContainText('Never allow')
  const [box, view] = [await menu.boundingBox(), page.viewportSize()]
  if (box === null || view === null) throw new Error('the menu is on screen')
  expect(box.y).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(view.width)
  await page.keyboard.press('Enter')
  await expect(policies.getByRole('button', { name: /Allow or deny tools/ })).toBeVisible()
  await expect.poll(async () => (await skills()).length).toBe(count + 1)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await skills()).length).toBe(count)
})

test('a wire let go on what it does not fit says so at the pointer', async ({ page }) => {
  await carry(page, card(page, 'demo').getByLabel('Out port model'), await middle(card(page, 'time.now')))
  await page.mouse.up()
  await expect(page.getByText('A model goes into the port “model” of the agent.')).toBeVisible()
})

test('what is cut comes back by paste with its wire, and other text is named for what it is', async ({
  page,
}) => {
  await card(page, 'time.now').click()
  await page.keyboard.press('Control+x')
  await expect(wires(page)).toHaveCount(3)
  const spot = await emptySpot(page)
  await page.mouse.move(spot.x, spot.y)
  await page.keyboard.press('Control+v')
  await expect(card(page, 'time.now')).toBeVisible()
  await expect(wires(page)).toHaveCount(4)
  await page.keyboard.press('Control+z')
  await expect(card(page, 'time.now')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(wires(page)).toHaveCount(4)
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', '{"name":"other","tools":[]}')
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await expect(page.getByText('That is the JSON of a whole agent.')).toBeVisible()
})

test('a frame is drawn round what is chosen, titled in place, and moves with it; one undo each', async ({
  page,
  baseURL,
}) => {
  await card(page, 'math.calculate').click()
  await card(page, 'time.now').click({ modifiers: ['Shift'] })
  await page.keyboard.press('g')
  await expect(page.getByLabel('Title of the frame')).toBeFocused()
  await page.keyboard.type('Small tools')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await drawn(page, baseURL)).look.frames[0]?.title).toBe('Small tools')

  const before = await card(page, 'time.now').boundingBox()
  const title = page.locator('.react-flow__node-frame').getByText('Small tools')
  const from = await middle(title)
  await carry(page, title, { x: from.x - 64, y: from.y + 32 })
  await page.mouse.up()
  await expect(async () => {
    const now = await card(page, 'time.now').boundingBox()
    expect((now?.x ?? 0) - (before?.x ?? 0)).toBeLessThan(-40)
  }).toPass()
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await card(page, 'time.now').boundingBox())?.x).toBe(before?.x)

  await title.click()
  await page.keyboard.press('Delete')
  await expect(page.locator('.react-flow__node-frame')).toHaveCount(0)
  await expect(card(page, 'time.now')).toBeVisible()
})

test('a note is written in markdown as one entry', async ({ page, baseURL }) => {
  const spot = await emptySpot(page)
  await page.mouse.move(spot.x, spot.y)
  await page.keyboard.press('n')
  await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.type('Ask **before** writing')
  await page.keyboard.press('Escape')
  await expect(page.locator('.react-flow__node-note strong')).toHaveText('before')
  await expect.poll(async () => (await drawn(page, baseURL)).notes[0]?.text).toBe('Ask **before** writing')
  await page.keyboard.press('Control+z')
  await expect(page.locator('.react-flow__node-note')).toContainText('Empty note')
})

test('menus open by the right button and by key, and show the keys of what they do', async ({ page }) => {
  await card(page, 'time.now').click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'time.now' })
  await expect(menu.getByRole('menuitem', { name: /Duplicate Ctrl D/ })).toBeVisible()
  await menu.getByRole('menuitem', { name: /Switch off/ }).click()
  await expect(card(page, 'time.now')).toContainText('off')
  await page.keyboard.press('Shift+F10')
  await expect(menu.getByRole('menuitem', { name: /Rename/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('menuitem', { name: /Switch on/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card(page, 'time.now')).not.toContainText('off')
  // A rule of the tool: a policy with its wire, as one entry. The policy also names the tool.
  const tool = card(page, 'time.now').first()
  await tool.click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Never allow' }).click()
  await expect(page.locator('.react-flow__node-card')).toHaveCount(6)
  await expect(wires(page)).toHaveCount(5)
  await expect(tool).toContainText('withheld')
  await tool.click({ button: 'right' })
  await expect(menu.getByRole('menuitem', { name: 'Never allow' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await expect(page.locator('.react-flow__node-card')).toHaveCount(5)
  await expect(tool).not.toContainText('withheld')
  const spot = await emptySpot(page)
  await page.mouse.click(spot.x, spot.y, { button: 'right' })
  await expect(page.getByRole('menu', { name: 'Canvas' }).getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('many are chosen by a box, doubled and deleted, each as one entry', async ({ page }) => {
  const first = await card(page, 'math.calculate').boundingBox()
  const last = await card(page, 'time.now').boundingBox()
  if (first === null || last === null) throw new Error('two cards')
  await page.keyboard.down('Shift')
  await page.mouse.move(first.x - 20, first.y - 12)
  await page.mouse.down()
  await page.mouse.move(last.x + 90, last.y + 30, { steps: 8 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect(page.locator('.react-flow__node-card.selected')).toHaveCount(2)
  await page.keyboard.press('Control+d')
  await expect(page.locator('.react-flow__node-card')).toHaveCount(7)
  await page.keyboard.press('Delete')
  await expect(page.locator('.react-flow__node-card')).toHaveCount(5)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect(page.locator('.react-flow__node-card')).toHaveCount(5)
  await expect(wires(page)).toHaveCount(4)
})

test('the policies are one click away in the palette, however low it is', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 560 })
  const heading = parts(page).getByRole('heading', { name: 'Policies' })
  const policy = parts(page).getByRole('button', { name: 'Check arguments' })
  await expect(heading).toBeInViewport({ ratio: 1 })
  await expect(policy).not.toBeInViewport()
  await heading.click()
  await expect(policy).toBeInViewport({ ratio: 1 })
  await expect(heading).toBeInViewport({ ratio: 1 })
})

test('where the palette is a rail, its search opens beside it', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await expect(page.getByRole('button', { name: 'Search parts' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog', { name: 'Add a part' })).toBeVisible()
  await page.keyboard.type('list_columns')
  await page.keyboard.press('Enter')
  await expect(card(page, 'schema.list_columns')).toBeVisible()
  await expect(wires(page)).toHaveCount(5)
})
