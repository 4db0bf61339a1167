/**
 * The inspector as a person uses it: every kind of field, invalid texts, the large editor, the whole config,
 * what the agent may do, a tool tried by hand.
 */
import { expect, type Locator, type Page } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'

interface Config {
  readonly [key: string]: unknown
  readonly instructions?: string
  readonly tools?: readonly Record<string, unknown>[]
  readonly policies?: readonly Record<string, unknown>[]
}

let serial = 0

/** Opens an agent in the builder that has a part with every kind of field. */
async function open(page: Page, baseURL: string, more: Config = {}) {
  serial += 1
  const id = await createAgent(baseURL, {
    name: `inspected-${Date.now().toString(36)}-${serial}`,
    title: 'Inspected',
    instructions: 'You answer in one line.',
    tools: [
      { use: 'builtin', tools: ['math.calculate', 'files.*'] },
      {
        use: 'code',
        name: 'text.slugify',
        parameters: { type: 'object', properties: { text: { type: 'string' } } },
        source: 'return args.text',
      },
    ],
    policies: [
      { use: 'steps' },
      { use: 'execution' },
      { use: 'results', appliesTo: ['math.calculate', 'files.*'] },
    ],
    ...more,
  })
  await page.goto(`${baseURL}/agents/${id}`)
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const config = async () => (await call<{ config: Config | null }>(`${baseURL}/api/agents/${id}`)).config
  /** Goes from the agent's own panel to a node's. */
  const choose = async (title: string | RegExp) => {
    const close = inspector.getByRole('button', { name: 'Close', exact: true })
    if (await close.isVisible()) await close.click()
    await inspector.getByRole('region', { name: 'Nodes' }).getByRole('button', { name: title }).click()
  }
  return { inspector, config, choose }
}

/** The description of a field: the text that `aria-describedby` refers to. */
async function told(field: Locator): Promise<string> {
  return await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )
}

test('a number shows its default, steps by arrows, tells what is wrong while it is typed, and goes back', async ({
  page,
  baseURL,
}) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  await choose(/^Step limit/)
  const most = inspector.getByRole('textbox', { name: 'Most steps' })
  await expect(most).toHaveAttribute('placeholder', '10')
  await expect(most).toHaveValue('')
  await most.press('ArrowUp')
  await expect(most).toHaveValue('11')
  await most.press('Shift+ArrowUp')
  await expect(most).toHaveValue('21')
  await expect.poll(async () => (await config())?.policies?.[0]).toMatchObject({ max: 21 })

  await most.fill('0')
  await expect(most).toHaveAttribute('aria-invalid', 'true')
  await expect.poll(() => told(most)).toContain('at least 1')
  await most.fill('many')
  await expect.poll(() => told(most)).toContain('is not a number')
  await inspector.getByRole('button', { name: 'Close', exact: true }).focus()
  await expect(most).toHaveValue('many')

  await most.fill('12')
  await expect(most).not.toHaveAttribute('aria-invalid', 'true')
  await inspector.getByRole('button', { name: 'Back to the default, 10' }).click()
  await expect(most).toHaveValue('')
  await expect.poll(async () => (await config())?.policies?.[0]).toEqual({ use: 'steps' })
})

test('a choice and a switch are set and taken back by undo, one entry each', async ({ page, baseURL }) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  await choose(/^Order of calls/)
  await inspector.getByRole('combobox', { name: 'Strategy' }).selectOption('parallel')
  await expect.poll(async () => (await config())?.policies?.[1]).toMatchObject({ strategy: 'parallel' })
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(inspector.getByRole('combobox', { name: 'Strategy' })).toHaveValue('sequential')
  await expect.poll(async () => (await config())?.policies?.[1]).toEqual({ use: 'execution' })
})

test('S2-01 a format is chosen by its name, takes only what fits it, and the agent runs under it', async ({
  page,
  baseURL,
}) => {
  const script = [
    { calls: [{ name: 'math.calculate', args: { expression: '6 * 7' } }] },
    { text: 'It is 42.' },
  ]
  const more = { protocol: { resultPlacement: 'tool_message', locale: 'zh' } }
  const agent = await createAgent(baseURL ?? '', scriptedConfig('formatted', script, more))
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await page.goto(`/agents/${agent}`)
  await page.locator('[data-id="protocol"]').click({ position: { x: 90, y: 14 } })
  await inspector.getByRole('combobox', { name: 'Format' }).selectOption('XML in the text')
  const protocol = async () =>
    (await call<{ config: { protocol?: object } }>(`${baseURL}/api/agents/${agent}`)).config.protocol
  await expect.poll(protocol).toEqual({ format: 'xml', locale: 'zh' })
  await page.getByRole('textbox', { name: 'Question' }).fill('What is six times seven?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('It is 42.').first()).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(protocol).toEqual({ locale: 'zh' })
})

test('patterns are chips: the tools they match stand beneath with their risk, a stray one is told', async ({
  page,
  baseURL,
}) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  await choose(/tools: files, math/)
  const matches = inspector.getByRole('list', { name: /Tools that Tools matches/ })
  await expect(matches).toContainText('files.create')
  await expect(matches).toContainText('write')
  const field = inspector.getByRole('combobox', { name: 'Tools' })
  await field.fill('sql')
  await page.getByRole('option', { name: 'sql.execute' }).click()
  await expect(inspector.getByRole('button', { name: 'Remove sql.execute' })).toBeVisible()
  await field.fill('weather.*')
  await field.press('Enter')
  await expect(
    inspector.getByRole('status').filter({ hasText: 'weather.* matches no known tool' }),
  ).toBeVisible()
  await inspector.getByRole('button', { name: 'Remove weather.*' }).click()
  await expect
    .poll(async () => (await config())?.tools?.[0]?.tools)
    .toEqual(['math.calculate', 'files.*', 'sql.execute'])
})

test('an entry says the class of its tools, and what cannot be lowered is told with a button that takes it out', async ({
  page,
  baseURL,
}) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '', {
    tools: [
      { use: 'builtin', tools: ['math.calculate', 'files.create', 'files.delete'] },
      { use: 'code', name: 'text.slugify', source: 'return 1' },
    ],
  })
  const authority = inspector.getByRole('region', { name: 'What it may do' })
  const slugify = authority.getByRole('listitem').filter({ hasText: 'text.slugify' })
  await expect(slugify).toContainText('write, acts once')
  await choose('text.slugify')
  await inspector.getByRole('combobox', { name: 'Risk' }).selectOption('read')
  await expect.poll(async () => (await config())?.tools?.[1]?.risk).toBe('read')
  await inspector.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(slugify).toContainText('reads only')

  await choose(/tools: files, math/)
  await inspector.getByRole('combobox', { name: 'Risk' }).selectOption('read')
  await expect(
    inspector.getByText(/The risk of .files\.create. and .files\.delete. cannot be lowered to .read./),
  ).toBeVisible()
  await inspector.getByRole('button', { name: 'Remove the risk' }).click()
  await expect(inspector.getByText(/cannot be lowered/)).toBeHidden()
  await inspector.getByRole('combobox', { name: 'Risk' }).selectOption('admin')
  await expect.poll(async () => (await config())?.tools?.[0]?.risk).toBe('admin')
  await expect(inspector.getByRole('region', { name: 'The tools' })).toContainText('admin')
})

test('JSON that is none yet keeps its text and tells its line, also after another node was chosen', async ({
  page,
  baseURL,
}) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  const before = (await config())?.tools?.[1]?.parameters
  await choose(/text\.slugify/)
  await inspector.getByRole('radio', { name: 'Schema' }).click()
  const parameters = inspector.getByRole('textbox', { name: 'Schema' })
  await expect(parameters).toContainText('"properties"')
  await parameters.fill('{\n  "type": "object"\n  "properties": {}\n}')
  await expect.poll(() => told(parameters)).toContain('line 3')
  expect((await config())?.tools?.[1]?.parameters).toEqual(before)
  await choose(/^Step limit/)
  await choose(/text\.slugify/)
  await expect(parameters).toContainText('"type": "object"')
  await expect.poll(() => told(parameters)).toContain('line 3')
  await parameters.fill('{"type": "object", "properties": {"text": {"type": "integer"}}}')
  await expect
    .poll(async () => (await config())?.tools?.[1]?.parameters)
    .toEqual({ type: 'object', properties: { text: { type: 'integer' } } })
})

test('a prompt opens in a bigger editor by key, Escape goes back to where it stood', async ({
  page,
  baseURL,
}) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  await choose(/^Inspected/)
  const instructions = inspector.getByRole('textbox', { name: 'Instructions' })
  await instructions.fill('Today is {{date}}.')
  await expect(inspector.locator('.tok-replaced')).toHaveText('{{date}}')
  await instructions.press('ControlOrMeta+e')
  const dialog = page.getByRole('dialog', { name: 'Instructions' })
  const big = dialog.getByRole('textbox', { name: 'Instructions' })
  await expect(big).toBeFocused()
  await big.press('ControlOrMeta+End')
  await page.keyboard.type(' Be brief.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(instructions).toBeFocused()
  await expect.poll(async () => (await config())?.instructions).toBe('Today is {{date}}. Be brief.')
})

test('the source of a program indents by Tab, and Escape then Tab leaves it', async ({ page, baseURL }) => {
  const { inspector, choose } = await open(page, baseURL ?? '')
  await choose(/text\.slugify/)
  const source = inspector.getByRole('textbox', { name: 'Source' })
  await expect(inspector.locator('.cm-lineNumbers').last()).toBeVisible()
  await source.click()
  await page.keyboard.press('Tab')
  await expect(source).toBeFocused()
  expect(await told(source)).toContain('Esc, then Tab')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(source).not.toBeFocused()
})

test('the path of a part opens the whole config with the part marked and in view', async ({
  page,
  baseURL,
}) => {
  const { inspector, choose } = await open(page, baseURL ?? '', {
    instructions: Array.from({ length: 40 }, (_, at) => `Line ${at}`).join('\n'),
  })
  await choose(/^Shorten results/)
  await inspector.getByRole('button', { name: 'policies/2' }).click()
  const dialog = page.getByRole('dialog', { name: 'The whole config' })
  const marked = dialog.locator('.cm-markedLine')
  await expect(marked.filter({ hasText: '"results"' })).toBeInViewport()
  await expect(dialog.locator('.cm-line').filter({ hasText: '"steps"' })).not.toHaveClass(/cm-markedLine/)
  await dialog.getByRole('button', { name: 'Find' }).click()
  await page.keyboard.type('slugify')
  await expect(dialog.locator('.cm-searchMatch').first()).toBeVisible()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^inspected-.*\.json$/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('what the agent may do names its tools, and with a deny policy what is withheld and why', async ({
  page,
  baseURL,
}) => {
  const { inspector, choose } = await open(page, baseURL ?? '')
  const authority = inspector.getByRole('region', { name: 'What it may do' })
  await expect(authority.getByRole('list', { name: 'Tools of the agent' })).toContainText('math.calculate')
  await expect(authority).toContainText(/At most 10 steps/i)
  await expect(authority).toContainText(/tokens of instructions/)
  await page
    .getByRole('complementary', { name: 'Parts' })
    .getByRole('button', { name: /^Allow or deny tools/ })
    .click()
  await inspector.getByRole('combobox', { name: /den/i }).fill('files.*')
  await page.keyboard.press('Enter')
  await choose(/^Inspected/)
  const withheld = authority.getByRole('list', { name: 'Withheld tools' })
  await expect(withheld).toContainText('files.create')
  await expect(withheld).toContainText('Blocked by “Allow or deny tools”: files.*')
  await withheld.getByRole('button').first().click()
  await expect(inspector.getByRole('button', { name: 'Remove files.*' })).toBeVisible()
})

test('a built-in tool is tried by hand, a missing argument is told, and the observation is shown', async ({
  page,
  baseURL,
}) => {
  const { inspector, choose } = await open(page, baseURL ?? '')
  await choose(/tools: files, math/)
  await inspector.getByRole('button', { name: 'Try', exact: true }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Tool' }).selectOption('math.calculate')
  const dialog = page.getByRole('dialog', { name: 'Try math.calculate' })
  const expression = dialog.getByRole('textbox', { name: 'Expression' })
  await dialog.getByRole('button', { name: /^Run it once/ }).click()
  await expect(expression).toHaveAttribute('aria-invalid', 'true')
  await expression.fill('12 * 12')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByRole('region', { name: 'Result' })).toContainText('144')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a name is edited in place, and a wire says what it means', async ({ page, baseURL }) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  await choose(/^Inspected/)
  await inspector.getByRole('textbox', { name: 'Title' }).fill('Renamed')
  await expect.poll(async () => (await config())?.title).toBe('Renamed')
  await inspector.getByRole('button', { name: 'Close', exact: true }).click()
  await page.locator('.react-flow__edge').first().focus()
  await page.keyboard.press('Enter')
  await expect(inspector.getByRole('region', { name: 'What it means' })).toContainText(/Renamed|covers/)
})

test('S0-05 S4-14 a tool gets another name for the model, and what the model reads of it can be seen', async ({
  page,
  baseURL,
}) => {
  const { inspector, config, choose } = await open(page, baseURL ?? '')
  await choose('text.slugify')
  await inspector.getByRole('button', { name: /^More.*Rename/ }).click()
  await inspector.getByRole('textbox', { name: 'Rename' }).fill('slug')
  await expect
    .poll(async () => (await config())?.tools?.[1])
    .toMatchObject({ rename: { 'text.slugify': 'slug' } })
  await inspector.getByRole('button', { name: 'What the model reads' }).click()
  const reads = inspector.getByRole('region', { name: 'What the model reads' })
  await expect(reads).toContainText('"slug"')
  await reads.getByRole('combobox', { name: 'Format' }).selectOption({ label: 'XML in the text' })
  await expect(reads).toContainText('### slug')
  await expect(reads).toContainText('<invoke name="slug">')
})

test('one tool of several in a card is denied from its own row, and one undo allows it again', async ({
  page,
  baseURL,
}) => {
  const { inspector, choose } = await open(page, baseURL ?? '')
  await choose(/^\d+ tools/)
  const tools = inspector.getByRole('region', { name: 'The tools' })
  const row = tools.getByRole('button', { name: /files\.create/ })
  await row.click()
  await tools.getByRole('button', { name: 'Never allow this tool' }).click()
  await expect(row).toContainText('withheld')
  await expect(tools.getByText('withheld')).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(row).not.toContainText('withheld')
  await page.keyboard.press('Control+Shift+z')
  await tools.getByRole('button', { name: 'Show the policy that denies it' }).click()
  await expect(inspector.getByRole('button', { name: 'Remove files.create' })).toBeVisible()
})
