/** Every dialog of the product: Escape closes it, and the focus is where it was before. */
import { expect, type Locator, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const dialogs = (page: Page) => page.locator('dialog[open]')

/** Opens a dialog with the keyboard, closes it with Escape, and expects the focus on what opened it. */
async function expectReturn(page: Page, opener: Locator, open?: () => Promise<void>): Promise<void> {
  await opener.focus()
  if (open === undefined) await page.keyboard.press('Enter')
  else await open()
  await expect(dialogs(page)).toHaveCount(1)
  await expect(dialogs(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialogs(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
}

/** Chooses an item of the menu behind the button that has the focus. */
async function choose(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).click()
}

async function expectFocusSomewhere(page: Page): Promise<void> {
  await expect(page.locator('body')).not.toBeFocused()
  await expect(page.locator(':focus')).toHaveCount(1)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test(
  'each dialog of the builder returns the focus to what opened it',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, scriptedConfig('dialogs', [{ text: 'Hello.' }]))
    await page.goto(`/agents/${agent}`)
    await expect(page.locator('.react-flow__node').first()).toBeVisible()
    const menu = button(page, 'Agent menu')

    await expectReturn(page, menu, () => choose(page, 'Versions'))
    await expectReturn(page, menu, () => choose(page, 'Delete'))
    await expectReturn(page, button(page, /^Publish/))
    await expectReturn(page, button(page, 'Would a call run?'))
    await expectReturn(page, button(page, 'Search'))
    await expectReturn(page, button(page, 'Search'), () => page.keyboard.press('ControlOrMeta+f'))
    await expectReturn(page, button(page, 'Search'), () => page.keyboard.press('?'))

    await page.locator('.react-flow__node', { hasText: 'math' }).click()
    await expectReturn(page, page.getByTitle('Open the whole config here'))
    await expectReturn(page, button(page, 'Try'))
    await page.locator('.react-flow__node:has([data-family="agent"])').click()
    // The big editor returns to the text that was edited.
    await button(page, /^Bigger editor for instructions/).click()
    await expect(dialogs(page)).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialogs(page)).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Instructions' })).toBeFocused()

    // What the search opens returns the focus to where it was before the search.
    const returned = button(page, 'Search')
    await returned.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('publish')
    await page.getByRole('option', { name: /^Publish/ }).click()
    await expect(page.getByRole('dialog', { name: /^Publish/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(returned).toBeFocused()

    await page.keyboard.press('Enter')
    await page.keyboard.type('show the tour')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByText('1 of 3')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(returned).toBeFocused()

    // A conflict opens by itself, while a person types.
    const { revision } = await call<{ revision: number }>(`${url}/api/agents/${agent}`)
    const theirs = { revision, config: scriptedConfig('dialogs', [{ text: 'Hello.' }], { title: 'Theirs' }) }
    await call(`${url}/api/agents/${agent}`, theirs, { method: 'PUT', status: 200 })
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Mine')
    await expect(page.getByRole('dialog', { name: 'This agent was changed elsewhere' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialogs(page)).toHaveCount(0)
    await expect(title).toBeFocused()
  },
)

test(
  'each dialog of the other pages returns the focus, also when its opener is gone',
  deepOnly,
  async ({ page, baseURL }) => {
    const url = baseURL ?? ''
    const agent = await createAgent(url, scriptedConfig('dialogs-more', [{ text: 'Hello.' }]))
    const run = await begin(url, agent, 'Who are you?')
    await readStream(url, run, 0)

    await page.goto(`/runs/${run}`)
    await expectReturn(page, button(page, /^Fork from step 1/))
    // Opened by a key while nothing had the focus, it leaves the focus in the page.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur()) // cast: a button has it
    await page.keyboard.press('?')
    await expect(dialogs(page)).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('main')).toBeFocused()

    await call(`${url}/api/secrets/SPARE_KEY`, { value: 'a-long-value' }, { method: 'PUT', status: 200 })
    await page.goto('/settings')
    const remove = button(page, 'Remove SPARE_KEY')
    await expectReturn(page, remove)
    await remove.click()
    // The button that loses nothing.
    await expect(dialogs(page).getByRole('button', { name: 'Keep it' })).toBeFocused()
    await dialogs(page)
      .getByRole('button', { name: /^(Delete|Remove)/ })
      .click()
    await expect(remove).toHaveCount(0)
    await expectFocusSomewhere(page)

    await page.goto(`/agents/${agent}/chat`)
    const more = button(page, 'More for Who are you?')
    await expectReturn(page, more, () => choose(page, 'Delete'))
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialogs(page).getByRole('button', { name: 'Delete' }).click()
    await expect(more).toHaveCount(0)
    await expectFocusSomewhere(page)
  },
)
