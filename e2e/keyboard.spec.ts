/**
 * A whole journey with the keyboard alone, from an empty agent to its run and back; the focus is never lost.
 */
import { expect, type Page } from '@playwright/test'
import { createAgent, smallConfig } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

interface Focus {
  readonly tag: string
  readonly name: string
  readonly isShown: boolean
}

/** The focused element, and whether its focus is visible. */
async function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement) || at === document.body) return { tag: 'body', name: '', isShown: false }
    const row = at.getAttribute('aria-activedescendant')
    const shown = (row === null ? null : document.getElementById(row)) ?? at
    const marks = [shown, shown.closest('label, form, [data-focus], [cmdk-root], dialog') ?? shown].map(
      (each) => getComputedStyle(each),
    )
    const isMarked = marks.some(
      ({ boxShadow, outlineStyle, borderColor }) =>
        boxShadow !== 'none' || outlineStyle !== 'none' || borderColor !== '',
    )
    const { width, height } = shown.getBoundingClientRect()
    return {
      tag: at.tagName.toLowerCase(),
      name: at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 40) ?? '',
      isShown: isMarked && width > 0 && height > 0,
    }
  })
}

/** Expects at each stage that something has the focus, visibly. */
async function stands(page: Page, stage: string): Promise<void> {
  await expect
    .poll(async () => (await focus(page)).tag, { message: `focus after: ${stage}` })
    .not.toBe('body')
  expect((await focus(page)).isShown, `focus is seen after: ${stage}`).toBe(true)
}

const tree = (page: Page) => page.getByRole('tree', { name: 'Outline of the agent' })
const row = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name })
const said = (page: Page) => page.locator('[data-announcer]')

/** The name of the region around the focus. */
function regionInFocus(): string | null | undefined {
  return document.activeElement?.closest('aside[aria-label], section[aria-label="Trace"]')?.ariaLabel
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    await page.keyboard.press('Tab')
    if (name.test((await focus(page)).name)) return
  }
  throw new Error(`Tab never came to ${name}`)
}

async function add(page: Page, name: string): Promise<void> {
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Add a part' })).toBeVisible()
  await stands(page, `asking for ${name}`)
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(tree(page)).toBeFocused()
  await stands(page, `adding ${name}`)
}

test('S-18: an agent is made, drawn, set, run and read by keys alone', deepOnly, async ({ page }) => {
  test.slow()
  await page.goto('/')
  await expect(page.getByRole('button', { name: /^New agent/ }).first()).toBeVisible()
  await tabTo(page, /^New agent/)
  await stands(page, 'walking to New agent')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/agents\/agent/)
  await expect(page.locator('.react-flow__node').first()).toBeVisible({ timeout: 20_000 })

  // The outline: a tree that keeps the focus.
  await page.keyboard.press('o')
  await expect(tree(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await stands(page, 'opening the outline')

  // Deletes the model and undoes it; then adds other parts.
  await expect(row(page, /demo/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Delete')
  await expect(row(page, /demo/)).toHaveCount(0)
  await expect(said(page)).toContainText('deleted')
  await stands(page, 'deleting the model')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row(page, /demo/)).toHaveCount(1)
  // Edits that follow one another quickly are announced together.
  await expect(said(page)).toContainText('demo added')
  await stands(page, 'undoing')

  await add(page, 'math.calculate')
  await expect(said(page)).toContainText('math.calculate added and wired to the agent')
  await add(page, 'time.now')
  await expect(said(page)).toContainText('time.now added')
  await add(page, 'Shorten results')
  await expect(said(page)).toContainText('Shorten results added')
  await expect(row(page, /Shorten results/)).toHaveAttribute('aria-selected', 'true')

  // Connect: from the agent to one tool.
  await page.keyboard.press('c')
  const menu = page.getByRole('menu', { name: /Connect/ })
  await expect(menu).toBeVisible()
  await stands(page, 'asking what fits')
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  await expect(tree(page)).toBeFocused()
  await expect(row(page, /Shorten results/)).toHaveAttribute('aria-level', '3')
  await expect(said(page)).toContainText('wired to')

  // Reorder, switch off and on.
  await row(page, /time\.now/).waitFor()
  await page.keyboard.press('Home')
  while (!(await row(page, /time\.now/).getAttribute('aria-selected'))?.includes('true'))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(said(page)).toContainText('time.now is 1 of 2 now')
  await page.keyboard.press('d')
  await expect(said(page)).toContainText('time.now switched off')
  await stands(page, 'switching off')
  await page.keyboard.press('d')
  await expect(said(page)).toContainText('time.now switched on')

  // Configure: into the form and back.
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await stands(page, 'going into the settings')
  await expect(tree(page)).not.toBeFocused()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('aside')?.ariaLabel))
    .toBe('Inspector')
  await page.keyboard.press('Escape')
  await expect(tree(page)).toBeFocused()

  // A row by its first letters; then round the regions, and from a card into its settings.
  await page.keyboard.type('time')
  await expect(row(page, /time\.now/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('F6')
  await stands(page, 'going to the canvas')
  await expect(page.locator('.react-flow__node.selected')).toBeFocused()
  await page.keyboard.press('Enter')
  await stands(page, 'going from a card into its settings')
  await expect.poll(() => page.evaluate(regionInFocus)).toBe('Inspector')
  await page.keyboard.press('F6')
  await expect.poll(() => page.evaluate(regionInFocus)).toBe('Trace')
  await page.keyboard.press('Shift+F6')
  await expect.poll(() => page.evaluate(regionInFocus)).toBe('Inspector')

  // Run from anywhere; the same keys again to send.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused()
  await page.keyboard.type('What is 12 * 7?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(said(page)).toContainText('Run completed', { timeout: 30_000 })
  await stands(page, 'the run')

  // The trace, row by row.
  const trace = page.getByRole('region', { name: 'Trace' })
  await expect(trace.getByText('math.calculate').first()).toBeVisible()
  await page.getByRole('treegrid').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await stands(page, 'walking the trace')

  // Opens the run's own page by the search, and goes back.
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused({
    timeout: 20_000,
  })
  await stands(page, 'opening the search')
  await page.keyboard.type('12 * 7')
  await expect(page.getByRole('option', { name: /12 \* 7/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/runs\/run/)
  await page.goBack()
  await page.waitForURL(/\/agents\/agent/)
  await expect(page.locator('.react-flow__node').first()).toBeVisible({ timeout: 20_000 })
})

test('the parts of the palette are one stop of the Tab key', async ({ page, baseURL }) => {
  const id = await createAgent(baseURL ?? '', smallConfig(`palette-${Date.now()}`))
  await page.goto(`/agents/${id}`)
  const parts = page.getByRole('complementary', { name: 'Parts' })
  await expect(parts.getByRole('textbox', { name: 'Search parts' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(parts.getByRole('textbox', { name: 'Search parts' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(parts.getByRole('button', { name: 'Agent', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(parts.getByRole('button', { name: 'Model' })).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('aside')?.ariaLabel)).not.toBe('Parts')
  await page.keyboard.press('Shift+Tab')
  await expect(parts.getByRole('button', { name: 'Model' })).toBeFocused()
})

test('a part added from the search of the palette takes the focus, and Enter opens its settings', async ({
  page,
  baseURL,
}) => {
  const id = await createAgent(baseURL ?? '', smallConfig(`palette-add-${Date.now()}`))
  await page.goto(`/agents/${id}`)
  const parts = page.getByRole('complementary', { name: 'Parts' })
  const search = parts.getByRole('textbox', { name: 'Search parts' })
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('budget')
  // The part that Enter adds says so.
  await expect(parts.getByRole('button', { name: 'Budget' }).getByText('Enter')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.locator('.react-flow__node', { hasText: 'Budget' })).toBeFocused()
  await expect(search).toHaveValue('')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Applies to' })).toBeFocused()
})

test('the list of shortcuts scrolls by key as soon as it opens', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: /^New agent/ }).first()).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('group', { name: 'All shortcuts' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
