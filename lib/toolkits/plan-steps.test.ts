import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { type Notebook, openNotebook } from './plan.fixture'
import { planSteps } from './plan-steps'

let notebook: Notebook
beforeEach(() => {
  notebook = openNotebook([planSteps])
})
const call = (command: string, args: JsonObject = {}) => notebook.call('plan', { command, ...args })
const create = () => call('create', { title: 'Revenue', steps: ['Read', 'Sum', 'Write'] })
const statuses = () => notebook.book().plan?.steps.map(({ status }) => status)

describe('S1-09 the commands of a plan of steps', () => {
  it.each([
    ['create', {}, 'The command create needs a title.'],
    ['create', { title: ' ', steps: ['a'] }, 'The command create needs a title.'],
    ['create', { title: 'A' }, 'The command create needs steps.'],
    ['create', { title: 'A', steps: [] }, 'The command create needs steps.'],
    ['update', { title: 'A' }, 'There is no plan to change. Make one with the command create.'],
    ['mark_step', { step_index: 0 }, 'There is no plan to change. Make one with the command create.'],
    ['next', {}, 'There is no plan to change. Make one with the command create.'],
  ])('without a plan, %s %j is refused: %s', async (command, args, message) => {
    expect(await call(command, args)).toBe(`! ${message}`)
    expect(notebook.book().plan).toBeUndefined()
  })

  it.each([
    [
      'create',
      { title: 'B', steps: ['a'] },
      'There is a plan already: "Revenue". Change it with the command update, or end it with finish.',
    ],
    ['update', {}, 'The command update needs a title or steps.'],
    ['mark_step', {}, 'The command mark_step needs step_index.'],
    ['mark_step', { step_index: 3 }, 'There is no step 3: the steps of the plan are 0 to 2.'],
    ['mark_step', { step_index: 1 }, 'The command mark_step needs step_status or step_notes.'],
  ])('with a plan, %s %j is refused: %s', async (command, args, message) => {
    await create()
    const before = notebook.book()
    expect(await call(command, args)).toBe(`! ${message}`)
    expect(notebook.book()).toEqual(before)
  })

  it('refuses a command, a status and an index that do not exist', async () => {
    await create()
    const wrong: JsonObject[] = [
      { command: 'drop' },
      { command: 'mark_step', step_index: -1 },
      { command: 'mark_step', step_index: 0, step_status: 'done' },
    ]
    for (const args of wrong)
      expect(await notebook.call('plan', args)).toMatch(/^! .*(command|step_index|step_status)/s)
  })

  it('creates a plan whose steps are not started', async () => {
    expect(await create()).toBe(
      'The plan is made.\n\nPlan: Revenue\n0. [not_started] Read\n1. [not_started] Sum\n2. [not_started] Write',
    )
    expect(statuses()).toEqual(['todo', 'todo', 'todo'])
  })

  it('keeps status and notes of a step whose text and place an update does not change', async () => {
    await create()
    await call('mark_step', { step_index: 0, step_status: 'completed', step_notes: '3 tables' })
    await call('mark_step', { step_index: 1, step_status: 'in_progress' })
    expect(await call('update', { title: 'Sales', steps: ['Read', 'Count', 'Sum'] })).toBe(
      'The plan is changed.\n\nPlan: Sales\n0. [completed] Read\n   Notes: 3 tables\n1. [not_started] Count\n2. [not_started] Sum',
    )
  })

  it('marks a step, and notes do not change its status', async () => {
    await create()
    await call('mark_step', { step_index: 2, step_status: 'blocked', step_notes: 'no disk' })
    await call('mark_step', { step_index: 2, step_notes: 'still no disk' })
    expect(notebook.book().plan?.steps[2]).toEqual({
      text: 'Write',
      status: 'blocked',
      note: 'still no disk',
    })
  })

  it('completes every step when it finishes, and takes a new plan afterwards', async () => {
    await create()
    await call('next')
    expect(await call('finish')).toContain('The plan has ended: completed.')
    expect(statuses()).toEqual(['done', 'done', 'done'])
    expect(await call('next')).toMatch(/^! There is no plan/)
    expect(await call('create', { title: 'B', steps: ['a'] })).toContain('The plan is made.')
    expect(notebook.book().past.map(({ id, ended }) => [id, ended])).toEqual([['plan_1', 'done']])
  })

  it('finishes without a plan with an empty one', async () => {
    expect(await call('finish')).toContain('The plan has ended')
    expect(notebook.book().plan).toMatchObject({ steps: [], ended: 'done' })
  })
})

it('S1-10 completes the step in progress and starts the next one until none is left', async () => {
  await create()
  await call('mark_step', { step_index: 1, step_status: 'blocked' })
  expect(await call('next')).toContain('The next step is in progress.')
  expect(statuses()).toEqual(['in_progress', 'blocked', 'todo'])
  await call('next')
  expect(statuses()).toEqual(['done', 'blocked', 'in_progress'])
  await call('next')
  expect(statuses()).toEqual(['done', 'blocked', 'done'])
  expect(await call('next')).toBe('! No step is left to start.')
})

it('X-12 S0-33 says before each step what the plan is and what comes next, and nothing without an open plan', async () => {
  const hint = (isEdited = false) => {
    const { plan } = notebook.book()
    return planSteps.hint?.(plan && { ...plan, revision: 1, by: 'model' }, isEdited)
  }
  expect(hint()).toBeUndefined()
  await create()
  expect(hint()).toContain('Begin with step 0')
  await call('next')
  expect(hint()).toContain('0. [in_progress] Read')
  expect(hint()).toContain('Step 0 is in progress.')
  expect(hint()).not.toContain('A person')
  expect(hint(true)).toContain('A person has changed it')
  await call('mark_step', { step_index: 0, step_status: 'blocked' })
  expect(hint()).toContain('Step 0 is blocked.')
  for (const step_index of [0, 1, 2]) await call('mark_step', { step_index, step_status: 'completed' })
  expect(hint()).toContain('All steps are closed.')
  await call('finish')
  expect(hint()).toBeUndefined()
})

it('is refused outside a run', async () => {
  const { signal } = new AbortController()
  // cast: the body uses nothing else of the context
  const context = { signal } as unknown as Parameters<typeof planSteps.run>[1]
  expect(await planSteps.run({ command: 'finish' }, context)).toMatchObject({ ok: false, code: 'no_run' })
})
