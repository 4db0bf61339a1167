import { describe, expect, it } from 'vitest'
import type { HeldPlan } from '#lib/spec/plan'
import { draftOf, editDraft, type PlanEdit, planOf } from './plan-draft'

const held: HeldPlan = {
  id: 'plan_1',
  title: 'Revenue',
  expected: 'one figure',
  steps: [
    { text: 'Read', status: 'done', outcome: '3 tables' },
    { text: 'Sum', status: 'todo' },
    { text: 'Write', status: 'todo', note: 'as CSV' },
  ],
  revision: 4,
  by: 'model',
}
const draftAfter = (...edits: PlanEdit[]) => edits.reduce(editDraft, draftOf(held))
const textsOf = (...edits: PlanEdit[]) => {
  const plan = planOf(draftAfter(...edits))
  return typeof plan === 'string' ? plan : plan.steps.map(({ text }) => text).join(' ')
}

describe('X-12 the draft of a plan', () => {
  it('makes the same plan while nothing is edited', () => {
    const { revision: _revision, by: _by, ...plan } = held
    expect(planOf(draftOf(held))).toEqual(plan)
    expect(draftOf(held).revision).toBe(4)
  })

  it.each<[PlanEdit[], string]>([
    [[{ do: 'move', at: 0, by: 1 }], 'Sum Read Write'],
    [[{ do: 'move', at: 0, by: -1 }], 'Read Sum Write'],
    [[{ do: 'move', at: 2, by: 1 }], 'Read Sum Write'],
    [[{ do: 'remove', at: 1 }], 'Read Write'],
    [[{ do: 'add' }], 'Read Sum Write'],
    [[{ do: 'add' }, { do: 'step', at: 3, change: { text: ' Send ' } }], 'Read Sum Write Send'],
    [[{ do: 'step', at: 0, change: { text: '  ' } }], 'Sum Write'],
    [[0, 0, 0].map((at): PlanEdit => ({ do: 'remove', at })), 'Give the plan at least one step.'],
    [[{ do: 'title', title: ' ' }], 'Give the plan a title.'],
  ])('after %j has the steps: %s', (edits, texts) => {
    expect(textsOf(...edits)).toBe(texts)
  })

  it('keeps what it does not show of a step, and drops an empty note', () => {
    const plan = planOf(draftAfter({ do: 'step', at: 2, change: { note: ' ', status: 'blocked' } }))
    expect(plan).toMatchObject({
      steps: [{ outcome: '3 tables' }, {}, { text: 'Write', status: 'blocked' }],
    })
    expect(JSON.stringify(plan)).not.toContain('note')
  })

  it('gives every step a key of its own, also after others are gone', () => {
    const { steps } = draftAfter({ do: 'remove', at: 1 }, { do: 'add' }, { do: 'add' })
    expect(new Set(steps.map(({ key }) => key)).size).toBe(4)
  })
})
