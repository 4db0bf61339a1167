import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { mostPlanSteps } from '#lib/spec/plan'
import type { ToolContext } from '#lib/spec/tool'
import { type Notebook, openNotebook } from './plan.fixture'
import { planNotebook } from './plan-notebook'

let notebook: Notebook
beforeEach(() => {
  notebook = openNotebook(planNotebook)
})
const call = (name: string, args: JsonObject = {}) => notebook.call(name, args)
const create = (name = 'Revenue') =>
  call('create_plan', {
    name,
    expected_outcome: 'one figure',
    subtasks: [{ name: 'Read' }, { name: 'Sum', expected_outcome: 'a sum' }, { name: 'Write' }],
  })
const update = (subtask_idx: number, state: string) => call('update_subtask_state', { subtask_idx, state })
const finish = (subtask_idx: number) => call('finish_subtask', { subtask_idx, subtask_outcome: 'it is 4' })
const statuses = () =>
  notebook
    .book()
    .plan?.steps.map(({ status }) => status)
    .join(' ')

describe('S4-11 the states of a subtask', () => {
  it.each<[string, (() => Promise<string>)[], string, string]>([
    ['begins', [() => update(0, 'in_progress')], 'Subtask 0 is in_progress.', 'in_progress todo todo'],
    [
      'goes back',
      [() => update(0, 'in_progress'), () => update(0, 'todo')],
      'Subtask 0 is todo.',
      'todo todo todo',
    ],
    ['is blocked', [() => update(1, 'blocked')], 'Subtask 1 is blocked.', 'todo blocked todo'],
    ['begins out of turn', [() => update(1, 'in_progress')], '! Subtask 0 comes before it', 'todo todo todo'],
    [
      'begins while another is in progress',
      [() => update(0, 'in_progress'), () => update(1, 'in_progress')],
      '! Subtask 0 is in progress.',
      'in_progress todo todo',
    ],
    [
      'begins after an abandoned one',
      [() => update(0, 'abandoned'), () => update(1, 'in_progress')],
      'Subtask 1 is in_progress.',
      'abandoned in_progress todo',
    ],
    ['does not exist', [() => update(3, 'in_progress')], '! There is no step 3', 'todo todo todo'],
    [
      'is finished, and the next one begins',
      [() => update(0, 'in_progress'), () => finish(0)],
      'Subtask 0 is done.',
      'done in_progress todo',
    ],
    ['is finished without having begun', [() => finish(0)], 'Subtask 0 is done.', 'done in_progress todo'],
    ['is finished out of turn', [() => finish(2)], '! Subtask 0 comes before it', 'todo todo todo'],
    [
      'is finished last',
      [() => finish(0), () => finish(1), () => finish(2)],
      'Subtask 2 is done.',
      'done done done',
    ],
    [
      'is finished before an abandoned one',
      [() => update(1, 'abandoned'), () => finish(0)],
      'Subtask 0 is done.',
      'done abandoned todo',
    ],
  ])('%s', async (_, calls, answer, after) => {
    await create()
    let last = ''
    for (const each of calls) last = await each()
    expect(last).toContain(answer)
    expect(statuses()).toBe(after)
  })

  it('cannot be set to done without an outcome', async () => {
    await create()
    expect(await update(0, 'done')).toMatch(/^! .*state/s)
    expect(await call('finish_subtask', { subtask_idx: 0 })).toMatch(/^! .*subtask_outcome/s)
  })
})

describe('S4-11 the plan notebook', () => {
  it.each<[string, JsonObject]>([
    ['revise_current_plan', { subtask_idx: 0, action: 'delete' }],
    ['update_subtask_state', { subtask_idx: 0, state: 'todo' }],
    ['finish_subtask', { subtask_idx: 0, subtask_outcome: 'x' }],
    ['view_subtasks', { subtask_idx: [0] }],
    ['finish_plan', { state: 'done', outcome: 'x' }],
  ])('refuses %s without a plan', async (name, args) => {
    expect(await call(name, args)).toMatch(/^! There is no current plan/)
  })

  it('adds, revises and deletes subtasks', async () => {
    await create()
    await finish(0)
    const at = (subtask_idx: number, action: string, name?: string) =>
      call('revise_current_plan', { subtask_idx, action, ...(name && { subtask: { name } }) })
    await at(1, 'add', 'Check')
    await at(4, 'add', 'Send')
    await at(2, 'revise', 'Add up')
    await at(3, 'delete')
    expect(notebook.book().plan?.steps.map(({ text, status }) => `${text} ${status}`)).toEqual([
      'Read done',
      'Check todo',
      'Add up in_progress',
      'Send todo',
    ])
    expect(await at(4, 'revise', 'X')).toMatch(/^! There is no step 4/)
    expect(await at(9, 'add', 'X')).toMatch(/^! There is no step 9/)
    expect(await at(0, 'revise')).toBe('! The action revise needs a subtask.')
  })

  it('shows subtasks in full', async () => {
    await create()
    await finish(0)
    expect(await call('view_subtasks', { subtask_idx: [0, 1] })).toBe(
      '0. [done] Read\n   Outcome: it is 4\n1. [in_progress] Sum\n   Expected outcome: a sum',
    )
    expect(await call('view_subtasks', { subtask_idx: [5] })).toMatch(/^! There is no step 5/)
  })

  it('ends a plan as done only when every subtask is closed, and as abandoned at any time', async () => {
    await create()
    expect(await call('finish_plan', { state: 'done', outcome: 'x' })).toBe('! Subtask 0 is not closed yet.')
    await finish(0)
    expect(await call('finish_plan', { state: 'abandoned', outcome: 'no data' })).toContain(
      'Outcome: no data',
    )
    expect(statuses()).toBe('done abandoned abandoned')
    expect(notebook.book().plan?.ended).toBe('abandoned')
  })

  it('keeps plans of the past and takes one up again', async () => {
    expect(await call('view_historical_plans')).toBe('There are no historical plans.')
    await create('First')
    await create('Second')
    expect(await call('view_historical_plans')).toMatch(/^id: plan_1\nPlan: First/)
    expect(await call('recover_historical_plan', { plan_id: 'plan_9' })).toMatch(
      /^! There is no historical plan/,
    )
    expect(await call('recover_historical_plan', { plan_id: 'plan_1' })).toContain('Plan: First')
    expect(notebook.book().past.map(({ title }) => title)).toEqual(['Second'])
    await call('finish_plan', { state: 'abandoned', outcome: 'x' })
    expect(await call('view_historical_plans')).toMatch(/plan_2[\s\S]*plan_1/)
    await call('recover_historical_plan', { plan_id: 'plan_1' })
    expect(notebook.book().plan?.ended).toBeUndefined()
  })

  it('has a hint that follows the plan', async () => {
    const [tool] = planNotebook
    const hint = (isEdited = false) => {
      const { plan } = notebook.book()
      return tool?.hint?.(plan && { ...plan, revision: 1, by: 'model' }, isEdited)
    }
    expect(hint()).toBeUndefined()
    await create()
    expect(hint()).toContain('Begin with subtask 0')
    expect(hint()).not.toContain('A person')
    expect(hint(true)).toContain('This is the current plan. A person has changed it since your last step')
    await update(0, 'blocked')
    expect(hint()).toContain('Subtask 0 is blocked. Change the plan with revise_current_plan')
    await finish(0)
    expect(hint()).toContain('Subtask 1 is in progress.')
    await finish(1)
    await finish(2)
    expect(hint()).toContain('All subtasks are closed.')
    await call('finish_plan', { state: 'done', outcome: 'x' })
    expect(hint()).toBeUndefined()
  })

  it('has at most so many subtasks', async () => {
    const subtasks = Array.from({ length: mostPlanSteps }, (_, at) => ({ name: `Step ${at}` }))
    await call('create_plan', { name: 'Long', subtasks })
    const more = { subtask_idx: 0, action: 'add', subtask: { name: 'X' } }
    expect(await call('revise_current_plan', more)).toBe(`! A plan has at most ${mostPlanSteps} subtasks.`)
    expect(notebook.book().plan?.steps).toHaveLength(mostPlanSteps)
    expect(await call('create_plan', { name: 'Longer', subtasks: [...subtasks, { name: 'X' }] })).toMatch(
      /^! .*subtasks/s,
    )
  })

  it.each<[string, JsonObject]>([
    ['create_plan', { name: 'A', subtasks: [{ name: 'a' }] }],
    ['view_subtasks', { subtask_idx: [0] }],
    ['view_historical_plans', {}],
    ['recover_historical_plan', { plan_id: 'plan_1' }],
  ])('refuses %s outside a run', async (name, args) => {
    // cast: the bodies use nothing else of the context
    const context = { signal: new AbortController().signal } as unknown as ToolContext
    const found = planNotebook.find((each) => each.name === name)
    expect(await found?.run(args, context)).toMatchObject({ ok: false, code: 'no_run' })
  })
})
