/** Late answers: the person has moved on by then, and their last action counts. */
import { expect, type Page } from '@playwright/test'
import { begin, call, createAgent, goesOn, scriptedConfig, smallConfig } from './api'
import { hold } from './hold'
import { test } from './journey'
import { deepOnly } from './test-depth'

const question = (page: Page) => page.getByRole('textbox', { name: 'Question' })
const threads = (page: Page) => page.getByRole('navigation', { name: 'Threads' })
const dialogue = (page: Page) => page.getByRole('log', { name: 'Dialogue' })
const stop = (page: Page) => page.getByRole('button', { name: /^Stop/ })
const threadOf = (page: Page) => new URL(page.url()).searchParams.get('thread')

interface Listed {
  readonly items: readonly { readonly id: string; readonly input: string; readonly status: string }[]
}

async function ask(page: Page, text: string): Promise<void> {
  await question(page).fill(text)
  await page.keyboard.press('Enter')
}

/** Each turn has its number, and pauses half-way. */
const slow = Array.from({ length: 400 }, (_, index) => ({
  text: `Turn ${index + 1}.`,
  calls: [{ name: 'math.calculate', args: { expression: `${index} + 1` } }],
  fault: { stallMs: 300 },
}))

async function rename(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Agent menu' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByRole('textbox', { name: 'Agent’s title' })).toBeFocused()
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
}

test(
  'a thread that is left while it is answered lets go of its answer',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, scriptedConfig('late-left', slow))
    await page.goto(`/agents/${agent}/chat`)
    const listed = page.waitForResponse(/\/api\/threads\/[^/?]+$/)
    await ask(page, 'the first')
    await expect.poll(() => threadOf(page)).not.toBeNull()
    const first = threadOf(page)
    // By then the page knows that the answer is still running.
    await listed
    await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
    await page.getByRole('button', { name: /^New thread/ }).click()
    await goesOn(url, agent)
    expect(threadOf(page)).toBeNull()
    await expect(stop(page)).toBeHidden()
    await expect(dialogue(page).getByText('the first')).toBeHidden()
    await ask(page, 'the second')
    await expect.poll(() => threadOf(page)).not.toBeNull()
    expect(threadOf(page)).not.toBe(first)
    await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
    // From one running thread to another.
    await threads(page)
      .getByRole('button', { name: /^the first/ })
      .click()
    await expect(dialogue(page).getByText('the first')).toBeVisible()
    const step = dialogue(page).getByText(/^Step \d+: /)
    await expect(step).toBeVisible()
    await expect(step).not.toHaveText((await step.textContent()) ?? '')
    await page.keyboard.press('Escape')
    await expect(dialogue(page).getByText('Cancelled')).toBeVisible()
    const { items } = await call<Listed>(`${url}/api/runs?agent=${agent}`)
    expect(items.map(({ input, status }) => `${input} ${status}`)).toEqual([
      'the second running',
      'the first cancelled',
    ])
    await call(`${url}/api/runs/${items[0]?.id}/cancel`, {}, { status: 200 })
  },
)

test('going back while a question is on its way shows the thread gone back to', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const turns = [{ text: 'It is so.' }]
  const agent = await createAgent(url, scriptedConfig('late-back', turns))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'the first')
  await expect(page.getByTestId('answer')).toHaveText('It is so.')
  const first = threadOf(page)
  await page.getByRole('button', { name: /^New thread/ }).click()
  await expect.poll(() => threadOf(page)).toBeNull()
  const asking = await hold(page, '**/api/agents/*/runs', 'POST')
  await ask(page, 'the second')
  await expect.poll(asking.count).toBe(1)
  await page.goBack()
  await expect.poll(() => threadOf(page)).toBe(first)
  await asking.release()
  // The answer is in its own thread, which is in the list.
  await expect(threads(page).getByRole('button', { name: /^the second/ })).toBeVisible()
  await expect(dialogue(page).getByText('the first')).toBeVisible()
  await expect(dialogue(page).getByText('the second')).toBeHidden()
})

test('a question asked in the moment a new thread is begun goes to the new one', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-new', [{ text: 'It is so.' }]))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'the first')
  await expect(page.getByTestId('answer')).toHaveText('It is so.')
  await expect.poll(() => threadOf(page)).not.toBeNull()
  const first = threadOf(page)
  await question(page).fill('the second')
  // By then the address has changed, but the page has not followed it yet.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('nav[aria-label="Threads"] button')?.click()
    document.querySelector('textarea')?.form?.requestSubmit()
  })
  await expect(dialogue(page).getByText('the second')).toBeVisible()
  await expect(page.getByTestId('answer')).toHaveText('It is so.')
  await expect(dialogue(page).getByText('the first')).toBeHidden()
  await expect.poll(() => threadOf(page)).not.toBeNull()
  expect(threadOf(page)).not.toBe(first)
  expect((await call<{ items: object[] }>(`${url}/api/threads?agent=${agent}`)).items).toHaveLength(2)
})

test('a thread begun and left before the server took its question stands in the list', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-listed', [{ text: 'It is so.' }]))
  await page.goto(`/agents/${agent}/chat`)
  await expect(page.getByText('Your conversations appear here.')).toBeVisible()
  const asking = await hold(page, '**/api/agents/*/runs', 'POST')
  await ask(page, 'in passing')
  await expect.poll(asking.count).toBe(1)
  await page.getByRole('button', { name: /^New thread/ }).click()
  await asking.release()
  await expect(threads(page).getByRole('button', { name: /^in passing/ })).toBeVisible()
  expect(threadOf(page)).toBeNull()
})

for (const place of ['chat', 'builder'] as const) {
  test(`a file given right after a question goes to its thread, in the ${place}`, async ({
    page,
    baseURL,
  }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, scriptedConfig(`late-file-${place}`, [{ text: 'It is so.' }]))
    await page.goto(`/agents/${agent}${place === 'chat' ? '/chat' : ''}`)
    await expect(question(page)).toBeVisible()
    const asking = await hold(page, '**/api/agents/*/runs', 'POST')
    await ask(page, 'the first')
    await expect.poll(asking.count).toBe(1)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles({
      name: 'late.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Late.'),
    })
    await asking.calm()
    await asking.release()
    await expect(page.getByText('It is so.').first()).toBeVisible()
    await question(page).fill('the second')
    // Not before the file has arrived.
    await page.getByRole('button', { name: place === 'chat' ? /^Send/ : /^Run\b.*Enter/ }).click()
    await expect.poll(async () => (await call<Listed>(`${url}/api/runs?agent=${agent}`)).items.length).toBe(2)
    expect((await call<{ items: object[] }>(`${url}/api/threads?agent=${agent}`)).items).toHaveLength(1)
  })
}

test('from the builder’s list of threads to the chat, which lists them too', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-lists', [{ text: 'It is so.' }]))
  await begin(url, agent, 'the first')
  await page.goto(`/agents/${agent}`)
  await page.getByRole('button', { name: 'Earlier threads' }).click()
  await expect(page.getByRole('button', { name: /^the first/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open chat' }).click()
  await expect(threads(page).getByRole('button', { name: /^the first/ })).toBeVisible()
})

test('Escape while the drawing is saved before a run keeps the run from starting', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-stopped', slow))
  await page.goto(`/agents/${agent}`)
  await expect(question(page)).toBeVisible()
  const saving = await hold(page, '**/api/agents/*', 'PUT')
  await rename(page, 'Late, stopped')
  await ask(page, 'count')
  await expect.poll(saving.count).toBe(1)
  await page.keyboard.press('Escape')
  await saving.release()
  await expect(page.locator('[data-save="saved"]')).toBeVisible()
  expect((await call<Listed>(`${url}/api/runs?agent=${agent}`)).items).toEqual([])
  await expect(question(page)).toHaveValue('count')
})

test('of two earlier threads asked for, the one asked for last is shown', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-threads', [{ text: 'It is so.' }]))
  const first = await begin(url, agent, 'the first')
  await begin(url, agent, 'the second')
  const { threadId } = await call<{ threadId: string }>(`${url}/api/runs/${first}`)
  await page.goto(`/agents/${agent}`)
  const opening = await hold(page, `**/api/threads/${threadId}`, 'GET')
  await page.getByRole('button', { name: 'Earlier threads' }).click()
  await page.getByRole('button', { name: /^the first/ }).click()
  await expect.poll(opening.count).toBe(1)
  await page.getByRole('button', { name: /^the second/ }).click()
  await expect(dialogue(page).getByText('the second')).toBeVisible()
  await opening.release()
  await expect(dialogue(page).getByText('the second')).toBeVisible()
  await expect(dialogue(page).getByText('the first')).toBeHidden()
})

test('a question that waited and comes back takes nothing away that is written since', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-draft', slow))
  await page.goto(`/agents/${agent}`)
  await ask(page, 'count')
  await expect(dialogue(page)).toContainText(/Step \d+: /)
  await question(page).fill('and then')
  await page.keyboard.press('Alt+Enter')
  const waiting = page.getByRole('list', { name: 'Waiting messages' })
  await expect(waiting.getByText('and then')).toBeVisible()
  await question(page).fill('written since')
  await waiting.getByRole('button', { name: 'Edit the waiting message' }).click()
  await expect(waiting).toHaveCount(0)
  await expect(question(page)).toHaveValue('and then\nwritten since')
})

test('a key pressed while the list of runs follows the last one is not lost', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-found', [{ text: 'It is so.' }]))
  await begin(url, agent, 'to be found')
  await page.goto('/runs')
  const field = page.getByRole('searchbox', { name: 'Search in runs' })
  // Once a page shows its list, it follows its address.
  await expect(page.getByText('to be found').first()).toBeVisible()
  // The next key comes right after the address changes, before the page has followed it.
  await page.evaluate(() => {
    const replace = window.history.replaceState
    window.history.replaceState = (...given) => {
      replace.apply(window.history, given)
      if (!String(given[2]).includes('search=abc')) return
      window.history.replaceState = replace
      const input = document.querySelector<HTMLInputElement>('main input[type="search"]')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      set?.call(input, 'abcd')
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await field.fill('abc')
  await expect(page).toHaveURL(/search=abcd/)
  await expect(field).toHaveValue('abcd')
})

test(
  'a builder that is left while it saves, and opened again, shows what was drawn',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, smallConfig('late-builder'))
    await page.goto(`/agents/${agent}`)
    await expect(page.locator('[data-save="saved"]')).toBeVisible()
    const saving = await hold(page, '**/api/agents/*', 'PUT')
    await rename(page, 'Drawn last')
    await page.getByRole('button', { name: 'Open chat' }).click()
    await expect.poll(saving.count).toBe(1)
    await saving.calm()
    await saving.release()
    await expect(page.getByRole('heading', { level: 1, name: 'Chat with Drawn last' })).toBeAttached()
    const again = await hold(page, '**/api/agents/*', 'PUT')
    await page.goBack()
    await expect(page.locator('[data-save="saved"]')).toBeVisible()
    await rename(page, 'Drawn since')
    await page.getByRole('button', { name: 'Open chat' }).click()
    await expect.poll(again.count).toBe(1)
    await expect(page).toHaveURL(/\/chat$/)
    await page.goBack()
    await again.calm()
    await again.release()
    await expect(page.getByRole('heading', { level: 1, name: 'Drawn since' })).toBeAttached()
  },
)

test(
  'a save that was stored, though its answer was lost, is no conflict with itself',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, smallConfig('late-saved'))
    await page.goto(`/agents/${agent}`)
    await expect(page.locator('[data-save="saved"]')).toBeVisible()
    await page.route(
      '**/api/agents/*',
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await rename(page, 'Stored unheard')
    await expect(page.locator('[data-save="failed"]')).toBeVisible()
    await rename(page, 'Drawn on')
    await expect(page.locator('[data-save="saved"]')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    const { graph } = await call<{ graph: object }>(`${url}/api/agents/${agent}`)
    expect(JSON.stringify(graph)).toContain('Drawn on')
  },
)

test(
  'while both are kept of two drawings that clash, neither can be dropped',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, scriptedConfig('late-clash', [{ text: 'It is so.' }]))
    await page.goto(`/agents/${agent}`)
    await expect(page.locator('[data-save="saved"]')).toBeVisible()
    const { graph, revision } = await call<{ graph: { notes: object[] }; revision: number }>(
      `${url}/api/agents/${agent}`,
    )
    const theirs = { ...graph, notes: [{ id: 'n1', text: 'Theirs', at: [400, 400] }] }
    await call(`${url}/api/agents/${agent}`, { graph: theirs, revision }, { method: 'PUT', status: 200 })
    await rename(page, 'Mine, kept')
    const making = await hold(page, '**/api/agents', 'POST')
    const dialog = page.getByRole('dialog', { name: 'This agent was changed elsewhere' })
    await dialog.getByRole('button', { name: 'Keep both' }).click()
    await expect.poll(making.count).toBe(1)
    await expect(dialog.getByRole('button', { name: 'Keep mine' })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Take theirs' })).toBeDisabled()
    await making.release()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Theirs')).toBeVisible()
  },
)

test('a key pressed twice makes one agent', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('[data-agent]').first()).toBeVisible()
  const making = await hold(page, '**/api/agents', 'POST')
  await page.keyboard.press('n')
  await expect.poll(making.count).toBe(1)
  await page.keyboard.press('n')
  await making.calm()
  expect(making.count()).toBe(1)
})

test(
  'two deleted agents come back by two keys, however late the first one is',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agents = [
      await createAgent(url, scriptedConfig('late-gone-1', [{ text: 'It is so.' }])),
      await createAgent(url, scriptedConfig('late-gone-2', [{ text: 'It is so.' }])),
    ]
    await page.goto('/')
    for (const id of agents) {
      await page.locator(`[data-agent="${id}"]`).getByRole('link').first().focus()
      await page.keyboard.press('Delete')
      await expect(page.locator(`[data-agent="${id}"]`)).toBeHidden()
    }
    const coming = await hold(page, '**/api/agents/*/restore', 'POST')
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(coming.count).toBe(1)
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(coming.count).toBe(2)
    await coming.release()
    for (const id of agents) await expect(page.locator(`[data-agent="${id}"]`)).toBeVisible()
  },
)
