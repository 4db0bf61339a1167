/**
 * Drawing aids: renaming in place, alignment lines, the grid, inserting a card into a wire, automatic layout.
 */
import { expect, type Locator, type Page } from '@playwright/test'
import { call, createAgent, largeConfig, smallConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

interface Point {
  readonly x: number
  readonly y: number
}
interface Drawn {
  readonly nodes: readonly { id: string; kind: string; at?: Point; config: { title?: string } }[]
}

const card = (page: Page, name: string) => page.locator('.react-flow__node-card', { hasText: name })
const wires = (page: Page) => page.locator('.react-flow__edge')

async function boxOf(of: Locator): Promise<Point & { readonly width: number; readonly height: number }> {
  const box = await of.boundingBox()
  if (box === null) throw new Error('nothing to point at')
  return box
}

async function hold(page: Page, at: Locator): Promise<Point> {
  const { x, y, width, height } = await boxOf(at)
  const start = { x: x + width / 2, y: y + height / 2 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  return start
}

/** A place on the wire that begins at this node, nearer to its beginning, clear of ports. */
async function placeOnWire(page: Page, node: string | null): Promise<Point> {
  const path = page.locator(`.react-flow__edge[data-id^="${node}:"] .react-flow__edge-path`)
  return await path.evaluate((drawn) => {
    if (!(drawn instanceof SVGPathElement)) throw new Error('a wire is a path')
    const at = drawn.getPointAtLength(drawn.getTotalLength() * 0.4)
    const screen = drawn.getScreenCTM()
    if (screen === null) throw new Error('a wire is on screen')
    return { x: at.x * screen.a + screen.e, y: at.y * screen.d + screen.f }
  })
}

async function graphOf(baseURL: string | undefined, id: string): Promise<Drawn> {
  return (await call<{ graph: Drawn }>(`${baseURL}/api/agents/${id}`)).graph
}

test.describe('in a small drawing', () => {
  let id = ''
  test.beforeEach(async ({ page, baseURL }, info) => {
    id = await createAgent(baseURL ?? '', smallConfig(`more-${info.workerIndex}-${Date.now()}`))
    await page.goto(`/agents/${id}`)
    await expect(wires(page)).toHaveCount(4)
  })

  test('F2 names the agent in place: Enter keeps it as one entry, Escape leaves it', async ({
    page,
    baseURL,
  }) => {
    const agent = page.locator('.react-flow__node-card', { has: page.getByLabel('In port tools') })
    const title = async () =>
      (await graphOf(baseURL, id)).nodes.find(({ kind }) => kind === 'agent')?.config.title
    await agent.click({ position: { x: 60, y: 14 } })
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator('.nodrag'))
    await page.keyboard.press('F2')
    await expect(name).toBeFocused()
    await page.keyboard.type('Night watch')
    await page.keyboard.press('Enter')
    await expect(name).toHaveCount(0)
    await expect(agent).toContainText('Night watch')
    await expect.poll(title).toBe('Night watch')

    // The card has the focus again, so keys act on it.
    await expect(agent).toBeFocused()
    await page.keyboard.press('F2')
    await name.fill('Something else')
    await page.keyboard.press('Escape')
    await expect(name).toHaveCount(0)
    await expect(agent).toContainText('Night watch')
    await expect(agent).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(agent).not.toContainText('Night watch')
  })

  test('a card in line with another shows the line, and comes to rest on it', async ({ page }) => {
    await page.getByRole('button', { name: 'Snap to the grid' }).click()
    const still = await boxOf(card(page, 'math.calculate'))
    const moved = card(page, 'time.now')
    const start = await hold(page, moved)
    await page.mouse.move(start.x + 60, start.y + 20, { steps: 4 })
    await expect(page.locator('[data-guide="x"]')).toHaveCount(0)
    // Three pixels from the left side of the other card, which is within reach of the line. The card starts
    // to move a little after the mouse.
    const now = await boxOf(moved)
    await page.mouse.move(start.x + 60 + (still.x + 3 - now.x), start.y + 30, { steps: 4 })
    await expect(page.locator('[data-guide="x"]')).toHaveCount(1)
    await page.mouse.up()
    await expect(page.locator('[data-guide]')).toHaveCount(0)
    expect(Math.abs((await boxOf(moved)).x - still.x)).toBeLessThan(1)
  })

  test('on the grid a card goes by steps; switched off it goes with the hand', deepOnly, async ({ page }) => {
    const moved = card(page, 'time.now')
    /** The number of places of the card while the mouse moves by sixty pixels. */
    const places = async () => {
      const start = await hold(page, moved)
      const seen = new Set<number>()
      for (let by = 10; by < 70; by += 1) {
        await page.mouse.move(start.x - by, start.y)
        seen.add(Math.round((await boxOf(moved)).x * 2))
      }
      await page.mouse.up()
      return seen.size
    }
    const snap = page.getByRole('button', { name: 'Snap to the grid' })
    await expect(snap).toHaveAttribute('aria-pressed', 'true')
    expect(await places()).toBeLessThan(15)
    await snap.click()
    await expect(snap).toHaveAttribute('aria-pressed', 'false')
    expect(await places()).toBeGreaterThan(25)
  })

  test('a loose card let go on a wire goes into it; the way and the wires are one undo', async ({ page }) => {
    const pane = page.locator('.react-flow__pane')
    const { height } = await boxOf(pane)
    const timeLimit = page
      .getByRole('complementary', { name: 'Parts' })
      .getByRole('button', { name: 'Time limit' })
    await timeLimit.dragTo(pane, { targetPosition: { x: 90, y: height - 110 } })
    // It is wired where it was dropped; without its wire, it is a loose card.
    await expect(wires(page)).toHaveCount(5)
    const added = await page.locator('.react-flow__node-card.selected').getAttribute('data-id')
    const loose = page.locator(`.react-flow__node-card[data-id="${added}"]`)
    const own = await placeOnWire(page, added)
    await page.mouse.click(own.x, own.y)
    await page.keyboard.press('Delete')
    await expect(wires(page)).toHaveCount(4)
    const before = await boxOf(loose)

    const tool = await card(page, 'math.calculate').getAttribute('data-id')
    const to = await placeOnWire(page, tool)
    const start = await hold(page, loose)
    await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 5 })
    await page.mouse.move(to.x, to.y, { steps: 5 })
    await expect(page.locator('.react-flow__edge[data-landing]')).toHaveCount(1)
    await page.mouse.up()
    await expect(wires(page)).toHaveCount(5)
    await expect(page.locator('.react-flow__edge[data-landing]')).toHaveCount(0)

    await page.keyboard.press('Control+z')
    await expect(wires(page)).toHaveCount(4)
    await expect.poll(async () => Math.round((await boxOf(loose)).x - before.x)).toBe(0)
  })
})

declare global {
  interface Window {
    sentJobs?: string[]
  }
}

/** Notes which jobs the page sends to its workers from its next load on. */
async function noteJobs(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const send = Worker.prototype.postMessage
    window.sentJobs = []
    Worker.prototype.postMessage = function (this: Worker, message: { job: string }) {
      window.sentJobs?.push(message.job)
      send.call(this, message)
    }
  })
}

function jobsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => window.sentJobs ?? [])
}

test(
  'Tidy lays out a drawing of 250 parts in a worker, as one entry',
  deepOnly,
  async ({ page, baseURL }) => {
    const id = await createAgent(baseURL ?? '', largeConfig('tidied', { tools: 150, policies: 100 }))
    const places = async () => {
      const { nodes } = await graphOf(baseURL, id)
      return nodes.every((each) => each.at !== undefined)
        ? JSON.stringify(nodes.map(({ id, at }) => [id, at]))
        : null
    }
    const tidy = page.getByRole('button', { name: 'Tidy up' })
    await noteJobs(page)
    await page.goto(`/agents/${id}`)
    await expect.poll(() => jobsOf(page)).toContain('layout')
    await tidy.click()
    await expect.poll(places, { timeout: 20_000 }).not.toBeNull()
    const first = await places()

    // All cards have positions now, so nothing is laid out until a person asks.
    await page.reload()
    const agent = card(page, 'tidied').first()
    await agent.click()
    // One step only: of two, the first might be saved and read here before the second.
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(places).not.toBe(first)
    const moved = await places()
    expect(await jobsOf(page)).not.toContain('layout')
    await tidy.click()
    await expect.poll(() => jobsOf(page)).toContain('layout')
    await expect.poll(places, { timeout: 20_000 }).toBe(first)
    await page.keyboard.press('Control+z')
    await expect.poll(places).toBe(moved)
  },
)
