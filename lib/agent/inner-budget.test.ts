/** Budgets of a run hold in the runs inside its calls. */
import { expect, test } from 'vitest'
import { budgeting } from './policies.fixture'
import { calls, collect, createRig, createTool, fresh, of, said, type Turn, text } from './rig.fixture'
import { run } from './run'

const talk = (...names: string[]): Turn => [{ type: 'text', text: 'I look.' }, ...calls(...names)]

test('a budget in dollars holds in a run inside a call, whose answers count in it (S1-24)', async () => {
  const price = { input: 1, output: 2 }
  const look = createTool('look')
  const inside = createRig({ play: () => talk('look'), tools: [look], deps: { price } })
  const helper = createTool('helper', {
    run: async (_, { inner, signal }) => {
      if (inner === undefined) throw new Error('there is no run inside')
      const state = fresh()
      const outer = { ...inside.deps, outer: inner.outer }
      for await (const event of run(state, outer, signal)) await inner.record(event)
      return said(state.error?.message ?? 'not stopped')
    },
  })
  const { deps } = createRig({
    play: [talk('helper'), text('never')],
    tools: [helper],
    policies: [budgeting({ usd: 0.00005 })],
    deps: { price },
  })
  const events = await collect(deps)
  // Each answer costs $0.00002: that of the run itself, and two inside.
  expect(of(events, 'call.finished').find(({ parent }) => parent === undefined)?.result.text).toBe(
    'The budget of $0.00005 is used up.',
  )
  expect(look.ran).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'budget' })
})
