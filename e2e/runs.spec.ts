/**
 * Past runs: found in the list, replayed on their own drawing, a step read in full, and the versions of their
 * agents.
 */
import { expect, type Page } from '@playwright/test'
import { begin, call, createAgent, readStream, scriptedConfig, type Turn } from './api'
import { test } from './journey'
import { deepOnly } from './test-depth'

const twice: readonly Turn[] = [
  { text: 'First the one.', calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] },
  { text: 'Then the other.', calls: [{ name: 'math.calculate', args: { expression: '6*8' } }] },
  { text: 'It is 42 and 48.' },
]

let names = 0
const freshName = () => `runs-${Date.now().toString(36)}-${names++}`

/** An agent with its finished runs. */
async function ran(
  baseURL: string | undefined,
  questions: readonly string[],
  turns: readonly Turn[] = twice,
) {
  const url = `${baseURL}`
  const agent = await createAgent(url, scriptedConfig(freshName(), turns))
  const runs: string[] = []
  for (const question of questions) {
    const id = await begin(url, agent, question)
    await readStream(url, id, 0)
    runs.push(id)
  }
  return { agent, runs, run: runs[0] ?? '' }
}

const card = (page: Page, name: string) => page.locator('.react-flow__node', { hasText: name })
const playhead = (page: Page) => page.getByRole('slider', { name: 'Time in the run' })
const detail = (page: Page) => page.getByRole('complementary', { name: /^Step/ })

test('runs are found by words, agent and status, by keys too, and the filter stands in the address', async ({
  page,
  baseURL,
}) => {
  const { agent } = await ran(baseURL, ['How many apples?', 'How many pears?', 'Which orchard is best?'])
  await ran(baseURL, ['How many apples elsewhere?'])
  await page.goto(`/runs?agent=${agent}`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(rows).toHaveCount(3)
  await expect(page.getByText('3 runs found')).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('many')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/search=many/)
  await page.reload()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('searchbox')).toHaveValue('many')

  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
  await expect(page.getByText('No runs match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL(/\/runs$/)
  await expect(page.getByRole('searchbox')).toHaveValue('')

  await page.getByRole('combobox', { name: 'Agent' }).selectOption(agent)
  await expect(rows).toHaveCount(3)
  await page.keyboard.press('Escape')
  await page.locator('h1').click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/runs\/run_/)
  await expect(page.getByRole('complementary', { name: 'Runs' }).locator('[aria-current]')).toContainText(
    'How many pears?',
  )
})

test('a run is found by its answer, deleted and restored, and the filters stay after a reload', async ({
  page,
  baseURL,
}) => {
  const place = freshName()
  const { agent } = await ran(
    baseURL,
    ['Where are most customers?'],
    [{ text: `In Germany, near ${place}.` }],
  )
  await ran(baseURL, ['And where else?'], [{ text: 'In France.' }])
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await page.goto('/runs')
  await page.getByRole('searchbox', { name: 'Search in runs' }).fill(`germany "${place}"`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Where are most customers?')

  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('combobox', { name: 'Model' }).selectOption('scripted/script')
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Cost' }).getByRole('button').click()
  await expect(page).toHaveURL(/model=scripted.*sort=cost/)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove the filter: scripted/script' }).click()
  await expect(page).not.toHaveURL(/model=/)

  const undoDeletion = async () => {
    const notice = page.getByText('1 run deleted.')
    await expect(notice).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(notice).toBeHidden()
    await expect(rows).toHaveCount(1)
  }
  await page.getByRole('checkbox', { name: /^Select: Where/ }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('No runs match.')).toBeVisible()
  await undoDeletion()

  // The focused run is deleted by key; a selected run as well, with the focus on its box.
  await rows.getByRole('link').focus()
  await page.keyboard.press('Delete')
  await undoDeletion()
  await rows.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Backspace')
  await undoDeletion()

  // The list next to an open run keeps the filters, and can be filtered itself.
  await rows.getByRole('link').click()
  const rail = page.getByRole('complementary', { name: 'Runs' })
  await expect(rail.getByRole('listitem')).toHaveCount(1)
  await expect(rail).toContainText(`“germany "${place}"”`)
  await rail.getByRole('button', { name: 'Filter, on' }).click()
  await page.getByRole('combobox', { name: 'Tool' }).selectOption('')
  await page.keyboard.press('Escape')
  await rail.getByRole('link', { name: 'Runs', exact: true }).click()
  await expect(rows).toHaveCount(1)

  await page.keyboard.press('Control+k')
  await page.keyboard.type(place)
  await page.getByRole('option', { name: /Where are most customers/ }).click()
  await expect(page).toHaveURL(/\/runs\/run_/)

  await page.goto(`/agents/${agent}/insights?days=7`)
  await expect(page.getByRole('img', { name: /^Runs from/ })).toBeVisible()
  await page.getByRole('radio', { name: '90 days' }).click()
  await expect(page).toHaveURL(/days=90/)
  await page.getByText('Show the days as a table').click()
  await expect(page.getByRole('rowheader')).toHaveCount(90)
})

test('two runs are compared from the list, and a rating stays after a reload', async ({ page, baseURL }) => {
  const { agent, run } = await ran(baseURL, ['Both, please', 'Both, please'])
  await page.goto(`/runs?agent=${agent}`)
  await page.getByRole('checkbox', { name: 'Select all runs on this page' }).check()
  await page.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByText('Both runs took the same steps and gave the same answer.')).toBeVisible()
  await page.getByRole('button', { name: 'Steps 1 to 3 are the same' }).click()
  await expect(page.getByRole('article', { name: 'Step 1' })).toContainText('math.calculate')

  await page.goto(`/runs/${run}`)
  await page.getByRole('tab', { name: 'Answer' }).click()
  await page.getByRole('button', { name: 'Bad answer' }).click()
  await page.getByRole('textbox', { name: 'What was wrong?' }).fill('It counted twice.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('“It counted twice.”')).toBeVisible()
  await page.reload()
  await page.getByRole('tab', { name: 'Answer' }).click()
  await expect(page.getByRole('button', { name: 'Bad answer' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('“It counted twice.”')).toBeVisible()
})

test('a stored run is replayed by keys and by the scrubber, and its cards show what was known then', async ({
  page,
  baseURL,
}) => {
  const { run } = await ran(baseURL, ['Both, please'])
  await page.goto(`/runs/${run}`)
  const tool = card(page, 'math')
  await expect(tool).toContainText('2×')
  await expect(playhead(page)).toHaveAttribute('aria-valuetext', /step 3$/)

  await page.keyboard.press('Home')
  await expect(tool).not.toContainText('2×')
  await expect(page.getByText(/^Replay at 0\.00 s, nothing is called again$/)).toBeVisible()
  await expect(detail(page)).toHaveAccessibleName('Step 1')

  const asked: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && asked.push(request.url()))
  // The first step may begin together with the run.
  const isAtSecond = async () => (await playhead(page).getAttribute('aria-valuetext'))?.endsWith('step 2')
  await page.keyboard.press('ArrowRight')
  if (!(await isAtSecond())) await page.keyboard.press('ArrowRight')
  await expect(playhead(page)).toHaveAttribute('aria-valuetext', /step 2$/)
  await expect(detail(page)).toHaveAccessibleName('Step 2')
  await expect(tool).not.toContainText('2×')
  await page.keyboard.press('ArrowLeft')
  await expect(detail(page)).toHaveAccessibleName('Step 1')

  // A selected step stays selected while the playhead moves by itself.
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(detail(page)).toHaveAccessibleName('Step 3')
  await page.keyboard.press('Space')
  await expect(tool).toContainText('2×')
  await expect(detail(page)).toHaveAccessibleName('Step 3')
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()

  const box = await playhead(page).boundingBox()
  if (box === null) throw new Error('nothing to drag')
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 1, box.y + box.height / 2, { steps: 4 })
  await expect(tool).not.toContainText('2×')
  await page.mouse.move(box.x + box.width + 20, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(tool).toContainText('2×')
  await playhead(page).focus()
  // Back at the beginning of the last step, before its answer.
  await page.keyboard.press('PageDown')
  await expect(page.getByText(/^Replay at .*, nothing is called again$/)).toBeVisible()
  await expect(playhead(page)).toHaveAttribute('aria-valuetext', /step 3$/)
  expect(asked).toEqual([])
})

test('what the model was sent in a step adds up, with what came since the step before', async ({
  page,
  baseURL,
}) => {
  const { run } = await ran(baseURL, ['Both, please'])
  await page.goto(`/runs/${run}`)
  await expect(detail(page)).toHaveAccessibleName('Step 3')
  const context = page.getByRole('region', { name: 'Context sent' })
  const rows = context.getByRole('rowheader')
  await expect(rows).toHaveText(['System', 'Tools', 'History', 'Results'])
  const figures = await context.locator('tbody td:nth-of-type(1)').allTextContents()
  const total = figures.reduce((sum, each) => sum + Number(each.replace(/\D/g, '')), 0)
  await expect(context.getByRole('heading')).toContainText(`${total.toLocaleString('en-US')} `)
  await expect(context.getByRole('row', { name: /^Tools/ })).toContainText('same')
  await expect(context.getByRole('row', { name: /^Results/ })).toContainText('+')

  const tools = page.getByRole('region', { name: 'Tools', exact: true })
  await expect(tools).toContainText('2 offered')
  await page.keyboard.press('k')
  await expect(detail(page)).toHaveAccessibleName('Step 2')
  await expect(tools).toContainText('math.calculate, used')

  await page.getByRole('button', { name: 'Show request' }).click()
  await expect(page.getByText('Exactly as it was sent')).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByRole('radio', { name: 'Raw' })).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('r')
})

test('a failed run says why, and one that is not there leads back to the list', async ({ page, baseURL }) => {
  const { run } = await ran(baseURL, ['Will it work?'], [{ fault: { status: 401 } }])
  // From the first page: the search knows the word, and the list holds only such runs.
  await page.goto('/')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('failed')
  await page.getByRole('option', { name: 'Failed runs' }).click()
  await expect(page).toHaveURL(/\/runs\?status=failed$/)
  await page
    .getByRole('link', { name: /Will it work\?/ })
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(run))
  await expect(page.getByRole('banner').getByText('Failed')).toBeVisible()
  const wrong = detail(page).getByRole('region', { name: 'What went wrong' })
  await expect(wrong).toContainText('The provider failed')
  await page.getByRole('tab', { name: 'Answer' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()

  await page.goto('/runs/run_00000000000000000000')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('no such run')
  await page.getByRole('link', { name: 'All runs' }).click()
  await expect(page).toHaveURL(/\/runs$/)
})

test('a run that failed for want of a key leads to the settings and back', async ({ page, baseURL }) => {
  const url = `${baseURL}`
  const config = scriptedConfig(freshName(), twice)
  const agent = await createAgent(url, { ...config, model: { provider: 'openai', name: 'gpt-5-mini' } })
  const run = await begin(url, agent, 'Is there a key?')
  await readStream(url, run, 0)
  await page.goto(`/runs/${run}`)
  const wrong = detail(page).getByRole('region', { name: 'What went wrong' })
  await wrong.getByRole('link', { name: 'Open Settings' }).click()
  await expect(page).toHaveURL(/\/settings\?back=.*#models$/)
  await page.goBack()
  await page.getByRole('tab', { name: 'Answer' }).click()
  await expect(
    page.getByRole('region', { name: 'Question and answer' }).getByRole('link', { name: 'Open Settings' }),
  ).toBeVisible()
})

test('where the window is narrow the other runs are a menu in the bar', async ({ page, baseURL }) => {
  const { runs } = await ran(baseURL, ['The one', 'The other'])
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`/runs/${runs[0]}`)
  const list = page.getByRole('complementary', { name: 'Runs' })
  await expect(list).toBeHidden()
  await page.getByRole('button', { name: 'Other runs' }).click()
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await page.getByRole('button', { name: 'Other runs' }).click()
  await list.getByRole('link', { name: /The other/ }).click()
  await expect(page).toHaveURL(new RegExp(`${runs[1]}$`))
  await expect(list).toBeHidden()
})

test('a drawing is published, changed, told in words, put back to its version, and brought back by one undo', async ({
  page,
  baseURL,
}) => {
  const agent = await createAgent(`${baseURL}`, scriptedConfig(freshName(), twice))
  const policies = async () =>
    (await call<{ config: { policies?: unknown[] } }>(`${baseURL}/api/agents/${agent}`)).config.policies
  await page.goto(`/agents/${agent}`)
  await page.getByRole('button', { name: 'Publish v1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish v1' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const published = page.getByRole('button', { name: 'v1 published' })
  await expect(published).toBeDisabled()
  await expect(published).toHaveAttribute('title', 'Nothing has changed since this version')

  await page
    .getByRole('complementary', { name: 'Parts' })
    .getByRole('button', { name: 'Stop repeats' })
    .click()
  await expect.poll(policies).toHaveLength(2)
  await page.getByRole('button', { name: 'Draft, 1 change since v1' }).click()
  const versions = page.getByRole('dialog', { name: 'Versions' })
  await expect(versions.getByRole('list', { name: 'Changes' })).toContainText('Stop repeats added')
  await versions.getByRole('radio', { name: 'JSON' }).click()
  await expect(versions.getByRole('region', { name: 'Difference line by line' })).toContainText(
    '"use": "repeat"',
  )

  await versions.getByRole('button', { name: /^v1/ }).click()
  await versions.getByRole('button', { name: 'Restore v1' }).click()
  await expect(versions.getByRole('alert')).toContainText('1 change that no version holds')
  await versions.getByRole('alert').getByRole('button', { name: 'Restore v1' }).click()
  await expect(versions).toBeHidden()
  await expect(published).toBeVisible()
  await expect.poll(policies).toHaveLength(1)

  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(policies).toHaveLength(2)
  await page.getByRole('button', { name: 'Publish v2' }).click()
  const asked = page.getByRole('dialog', { name: 'Publish v2' })
  await expect(asked.getByRole('list', { name: 'Changes' })).toContainText('Stop repeats added')
  await asked.getByRole('button', { name: 'Publish v2' }).click()
  await expect(page.getByRole('button', { name: 'v2 published' })).toBeDisabled()
})

test(
  'a row of the trace is shown in full, and the top bar stays where it is',
  deepOnly,
  async ({ page, baseURL }) => {
    const questions = Array.from({ length: 24 }, (_, n) => `Question ${n + 1}`)
    const { runs } = await ran(baseURL, questions)
    await page.setViewportSize({ width: 1440, height: 700 })
    await page.goto(`/runs/${runs.at(-1)}`)
    await expect(page.getByText('Question 10', { exact: true }).first()).toBeAttached()
    await page
      .getByRole('treegrid', { name: 'Trace' })
      .getByRole('row', { name: /^math\.calculate/ })
      .first()
      .click()
    await expect(detail(page).getByText('6*7').first()).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, 1_000))
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  },
)
