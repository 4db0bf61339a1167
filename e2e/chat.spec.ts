/** The chat: ask, follow up, stop, ask again, keep threads, and lose nothing on a reload. */
import { expect, type Page } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'

const question = (page: Page) => page.getByRole('textbox', { name: 'Question' })
const threads = (page: Page) => page.getByRole('navigation', { name: 'Threads' })
const dialogue = (page: Page) => page.getByRole('log', { name: 'Dialogue' })

interface Listed {
  readonly items: readonly {
    readonly id: string
    readonly status: string
    readonly replaces: string | null
  }[]
}

async function ask(page: Page, text: string): Promise<void> {
  await question(page).fill(text)
  await page.keyboard.press('Enter')
}

/** Each turn has its number, and pauses half-way. */
const slow = (stallMs: number) =>
  Array.from({ length: 400 }, (_, index) => ({
    text: `Turn ${index + 1}.`,
    calls: [{ name: 'math.calculate', args: { expression: `${index} + 1` } }],
    fault: { stallMs },
  }))

test('a person finds the chat on the card, asks, goes on, and sees what was done for it', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const turns = [
    { text: 'I work it out.', calls: [{ name: 'math.calculate', args: { expression: '6 * 7' } }] },
    { text: 'It is **42**.' },
  ]
  const agent = await createAgent(url, scriptedConfig('talker', turns))
  await page.goto('/')
  await page.locator(`[data-agent="${agent}"]`).hover()
  await page.getByRole('link', { name: 'Chat with talker' }).click()
  await expect(page.getByText('is not an AI')).toBeVisible()
  await ask(page, 'What is 6 times 7?')
  const answer = page.getByTestId('answer')
  await expect(answer).toHaveText('It is 42.')
  await expect(answer.locator('strong')).toHaveText('42')
  await page.getByRole('button', { name: '2 steps, 1 call' }).click()
  await expect(dialogue(page).getByText('expression: 6 * 7')).toBeVisible()
  await expect(threads(page).getByRole('button', { name: /^What is 6 times 7/ })).toBeVisible()
  const thread = new URL(page.url()).searchParams.get('thread')
  expect(thread).not.toBeNull()
  await ask(page, 'Are you sure?')
  await expect(answer).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'See the run' })).toHaveCount(2)
  const runs = await call<Listed>(`${url}/api/runs?thread=${thread}`)
  expect(runs.items).toHaveLength(2)
})

test('Escape stops the answer, which can then be asked for again', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('slow-talker', slow(300)))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'count')
  await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogue(page).getByText('Cancelled')).toBeVisible()
  const { items } = await call<Listed>(`${url}/api/runs?agent=${agent}`)
  expect(items[0]?.status).toBe('cancelled')
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expect(page.getByRole('button', { name: /^Stop/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogue(page).getByText('2 of 2')).toBeVisible()
})

test('a list of answers that comes late leaves the answer that is followed alone', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('late-lister', slow(300)))
  let isLate = false
  // Late requests are never answered.
  await page.route('**/api/threads/*', (route) => (isLate ? undefined : route.continue()))
  await page.goto(`/agents/${agent}/chat`)
  const listed = page.waitForResponse(/\/api\/threads\/[^/?]+$/)
  await ask(page, 'count')
  await listed
  await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
  // From here on the page knows the first answer as still running.
  isLate = true
  await page.keyboard.press('Escape')
  await expect(dialogue(page).getByText('Cancelled')).toBeVisible()
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogue(page).getByText('2 of 2')).toBeVisible()
  const { items } = await call<Listed>(`${url}/api/runs?agent=${agent}`)
  expect(items.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
})

test('another answer to the same question takes the place of the first, which stays within reach', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('again', [{ text: 'So it is.' }]))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'Is it so?')
  await expect(page.getByTestId('answer')).toHaveText('So it is.')
  await page.getByRole('button', { name: 'Ask again for another answer' }).click()
  await expect(page.getByText('2 of 2')).toBeVisible()
  await expect(page.getByText('Is it so?', { exact: true }).last()).toBeVisible()
  await page.getByRole('button', { name: 'Previous answer' }).click()
  await expect(page.getByText('1 of 2')).toBeVisible()
  const { items } = await call<Listed>(`${url}/api/runs?agent=${agent}`)
  expect(items.map((each) => each.replaces)).toEqual([items[1]?.id, null])
  await page.reload()
  await expect(page.getByText('2 of 2')).toBeVisible()
})

test('threads are begun, named, found again by their address, and deleted after a question', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('threaded', [{ text: 'Yes.' }]))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'First thread?')
  await expect(page.getByTestId('answer')).toHaveText('Yes.')
  const first = page.url()
  await threads(page)
    .getByRole('button', { name: /^New thread/ })
    .click()
  await expect(question(page)).toBeFocused()
  await ask(page, 'Second thread?')
  await expect(page.getByTestId('answer')).toHaveText('Yes.')
  await expect(page).not.toHaveURL(first)
  await threads(page)
    .getByRole('button', { name: /^First thread/ })
    .click()
  await expect(page).toHaveURL(first)
  await expect(dialogue(page).getByText('First thread?')).toBeVisible()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name of the thread' }).fill('The first of all')
  await page.keyboard.press('Enter')
  const named = threads(page).getByRole('button', { name: /^The first of all/ })
  await expect(named).toBeFocused()
  await page.goBack()
  await expect(dialogue(page).getByText('Second thread?')).toBeVisible()
  await named.focus()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(named).toHaveCount(0)
  await expect(dialogue(page).getByText('Second thread?')).toBeVisible()
  expect((await call<Listed>(`${url}/api/threads?agent=${agent}`)).items).toHaveLength(1)
})

test('a reload in mid-run shows the same question and goes on streaming', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('reloaded', slow(250)))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'count slowly')
  await expect(dialogue(page).getByText(/^Step [2-9]/)).toBeVisible()
  await page.reload()
  await expect(dialogue(page).getByText('count slowly')).toBeVisible()
  await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Stop/ })).toBeVisible()
  await question(page).focus()
  await page.keyboard.press('Escape')
  await expect(dialogue(page).getByText('Cancelled')).toBeVisible()
  expect((await call<Listed>(`${url}/api/runs?agent=${agent}`)).items).toHaveLength(1)
})

test('a model that fails is told in words, with a way to try again', async ({ page, baseURL }) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('failing', [{ text: 'No.', fault: { status: 401 } }]))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'Will it work?')
  await expect(dialogue(page).getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('2 of 2')).toBeVisible()
  await expect(dialogue(page).getByRole('alert')).toBeVisible()
})

test('a file goes along with its question', async ({ page, baseURL }) => {
  const agent = await createAgent(baseURL ?? '', scriptedConfig('reader', [{ text: 'I have it.' }]))
  await page.goto(`/agents/${agent}/chat`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await expect(page.getByRole('list', { name: 'Files to send' })).toContainText('notes.txt')
  await question(page).fill('Have you got it?')
  // Not before the file has arrived.
  await page.getByRole('button', { name: /^Send/ }).click()
  await expect(page.getByTestId('answer')).toHaveText('I have it.')
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('notes.txt')
  await expect(page.getByRole('list', { name: 'Files to send' })).toHaveCount(0)
})

test('E-37 a message to the run under way is read at its next step, and another waits for the end', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('queuing', slow(300)))
  await page.goto(`/agents/${agent}/chat`)
  await ask(page, 'count')
  await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
  await ask(page, 'only the odd ones')
  await expect(question(page)).toHaveValue('')
  await expect(dialogue(page).getByText(/^Read at step \d+/)).toBeVisible()
  const waiting = page.getByRole('list', { name: 'Waiting messages' })
  const item = (text: string) => waiting.getByRole('listitem').filter({ hasText: text })
  const later = async (text: string) => {
    await question(page).fill(text)
    await page.getByRole('button', { name: 'After this' }).click()
    await expect(item(text).getByText('after this', { exact: true })).toBeVisible()
  }
  await later('first after')
  await later('second after')
  await item('second after').getByRole('button', { name: 'Edit the waiting message' }).click()
  await expect(question(page)).toHaveValue('second after')
  await expect(waiting.getByRole('listitem')).toHaveCount(1)
  await question(page).fill('second after, changed')
  await page.keyboard.press('Alt+Enter')
  await expect(waiting.getByText('second after, changed')).toBeVisible()
  await page.reload()
  await expect(waiting.getByRole('listitem')).toHaveCount(2)
  await item('second after').getByRole('button', { name: 'Delete the waiting message' }).click()
  await expect(waiting.getByRole('listitem')).toHaveCount(1)
  // The run under way ends, and the waiting one is followed and answered.
  await page.keyboard.press('Escape')
  await expect(waiting).toBeHidden()
  await expect(dialogue(page).getByText('first after')).toBeVisible()
  await expect(dialogue(page).getByText(/^Step \d+: /)).toBeVisible()
  // What was said to the run before it stays with that run.
  await expect(dialogue(page).getByText('only the odd ones')).toBeVisible()
  await page.keyboard.press('Escape')
  const thread = new URL(page.url()).searchParams.get('thread')
  const runs = await call<Listed>(`${url}/api/runs?thread=${thread}`)
  expect(runs.items).toHaveLength(2)
})

test('tests from the builder stay out of the chat until they are asked for', async ({ page, baseURL }) => {
  const agent = await createAgent(baseURL ?? '', scriptedConfig('tested', [{ text: 'Yes.' }]))
  await page.goto(`/agents/${agent}`)
  await ask(page, 'Does it work?')
  await expect(page.getByTestId('answer')).toHaveText('Yes.')
  await page.goto(`/agents/${agent}/chat`)
  await expect(threads(page).getByText('Your conversations appear here.')).toBeVisible()
  await threads(page).getByRole('button', { name: 'Test runs' }).click()
  await threads(page)
    .getByRole('button', { name: /^Does it work/ })
    .click()
  await expect(page.getByTestId('answer')).toHaveText('Yes.')
})
