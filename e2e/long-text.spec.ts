/**
 * Millions of characters wherever a text is possible, five million in a deep run: the page stays responsive,
 * and all text can be reached.
 */
import { expect, type Page } from '@playwright/test'
import { call, createAgent } from './api'
import { expectSmooth, noteLongTasks } from './frames'
import { test } from './journey'
import type { Behaviour } from './model-server/behaviour'
import { type ModelServer, startModelServer } from './model-server/model-server'
import { countFor, deepOnly, isDeep } from './test-depth'

/** Even the small number exceeds the one-letter lines that the page shows. */
const size = countFor({ quick: 1_250_000, deep: 5_000_000 })
/** A frame should take 100 ms at most; the bounds are higher, since other tests run on the same machine. */
const bounds = { work: 400, clock: 6_000 }

/** Tests whose texts differ from those of another test only by the place where they are shown, and long ones. */
/** As often as it takes to show 5 MB, 500,000 characters at a time. */
const mostPresses = 12

const filled = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const record = '{"id":1042,"name":"[Ada] *Lovelace*","mail":"ada_l@example.com","path":"https://e.org/a_b"}'
const jsonLine = (length: number) => `[${filled(`${record},`, length - (length % (record.length + 1)) - 1)}]`
const page1 = '## Part\n\nSome **words** and `code`, a [link](https://example.com).\n\n- one\n- two\n\n'
const texts = {
  'JSON in one line': jsonLine(size),
  markdown: `${filled(page1, size)}\nThe very end`,
  'one word': filled('abcdefghij', size),
  'many lines': filled('a line of words, as a log has many\n', size),
  'one-letter lines': filled('a\n', size),
}

let models: ModelServer | undefined

// The trace recorder copies the page at each step, which would distort what is measured here. Tests without a
// recorder get their own workers, after all others, so these are distributed one by one.
// Texts of megabytes fill the process of a context, so each of these tests has its own.
test.use({ trace: 'off', hasOwnContext: true })
test.describe.configure({ mode: 'parallel', timeout: 240_000 })
test.beforeEach(async ({ page, context }) => {
  await noteLongTasks(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
test.afterEach(async () => {
  await models?.close()
  models = undefined
})

const smooth = (page: Page, what: string, act: () => Promise<unknown>) =>
  expectSmooth(page, what, bounds, act)

/** An agent on a model that sends these texts in turn, in large deltas. */
async function agentThatHears(
  url: string,
  name: string,
  says: readonly Behaviour[],
  more: object = {},
): Promise<string> {
  models = await startModelServer({ behaviour: [...says] })
  const provider = { baseUrl: models.openaiUrl, key: 'sk-loopback' }
  await call(`${url}/api/providers/loopback`, provider, { method: 'PUT', status: 200 })
  return createAgent(url, {
    name,
    model: { provider: 'openai-compatible', endpoint: 'loopback', name: 'm' },
    policies: [{ use: 'steps' }],
    ...more,
  })
}

const saying = (say: Behaviour['say']): Behaviour => ({ say: { ...say, deltaChars: 20_000 }, paceMs: 2 })

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /Question|Message/ }).fill('Go')
  await page.keyboard.press('Enter')
}

async function openBuilder(page: Page, agent: string): Promise<void> {
  await page.goto(`/agents/${agent}`)
  await expect(page.locator('.react-flow__node').first()).toBeVisible()
}

const rows = (page: Page, kind: string) => page.locator(`[role="row"][data-kind="${kind}"]`)
const opened = (page: Page) => page.getByRole('region', { name: 'Opened row' })
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function openRow(page: Page, kind: string, at = 0): Promise<void> {
  await rows(page, kind).nth(at).locator('[role="gridcell"]').first().click()
  await expect(opened(page)).toBeVisible()
}

/** The one whose rendering is the most work; a deep run has them all. */
const quickKinds = ['markdown']
const kinds = Object.entries(texts).filter(([kind]) => isDeep || quickKinds.includes(kind))

for (const [kind, text] of kinds)
  test(
    `an answer of megabytes, ${kind}, in the chat and in the builder`,
    deepOnly,
    async ({ page, server }) => {
      const name = `answer-${kind.replaceAll(' ', '-').toLowerCase()}`
      const agent = await agentThatHears(server.url, name, [saying({ text }), saying({ text })])
      await page.goto(`/agents/${agent}/chat`)
      const copy = page.getByRole('button', { name: 'Copy the answer' })
      await smooth(page, 'the chat while it streams', async () => {
        await ask(page)
        await expect(copy).toBeVisible({ timeout: 120_000 })
      })
      await smooth(page, 'the chat opened again', async () => {
        await page.reload()
        await expect(copy).toBeVisible({ timeout: 120_000 })
      })
      const answer = page.getByTestId('answer')
      await smooth(page, 'more of the answer', () =>
        answer.getByRole('button', { name: 'Show more' }).click(),
      )
      await smooth(page, 'the rest as plain text', async () => {
        await answer.getByRole('button', { name: 'Show the rest as plain text' }).click()
        const more = answer.getByRole('button', { name: /^Show .* more characters$/ })
        for (let press = 0; press < mostPresses && (await more.count()) > 0; press++)
          await more.first().press('Enter')
      })
      // A browser cannot lay out millions of lines.
      if (kind === 'one-letter lines')
        await expect(answer.getByText('more characters are not shown')).toBeVisible()
      else expect((await answer.locator('pre').last().textContent())?.slice(-12)).toBe(text.slice(-12))
      await copy.click()
      await expect.poll(() => copied(page).then((taken) => taken === text.replaceAll('\r', ''))).toBe(true)

      await openBuilder(page, agent)
      await smooth(page, 'the builder while it streams', async () => {
        await ask(page)
        await expect(rows(page, 'answer')).toBeVisible({ timeout: 120_000 })
      })
      await smooth(page, 'the row opened', () => openRow(page, 'answer'))
      await smooth(page, 'the row raw', async () => {
        await page.getByRole('button', { name: 'Raw', exact: true }).click()
        await opened(page)
          .getByRole('button', { name: /more characters$/ })
          .click()
      })
      await smooth(page, 'the runs', async () => {
        await page.goto('/runs')
        await expect(page.locator('[data-run-link]').first()).toBeVisible()
      })
    },
  )

test(
  'a thought of megabytes, in the builder and on the page of its run',
  deepOnly,
  async ({ page, server }) => {
    const reasoning = texts['one word']
    const agent = await agentThatHears(server.url, 'thought', [saying({ reasoning, text: 'Done.' })])
    await openBuilder(page, agent)
    await smooth(page, 'the builder while it streams', async () => {
      await ask(page)
      await expect(page.getByTestId('answer')).toContainText('Done.', { timeout: 120_000 })
    })
    await smooth(page, 'the row opened', () => openRow(page, 'thought'))
    await smooth(page, 'the row raw', () => page.getByRole('button', { name: 'Raw', exact: true }).click())
    const { items } = await call<{ items: { id: string }[] }>(`${server.url}/api/runs?agent=${agent}`)
    await smooth(page, 'the page of the run', async () => {
      await page.goto(`/runs/${items[0]?.id}`)
      await expect(page.getByRole('region', { name: 'What the model said' })).toBeVisible()
    })
    await smooth(page, 'what the model answered, raw', () => page.keyboard.press('r'))
    await smooth(page, 'the events', () => page.getByRole('tab', { name: /^Events/ }).click())
  },
)

test(
  'arguments of megabytes: while they stream, while a person decides, edits and searches',
  deepOnly,
  async ({ page, server }) => {
    const content = `${filled('abcdefghij', size - 40)} needle-at-the-end`
    const agent = await agentThatHears(
      server.url,
      'arguments',
      [
        saying({
          calls: [
            {
              name: 'files_create',
              args: { path: 'big.txt', content },
              pieces: JSON.stringify({ path: 'big.txt', content }).match(/[\s\S]{1,20000}/g) ?? [],
            },
          ],
        }),
        saying({ text: 'Written.' }),
      ],
      {
        tools: [{ use: 'builtin', tools: ['files.*'] }],
        policies: [{ use: 'steps' }, { use: 'approval', appliesTo: ['files.*'] }],
      },
    )
    await openBuilder(page, agent)
    const asks = page.getByRole('region', { name: 'files.create waits for you' })
    await smooth(page, 'the builder while they stream', async () => {
      await ask(page)
      await expect(asks).toBeVisible({ timeout: 120_000 })
    })
    await smooth(page, 'all of them on the card', () =>
      asks
        .getByRole('button', { name: /more characters$/ })
        .first()
        .click(),
    )
    await smooth(page, 'the card being edited', async () => {
      await asks.getByRole('button', { name: /Edit/ }).click()
      await expect(asks.locator('.cm-content').first()).toBeVisible()
    })
    await smooth(page, 'a letter typed into them', async () => {
      // At its beginning: the middle of so long a text lies far outside the card.
      await asks
        .locator('.cm-content')
        .first()
        .click({ position: { x: 8, y: 8 } })
      await page.keyboard.type('ab')
    })
    await asks.getByRole('button', { name: 'Back' }).click()
    await smooth(page, 'approved and run', async () => {
      await asks.getByRole('button', { name: /^Approve/ }).click()
      await expect(page.getByTestId('answer')).toContainText('Written.', { timeout: 120_000 })
    })
    await smooth(page, 'the call opened', () => openRow(page, 'call'))
    await smooth(page, 'the policies asked again', async () => {
      await opened(page).getByRole('button', { name: 'Check again' }).click()
      await expect(page.getByRole('dialog').locator('.cm-content')).toBeVisible()
    })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await smooth(page, 'the call raw', () => page.getByRole('button', { name: 'Raw', exact: true }).click())
    await smooth(page, 'the search in the trace', async () => {
      await page.getByRole('treegrid', { name: 'Trace' }).focus()
      await page.getByRole('button', { name: 'Find and filter' }).click()
      await page.getByRole('textbox', { name: 'Find in the trace' }).fill('needle-at')
      await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1')
    })
    const { items } = await call<{ items: { id: string }[] }>(`${server.url}/api/runs?agent=${agent}`)
    await smooth(page, 'the page of the run', async () => {
      await page.goto(`/runs/${items[0]?.id}`)
      await expect(page.getByRole('treegrid', { name: 'Trace' })).toBeVisible()
    })
    await smooth(page, 'the request of the last step', async () => {
      await page.getByRole('button', { name: 'Show request' }).click()
      const request = page.getByRole('region', { name: 'Model request' }).locator('pre')
      await expect(request).toBeVisible({ timeout: 120_000 })
    })
    await smooth(page, 'an event', async () => {
      await page.getByRole('tab', { name: /^Events/ }).click()
      // Only the events in view are rendered, and how many come before this one depends on the pace of the stream.
      await page.getByRole('combobox', { name: 'Type of event' }).selectOption('call.started')
      await page.getByRole('region', { name: 'Events' }).getByText('call.started').last().click()
      await expect(page.getByRole('region', { name: 'The event as JSON' })).toBeVisible()
    })
  },
)

test('a reply and a result of megabytes, written anew for a fork', deepOnly, async ({ page, server }) => {
  const tool = { use: 'code', name: 'list', description: 'Lists', source: `return 'x\\n'.repeat(300_000)` }
  const says = [saying({ calls: [{ name: 'list', args: {} }] }), saying({ text: texts['many lines'] })]
  const agent = await agentThatHears(server.url, 'forked', says, {
    tools: [tool],
    policies: [{ use: 'steps' }, { use: 'results', maxChars: 1_000_000 }],
  })
  await openBuilder(page, agent)
  await ask(page)
  await expect(rows(page, 'answer')).toBeVisible({ timeout: 120_000 })
  const { items } = await call<{ items: { id: string }[] }>(`${server.url}/api/runs?agent=${agent}`)
  await page.goto(`/runs/${items[0]?.id}`)
  const detail = page.getByRole('complementary', { name: /^Step/ })
  await expect(detail).toHaveAccessibleName('Step 2')
  const dialog = page.getByRole('dialog', { name: /^Fork from/ })
  for (const [step, change] of [
    ['Step 2', 'Reply'],
    ['Step 1', 'Result'],
  ] as const) {
    if (step === 'Step 1') await page.keyboard.press('k')
    await expect(detail).toHaveAccessibleName(step)
    await page.keyboard.press('f')
    await smooth(page, `${change} to be edited`, async () => {
      await dialog.getByRole('radio', { name: change }).click()
      await expect(dialog.locator('.cm-content')).toBeVisible({ timeout: 120_000 })
    })
    await smooth(page, `a letter typed into ${change}`, async () => {
      await dialog.locator('.cm-line').first().click()
      await page.keyboard.type('ab')
    })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
})

test(
  'two versions whose instructions have a hundred thousand lines each',
  deepOnly,
  async ({ page, server }) => {
    const [before, after] = ['a\n', 'b\n'].map((line) => filled(line, 262_000))
    const agent = await agentThatHears(server.url, 'versions', [saying({ text: 'x' })], {
      instructions: before,
    })
    const url = `${server.url}/api/agents/${agent}`
    const { graph, revision } = await call<{ graph: object; revision: number }>(url)
    await call(`${url}/versions`, { revision })
    const changed = JSON.parse(JSON.stringify(graph).replace(JSON.stringify(before), JSON.stringify(after)))
    await call(url, { graph: changed, revision }, { method: 'PUT', status: 200 })
    await openBuilder(page, agent)
    const difference = page.getByRole('region', { name: /Instructions/ })
    await smooth(page, 'the changes', async () => {
      await page.getByRole('button', { name: /since v1/ }).click()
      await expect(difference.getByText('removed: ').first()).toBeAttached()
    })
    await smooth(page, 'more of the changes', () =>
      difference.getByRole('button', { name: /more lines$/ }).click(),
    )
  },
)

test(
  'results of the most that a tool may give: text, JSON, markdown and a table',
  deepOnly,
  async ({ page, server }) => {
    const tool = (name: string, source: string) => ({ use: 'code', name, description: name, source })
    const tools = [
      tool('text', `return 'x'.repeat(1_000_000)`),
      tool('json', `return Array.from({ length: 4_000 }, (_, n) => ({ n, words: 'w'.repeat(30) }))`),
      tool('line', `return { one: 'y'.repeat(240_000) }`),
      tool(
        'markdown',
        `return '## Part\\n\\nSome **words** and \`code\`.\\n\\n- one\\n- two\\n\\n'.repeat(12_000)`,
      ),
    ]
    const calls = tools.map(({ name }) => ({ name, args: {} }))
    const agent = await agentThatHears(
      server.url,
      'results',
      [saying({ calls }), saying({ text: 'All of it.' })],
      {
        tools,
        policies: [{ use: 'steps' }, { use: 'results', maxChars: 1_000_000 }],
      },
    )
    await openBuilder(page, agent)
    await smooth(page, 'the builder while they come', async () => {
      await ask(page)
      await expect(page.getByTestId('answer')).toContainText('All of it.', { timeout: 120_000 })
    })
    for (const [at, { name }] of tools.entries()) {
      await smooth(page, `the result of ${name} opened`, () => openRow(page, 'observation', at))
      await smooth(page, `the result of ${name} raw`, () =>
        page.getByRole('button', { name: 'Raw', exact: true }).click(),
      )
      await rows(page, 'observation').nth(at).locator('[role="gridcell"]').first().click()
      await expect(opened(page)).toHaveCount(0)
    }
  },
)
