/**
 * Every page in both themes, on a wide screen and on a phone: axe finds nothing, the console is clean, and no
 * request goes to another host.
 */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { type StatesPage, serveStates } from './states/serve'
import { deepOnly } from './test-depth'

interface Found {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** The rules whose findings depend on colours; the findings of all others are the same in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** The findings of axe, with their places; only those of `rules`, where given. */
async function faultsOn(page: Page, rules?: string[]): Promise<string[]> {
  // Waits for fade-ins to finish before the check.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((each) => each.finished.catch(() => undefined)),
    ),
  )
  // The legacy mode needs no second page to merge the results of several frames, since there is one frame.
  expect(page.frames()).toHaveLength(1)
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules === undefined
    ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
    : axe.withRules(rules)
  ).analyze()
  return violations.flatMap(told)
}

function told({ id, nodes }: Found): string[] {
  return nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`)
}

/** Collects everything that a page must not do. */
function watched(page: Page, host: string): string[] {
  const wrong: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrong.push(`thrown: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== host) wrong.push(`request: ${request.url()}`)
  })
  return wrong
}

interface Ids {
  readonly name: string
  readonly agent: string
  readonly run: string
  readonly thread: string
  /** A key of use chat. */
  readonly key: string
}

async function prepared(url: string, name: string): Promise<Ids> {
  const turns = [
    { text: 'First a sum.', calls: [{ name: 'math.calculate', args: { expression: '6 * 7' } }] },
    { text: 'The answer is **42**.\n\n| a | b |\n| - | - |\n| 1 | 2 |' },
  ]
  const agent = await createAgent(url, scriptedConfig(name, turns))
  const run = await begin(url, agent, 'What is six times seven?')
  await readStream(url, run, 0)
  const { threadId } = await call<{ threadId: string }>(`${url}/api/runs/${run}`)
  await call(`${url}/api/agents/${agent}/versions`, {})
  const { key } = await call<{ key: string }>(`${url}/api/agents/${agent}/keys`, {
    name: 'Guest',
    use: 'chat',
  })
  return { agent, run, thread: threadId, key, name }
}

/** One page load and the views checked on it, in this order. */
interface Place {
  url(ids: Ids): string
  readonly states: readonly State[]
}

interface State {
  readonly name: string
  ready(page: Page): Promise<void>
}

const node = (page: Page) => page.locator('.react-flow__node').first()

const builder: readonly Place[] = [
  {
    url: () => '/',
    states: [
      {
        name: 'Agents',
        ready: (page) => expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible(),
      },
    ],
  },
  {
    url: ({ agent }) => `/agents/${agent}`,
    states: [
      { name: 'Builder', ready: (page) => expect(node(page)).toBeVisible() },
      {
        name: 'Search',
        ready: async (page) => {
          await page.keyboard.press('ControlOrMeta+k')
          await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
        },
      },
      {
        name: 'Shortcuts',
        ready: async (page) => {
          await closeDialog(page)
          await page.keyboard.press('?')
          await expect(page.getByRole('dialog')).toBeVisible()
        },
      },
      {
        name: 'Builder with a node chosen',
        ready: async (page) => {
          await closeDialog(page)
          await page.locator('.react-flow__node', { hasText: 'math' }).click()
          await expect(page.getByText('Compiles to')).toBeVisible()
        },
      },
    ],
  },
  {
    url: ({ agent, run }) => `/agents/${agent}?run=${run}`,
    states: [{ name: 'Builder with a run', ready: showsCall }],
  },
]

const others: readonly Place[] = [
  {
    url: ({ agent, thread }) => `/agents/${agent}/chat?thread=${thread}`,
    states: [{ name: 'Chat', ready: showsQuestion }],
  },
  {
    url: ({ agent, thread }) => `/agents/${agent}/talk?thread=${thread}`,
    states: [{ name: 'Talk', ready: showsQuestion }],
  },
  {
    url: ({ agent }) => `/agents/${agent}/connect`,
    states: [
      {
        name: 'Connect',
        ready: (page) => expect(page.getByRole('list', { name: 'Keys' })).toBeVisible(),
      },
      {
        name: 'Connect with a new key',
        ready: async (page) => {
          await page.getByRole('button', { name: 'Make a key' }).click()
          await page.getByLabel('Name').fill('Editor')
          await page.getByRole('button', { name: 'Make key' }).click()
          await expect(page.getByTestId('new-key')).toBeVisible()
        },
      },
    ],
  },
  {
    url: ({ name, key }) => `/talk/${name}#${key}`,
    states: [{ name: 'Talk with a key', ready: (page) => expect(page.locator('#question')).toBeVisible() }],
  },
  { url: () => '/runs', states: [{ name: 'Runs', ready: showsQuestion }] },
  { url: ({ run }) => `/runs/${run}`, states: [{ name: 'Run', ready: showsCall }] },
  {
    url: () => '/settings',
    states: [
      {
        name: 'Settings',
        ready: (page) => expect(page.getByRole('heading', { name: 'Models' })).toBeVisible(),
      },
    ],
  },
  {
    url: () => '/settings/mcp/callback',
    states: [
      {
        name: 'Sign-in',
        ready: (page) => expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible(),
      },
    ],
  },
  {
    url: () => '/nowhere',
    states: [
      {
        name: 'Not found',
        ready: (page) => expect(page.getByRole('link', { name: /agents/i }).last()).toBeVisible(),
      },
    ],
  },
]

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

function showsCall(page: Page): Promise<void> {
  return expect(page.getByRole('row', { name: /math\.calculate/ }).first()).toBeVisible()
}

function showsQuestion(page: Page): Promise<void> {
  return expect(page.getByText('What is six times seven?').first()).toBeVisible()
}

/** `--panel` in each theme, as the page is painted. */
const backgrounds = { light: 'rgb(250, 251, 252)', dark: 'rgb(18, 19, 22)' } as const

/** Both themes of what the page shows: the page follows the system while it is open. */
async function expectBothThemes(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await expect(page.locator('body')).toHaveCSS('background-color', backgrounds[theme])
    const rules = theme === 'light' ? undefined : colourRules
    expect(await faultsOn(page, rules), `${name}, ${theme}`).toEqual([])
  }
}

/** Every page is opened once. */
async function expectPhone(page: Page, url: string, ids: Ids): Promise<void> {
  const check = (name: string) => expectBothThemes(page, `${name} on a phone`)
  const { agent, run, thread } = ids
  for (const at of [
    '/',
    '/runs',
    '/settings',
    `/agents/${agent}/connect`,
    `/agents/${agent}/chat?thread=${thread}`,
  ]) {
    await page.goto(url + at)
    await expect(page.locator('main [aria-label^="Loading"]')).toHaveCount(0)
    await check(at)
  }
  await page.getByRole('button', { name: 'Threads' }).click()
  await expect(page.getByRole('dialog', { name: 'Threads' })).toContainText('What is six')
  await check('the list of threads')
  for (const [at, tabs] of [
    [`/runs/${run}`, ['Drawing', 'Details', 'Trace']],
    [`/agents/${agent}?run=${run}`, ['Agent', 'Run', 'Drawing']],
  ] as const) {
    await page.goto(url + at)
    for (const name of tabs) {
      await page.getByRole('tablist', { name: 'Views of the page' }).getByRole('tab', { name }).click()
      await check(name)
    }
  }
}

for (const [name, places] of Object.entries({ 'of the builder': builder, 'besides the builder': others })) {
  test(
    `axe finds nothing on any page ${name}, light and dark`,
    name === 'of the builder' ? {} : deepOnly,
    async ({ page, baseURL }) => {
      test.setTimeout(180_000)
      await page.setViewportSize({ width: 1440, height: 900 })
      const url = baseURL ?? ''
      const wrong = watched(page, new URL(url).host)
      const ids = await prepared(url, `axe-${name.replaceAll(' ', '-')}`)
      for (const place of places) {
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        await page.goto(place.url(ids))
        for (const state of place.states) {
          await test.step(state.name, async () => {
            await state.ready(page)
            await expectBothThemes(page, state.name)
          })
        }
      }
      // The browser reports the missing page as well.
      expect(wrong.filter((each) => !each.includes('404'))).toEqual([])
    },
  )
}

test('axe finds nothing on any page on a phone', deepOnly, async ({ page, baseURL }) => {
  test.setTimeout(120_000)
  const url = baseURL ?? ''
  const wrong = watched(page, new URL(url).host)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectPhone(page, url, await prepared(url, 'axe-phone'))
  expect(wrong).toEqual([])
})

test.describe('states of later work', () => {
  let states: StatesPage
  test.beforeAll(async () => {
    states = await serveStates()
  })
  test.afterAll(() => states.close())

  for (const theme of ['light', 'dark'] as const) {
    test(`axe finds nothing on them, ${theme}`, deepOnly, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      for (const view of ['builder&select=create', 'run']) {
        await page.goto(`${states.url}/?theme=${theme}&view=${view}`)
        await expect(node(page)).toBeVisible()
        expect(await faultsOn(page), view).toEqual([])
      }
    })
  }
})
