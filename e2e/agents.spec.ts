/** The list of agents: create from a template, duplicate, delete and restore, import files with a report. */
import { expect, type Page } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

interface Listed {
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

const namesAt = async (url: string) =>
  (await call<Listed>(`${url}/api/agents`)).items.map((each) => each.name)

const cardOf = (page: Page, id: string) => page.locator(`[data-agent="${id}"]`)

/** Drops files on the page, as if dragged from another window. */
async function drop(
  page: Page,
  files: readonly { name: string; text: string }[],
  type = 'drop',
): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer()
    for (const { name, text } of given) data.items.add(new File([text], name, { type: 'application/json' }))
    return data
  }, files)
  await page.dispatchEvent('body', type, { dataTransfer: transfer })
}

test('a template from the menu of New agent is an agent that answers at once', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'New agent from a template' }).click()
  await page.getByRole('menuitem', { name: 'Calculator' }).click()
  await page.waitForURL(/\/agents\/./)
  await page
    .getByRole('region', { name: 'Run' })
    .getByRole('button', { name: /What is|How much/ })
    .first()
    .click()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(page.getByTestId('answer')).not.toBeEmpty()
  await expect(page.getByText('not an AI').first()).toBeVisible()
})

test('each template compiles and runs with no key', deepOnly, async ({ baseURL }) => {
  test.setTimeout(60_000)
  const url = baseURL ?? ''
  const { items } = await call<{ items: { id: string; config: object }[] }>(`${url}/api/templates`)
  expect(items.length).toBeGreaterThanOrEqual(6)
  for (const { id, config } of items) {
    const made = await call<{ id: string; config: object | null }>(
      `${url}/api/agents/import?rename=1`,
      config,
    )
    expect(made.config, id).not.toBeNull()
    const run = await call<{ id: string }>(`${url}/api/agents/${made.id}/runs`, { input: 'What can you do?' })
    await expect
      .poll(async () => (await call<{ status: string }>(`${url}/api/runs/${run.id}`)).status, {
        timeout: 15_000,
      })
      .toMatch(/completed|max_steps|waiting/)
    // A run that waits for a person would stand in the title of every page of this server.
    await fetch(`${url}/api/runs/${run.id}/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await fetch(`${url}/api/agents/${made.id}`, { method: 'DELETE' })
  }
})

test('a copy is made from the card, and has the focus', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const id = await createAgent(url, scriptedConfig('copied-once', [{ text: 'Hello.' }]))
  await page.goto('/')
  await cardOf(page, id).hover()
  await page.getByRole('button', { name: 'More for copied-once', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const copy = page.getByRole('link', { name: 'copied-once-2', exact: true })
  await expect(copy).toBeFocused()
  await page.keyboard.press('ControlOrMeta+d')
  await expect
    .poll(async () => (await namesAt(url)).filter((each) => each.startsWith('copied-once')))
    .toHaveLength(3)
})

test('what is deleted leaves its place to a way back, and comes back as it was', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const id = await createAgent(url, scriptedConfig('here-again', [{ text: 'Hello.' }]))
  const before = await call<object>(`${url}/api/agents/${id}`)
  await page.goto('/')
  await cardOf(page, id).hover()
  await page.getByRole('button', { name: 'More for here-again' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('here-again was deleted.')).toBeVisible()
  await expect.poll(() => namesAt(url)).not.toContain('here-again')
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeFocused()
  await undo.click()
  await expect(cardOf(page, id)).toBeVisible()
  expect(await call<object>(`${url}/api/agents/${id}`)).toEqual(before)
  // The same with the keyboard alone.
  await page.getByRole('link', { name: 'here-again', exact: true }).focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('here-again was deleted.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cardOf(page, id)).toBeVisible()
})

test('files dropped anywhere come in one by one, with what this server lacks and what is wrong with the rest', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  await page.goto('/')
  await expect(page.locator('[data-agent]').first()).toBeVisible()
  const lacking = {
    name: 'needs-much',
    model: { provider: 'openai', name: 'gpt-5-mini' },
    tools: [{ use: 'builtin', tools: ['sql.execute'], preset: { 'sql.execute': { database: 'warehouse' } } }],
  }
  const files = [
    { name: 'much.json', text: JSON.stringify(lacking, null, 2) },
    { name: 'broken.json', text: '{\n  "name": "x",\n' },
    { name: 'odd.json', text: '{\n  "name": "odd-one",\n  "tols": []\n}' },
  ]
  await drop(page, files, 'dragover')
  await expect(page.getByText('Drop to import')).toBeVisible()
  await drop(page, files)
  await expect(page.getByText('Drop to import')).toBeHidden()
  const report = page.getByRole('region', { name: 'Import' })
  await expect(report.getByText('1 imported, 2 not')).toBeVisible()
  const needs = report.getByRole('list', { name: 'What needs-much needs' })
  await expect(needs.getByRole('link', { name: /Databases/ })).toHaveAttribute('href', /#databases$/)
  await expect(needs.getByRole('link', { name: /Models/ })).toHaveAttribute('href', /#models$/)
  await expect(report.getByRole('alert').filter({ hasText: 'broken.json' })).toContainText(/JSON/)
  await expect(report.getByRole('alert').filter({ hasText: 'odd.json' })).toContainText(/tols, line 3/)
  expect(await namesAt(url)).toContain('needs-much')
  await report.getByRole('link', { name: 'Open agent' }).click()
  await page.waitForURL(/\/agents\/./)
})

test('one sound file opens at once; a name that is taken is changed in place', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  await createAgent(url, scriptedConfig('same-name', [{ text: 'Hello.' }]))
  await page.goto('/')
  await expect(page.locator('[data-agent]').first()).toBeVisible()
  await drop(page, [{ name: 'a.json', text: JSON.stringify(scriptedConfig('same-name', [{ text: 'Hi.' }])) }])
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect(name).toHaveValue('same-name-2')
  await name.fill('another-name')
  await page.keyboard.press('Enter')
  await expect.poll(() => namesAt(url)).toContain('another-name')
  expect(await namesAt(url)).toContain('same-name')
  await page.goto('/')
  await expect(page.locator('[data-agent]').first()).toBeVisible()
  await drop(page, [{ name: 'b.json', text: JSON.stringify(scriptedConfig('sound-one', [{ text: 'Hi.' }])) }])
  await page.waitForURL(/\/agents\/./)
})

test('the list is searched and sorted, and says when nothing fits', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  await createAgent(url, scriptedConfig('aaa-first', [{ text: 'Hello.' }]))
  await createAgent(url, scriptedConfig('zzz-last', [{ text: 'Hello.' }]))
  await page.goto('/')
  const first = page.locator('[data-agent]').first()
  await expect(first).toContainText('zzz-last')
  await page.getByRole('button', { name: 'Sorted by last changed' }).click()
  await expect(first).toContainText('aaa-first')
  await page.keyboard.press('/')
  await page.keyboard.type('no such thing')
  await expect(page.getByText('No agent has “no such thing”')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(first).toBeVisible()
})

test.describe('the first visit of a builder', () => {
  test.use({ knowsTour: false })

  test('is told in three steps, by the keyboard, and never again once it was left', async ({
    page,
    baseURL,
  }) => {
    const id = await createAgent(baseURL ?? '', scriptedConfig('toured', [{ text: 'Hello.' }]))
    await page.goto(`/agents/${id}`)
    for (const title of ['The canvas is the agent', 'Ask and watch', 'Take it with you']) {
      const mark = page.getByRole('dialog', { name: title })
      await expect(mark).toBeVisible()
      await expect(mark.locator(':focus')).toHaveText(/Next|Done/)
      await expect(mark).not.toHaveAttribute('aria-modal', 'true')
      await page.keyboard.press('Enter')
    }
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('region', { name: 'Run' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('the first answer is two clicks away, with the tour standing beside it', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Retail analyst', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'The canvas is the agent' })).toBeVisible()
    const box = page.getByRole('region', { name: 'Run' })
    await box.getByRole('button', { name: 'Which country brought the most revenue, and how much?' }).click()
    await expect(page.getByTestId('answer')).toContainText('Germany')
  })

  test('never covers what it explains, and Escape leaves it', async ({ page, baseURL }) => {
    const id = await createAgent(baseURL ?? '', scriptedConfig('toured-small', [{ text: 'Hello.' }]))
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`/agents/${id}`)
      await page.evaluate(() => localStorage.clear())
      await page.reload()
      for (const target of ['canvas', 'run', 'publish']) {
        const mark = await page.getByRole('dialog').boundingBox()
        const region = await page.locator(`[data-tour="${target}"]`).boundingBox()
        if (mark === null) throw new Error('no coach mark')
        if (region !== null && region.width > 0) {
          const isApart =
            mark.x + mark.width <= region.x ||
            region.x + region.width <= mark.x ||
            mark.y + mark.height <= region.y ||
            region.y + region.height <= mark.y
          expect(isApart, `${target} at ${width}`).toBe(true)
        }
        if (target !== 'publish') await page.keyboard.press('ArrowRight')
      }
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
})
