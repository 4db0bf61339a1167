/** The tools of a step: fixed while it lasts, changed between steps, the same after a resume and in a fork. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDelta, type RunEvent } from '#lib/spec/event'
import type { BoundGroup, BoundTool, ToolListing } from '#lib/spec/toolkit'
import type { RunDeps } from '../deps'
import { keepForFork } from '../fork/fork'
import { firstEvents } from '../fork/fork-events'
import {
  calls,
  collect,
  createRig,
  createTool,
  denying,
  endOf,
  fresh,
  of,
  question,
  replay,
  said,
  type Turn,
  text,
} from '../rig.fixture'
import { run } from '../run'
import { request } from './rerequest'

const groups: readonly BoundGroup[] = [
  { name: 'web', node: 'groups/0', description: 'Pages.', notes: 'Read first.', active: false },
  { name: 'files', node: 'groups/1', description: 'Files.', notes: '', active: true },
]

/** Switches to the groups in its argument, as `tools.equip` does. */
const equip = createTool('tools.equip', {
  aliases: ['reset_equipped_tools'],
  node: 'agent',
  run: ({ on }) => ({ ok: true, blocks: [], groups: Array.isArray(on) ? on.map(String) : [] }),
})
const tools = [
  createTool('time'),
  createTool('fetch', { group: 'web', node: 'tools/1' }),
  createTool('read', { group: 'files', node: 'tools/2' }),
  equip,
]
const switchTo = (...on: string[]) => ({ name: 'tools.equip', args: { on } })
const namesOf = (events: readonly RunEvent[]) =>
  of(events, 'model.requested').map((each) => each.tools.map(({ name }) => name).join(' '))

it('S1-11 records the argument with a document, and under which other names models send it', async () => {
  const argumentAliases = { markdown: 'content', file: 'path', both: ['content', 'path'] }
  const { deps } = createRig({
    play: [text('Done.')],
    tools: [
      createTool('report', { draft: 'content', argumentAliases }),
      createTool('page', { draft: 'html' }),
      createTool('note', { argumentAliases }),
    ],
  })
  expect(of(await collect(deps), 'run.started')[0]?.tools.offered).toMatchObject([
    { name: 'report', draft: 'content', draftAliases: ['markdown'] },
    { name: 'page', draft: 'html' },
    { name: 'note' },
  ])
})

describe('groups', () => {
  it('S4-08 offers the tools of a group in the step after it is switched on, and none after it is switched off', async () => {
    const { deps } = createRig({
      play: [calls(switchTo('web')), calls('fetch'), calls(switchTo()), text('Done.')],
      tools,
      deps: { groups },
    })
    const events = await collect(deps)
    expect(namesOf(events)).toEqual([
      'time read tools.equip',
      'time tools.equip fetch',
      'time tools.equip fetch',
      'time tools.equip',
    ])
    expect(of(events, 'tools.changed').map(({ added, removed, reason }) => [added, removed, reason])).toEqual(
      [
        [
          [{ name: 'fetch', node: 'tools/1' }],
          [{ name: 'read', withheld: expect.objectContaining({ policy: 'group', node: 'groups/1' }) }],
          'active groups: web',
        ],
        [[], [expect.objectContaining({ name: 'fetch' })], 'no group is active'],
      ],
    )
    expect(of(events, 'run.started')[0]?.tools.offered.map(({ name }) => name)).toEqual([
      'time',
      'read',
      'tools.equip',
    ])
    expect(endOf(events).status).toBe('completed')
  })

  it('S4-10 E-23 refuses a call of an inactive group with the way to switch it on, also after the meta call in the same answer', async () => {
    for (const answer of [calls('fetch'), calls(switchTo('web'), 'fetch')]) {
      const { deps } = createRig({ play: [answer, text('Done.')], tools, deps: { groups } })
      const events = await collect(deps)
      const refused = of(events, 'call.finished').find(({ name }) => name === 'fetch')
      expect(refused).toMatchObject({ status: 'denied', code: 'denied', node: 'tools/1' })
      expect(refused?.result.text).toContain(
        'its group "web" is not active; tools.equip switches it on with {"web":true}, from the next step on',
      )
      expect(of(events, 'policy.ruled')).toMatchObject([
        { policy: 'group', node: 'groups/0', verdict: 'deny' },
      ])
    }
    expect(tools[1]?.ran).toEqual(['call_2_1'])
  })

  it('S4-08 stays within the policies: a denied tool of an active group is not offered', async () => {
    const { deps } = createRig({
      play: [calls(switchTo('web', 'files')), text('Done.')],
      tools,
      policies: [denying('fetch')],
      deps: { groups },
    })
    const events = await collect(deps)
    expect(namesOf(events).at(-1)).toBe('time read tools.equip')
    expect(of(events, 'tools.changed')).toEqual([])
  })

  it('S4-33 begins with the groups that the thread has active, and ignores those that no longer exist', async () => {
    const { deps } = createRig({ play: [text('Done.')], tools, deps: { groups } })
    const state = fresh()
    state.groups = ['web', 'gone']
    expect(namesOf(await collect(deps, { state }))).toEqual(['time fetch tools.equip'])
  })

  it('changes nothing in a run whose groups stay as they are', async () => {
    const { deps } = createRig({ play: [calls(switchTo('files')), text('Done.')], tools, deps: { groups } })
    const events = await collect(deps)
    expect(of(events, 'tools.changed')).toEqual([])
    const [first, second] = replay(events).steps
    expect(second?.tools).toBe(first?.tools)
  })
})

/** A toolkit whose list is what `lists` holds for the number of requests so far. */
function changing(lists: readonly ToolListing[], play: readonly Turn[]) {
  const { deps, model } = createRig({ play, tools: lists[0]?.tools ?? [] })
  const toolsNow: RunDeps['toolsNow'] = async () =>
    lists[Math.min(model.requests.length, lists.length - 1)] ?? { tools: [] }
  return { model, deps: { ...deps, toolsNow } }
}

describe('a toolkit whose tools change', () => {
  const time = createTool('time')
  const maps = createTool('maps', { description: 'Finds a place.' })
  const lists: ToolListing[] = [
    { tools: [time] },
    { tools: [maps, time], reason: 'the server has new tools' },
    {
      tools: [createTool('maps', { description: 'Finds a place or a way.' }), time],
      reason: 'maps is newer',
    },
    { tools: [time], reason: 'the server dropped maps' },
  ]
  const play = [calls('time'), calls('maps'), calls('maps'), calls('maps'), text('Done.')]

  it('appends what is new, keeps the place of what changed, and records definitions that the config lacks', async () => {
    const { deps, model } = changing(lists, play)
    const events = await collect(deps)
    expect(namesOf(events)).toEqual(['time', 'time maps', 'time maps', 'time', 'time'])
    expect(of(events, 'tools.changed')).toMatchObject([
      {
        added: [{ name: 'maps', definition: { description: 'Finds a place.' } }],
        reason: 'the server has new tools',
      },
      { added: [], changed: [{ name: 'maps', definition: { description: 'Finds a place or a way.' } }] },
      { removed: [{ name: 'maps' }], reason: 'the server dropped maps' },
    ])
    expect(model.requests[2]?.tools.map(({ description }) => description)).toEqual([
      'does time',
      'Finds a place or a way.',
    ])
    expect(of(events, 'call.finished').map(({ status, code }) => code ?? status)).toEqual([
      'ok',
      'ok',
      'ok',
      'unknown_tool',
    ])
  })

  it('gives the exact request of every step long after the toolkit lists something else', async () => {
    const { deps } = changing(lists, play)
    const events = await collect(deps)
    const state = replay(events)
    for (const sent of of(events, 'model.requested'))
      expect(deps.hash(request(state, deps, sent.step)?.body ?? '')).toBe(sent.hash)
  })

  it('keeps the set of a step that a crash cut off, and changes it before the next step', async () => {
    const { deps } = changing(lists, play)
    const events = await collect(deps)
    const cut = events.findIndex(({ type, step }) => type === 'model.answered' && step === 2)
    const state = replay(events.slice(0, cut + 1))
    const resumed = createRig({ play: [text('no'), text('no'), text('Done.')], tools: [time] })
    const now = { tools: [time], reason: 'the server dropped maps' }
    const rest = await collect({ ...resumed.deps, toolsNow: async () => now }, { state })
    expect(of(rest, 'call.finished')[0]).toMatchObject({ name: 'maps', code: 'unknown_tool' })
    expect(of(rest, 'tools.changed')).toMatchObject([{ removed: [{ name: 'maps' }] }])
    expect(of(rest, 'model.requested').map((each) => each.tools.map(({ name }) => name))).toEqual([['time']])
  })
})

/** A play in which each step switches to some groups and calls some tools. */
const stepsArb = fc.array(
  fc.record({ on: fc.subarray(['web', 'files']), also: fc.subarray(['time', 'fetch', 'read']) }),
  { minLength: 1, maxLength: 6 },
)
const turnsOf = (steps: readonly { on: string[]; also: string[] }[]): Turn[] => [
  ...steps.map(({ on, also }) => calls(switchTo(...on), ...also)),
  text('Done.'),
]
const sets = (events: readonly RunEvent[]) => replay(events).steps.map(({ tools: set }) => set)

describe('laws of the offered set', () => {
  it('the fold of the events has the set of each request, with deltas or without', async () => {
    await fc.assert(
      fc.asyncProperty(stepsArb, async (steps) => {
        const { deps } = createRig({ play: turnsOf(steps), tools, deps: { groups } })
        const events = await collect(deps)
        const folded = sets(events).map((set) => set?.offered.map(({ name }) => name).join(' '))
        expect(folded).toEqual(namesOf(events))
        expect(sets(events.filter((each) => !isDelta(each)))).toEqual(sets(events))
      }),
      { numRuns: 60 },
    )
  })

  it('a run that is cut off after any event ends with the same requests', async () => {
    await fc.assert(
      fc.asyncProperty(stepsArb, fc.nat(), async (steps, at) => {
        const play = turnsOf(steps)
        const whole = await collect(createRig({ play, tools, deps: { groups } }).deps)
        const cut = whole.slice(0, 1 + (at % (whole.length - 1)))
        const rest = await collect(createRig({ play, tools, deps: { groups } }).deps, { state: replay(cut) })
        const offered = (events: readonly RunEvent[]) =>
          Object.fromEntries(of(events, 'model.requested').map((each) => [each.step, each.tools]))
        expect(offered([...cut, ...rest])).toEqual(offered(whole))
        expect(sets([...cut, ...rest])).toEqual(sets(whole))
      }),
      { numRuns: 60 },
    )
  })

  it('a fork from any step, before or after a change, has the sets of its parent up to there', async () => {
    await fc.assert(
      fc.asyncProperty(stepsArb, fc.nat(), async (steps, at) => {
        const play = turnsOf(steps)
        const whole = await collect(createRig({ play, tools, deps: { groups } }).deps)
        const step = 1 + (at % (steps.length + 1))
        const kept = keepForFork(whole, { step })
        const [started] = of(whole, 'run.started')
        if (!kept.ok || started === undefined) throw new Error('the run can be forked at each of its steps')
        const { agent, input, threadId, historyThrough } = question
        const forkedFrom = { runId: 'run_1', step }
        const head = firstEvents(
          { agent, input, threadId, historyThrough, forkedFrom, at: 1 },
          started,
          kept.value,
        )
        const fork = replay(head, { forkedFrom })
        const rest = await collect(createRig({ play, tools, deps: { groups } }).deps, { state: fork })
        expect(sets([...head, ...rest])).toEqual(sets(whole))
      }),
      { numRuns: 40 },
    )
  })
})

describe('a run inside a call', () => {
  const inside: readonly BoundTool[] = [createTool('look'), createTool('ask', { effect: 'effect' })]
  const innerDeps = (deps: RunDeps, play: readonly Turn[]) => ({
    ...createRig({ play, tools: inside }).deps,
    clock: deps.clock,
  })
  /** A tool whose body is a run of its own. */
  const nesting = (play: readonly Turn[]) =>
    createTool('agent.ask', {
      effect: 'idempotent',
      async run(_, { inner, signal }) {
        if (inner === undefined) throw new Error('a run gives each call its inner run')
        const state = inner.state() ?? fresh({ input: 'Inside?' })
        const { deps } = createRig({ play })
        for await (const event of run(
          state,
          { ...innerDeps(deps, play), committed: () => inner.committed() },
          signal,
        ))
          inner.record(event)
        return said(state.answer ?? '')
      },
    })
  const innerPlay = [calls('look', 'ask'), text('Found it.')]

  it('records its events with the call as their parent, which fold into a state of their own', async () => {
    const { deps } = createRig({ play: [calls('agent.ask'), text('Done.')], tools: [nesting(innerPlay)] })
    const events = await collect(deps)
    const state = replay(events)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(
      events.filter(({ parent }) => parent !== undefined).every(({ parent }) => parent === 'call_1_1'),
    ).toBe(true)
    const inner = state.calls.get('call_1_1')?.inner
    expect(inner).toMatchObject({ status: 'completed', answer: 'Found it.' })
    expect(inner?.steps.map(({ calls }) => calls.map(({ name, status }) => `${name} ${status}`))).toEqual([
      ['look ok', 'ask ok'],
      [],
    ])
    expect(state.steps).toHaveLength(2)
    expect(state.usage).toEqual({ input: 40, output: 20 })
    expect(endOf(events.filter(({ parent }) => parent === undefined)).status).toBe('completed')
  })

  it('folds a run inside a run inside a call', async () => {
    const { deps } = createRig({ play: [calls('agent.ask'), text('Done.')], tools: [nesting(innerPlay)] })
    const events = await collect(deps)
    const outer = events.map((each): RunEvent => {
      if (each.parent === undefined) return each
      return { ...each, parent: `${each.parent}/call_1_1` }
    })
    // The middle run has made the call that holds the innermost one.
    const begun = of(outer, 'call.started')[0]
    const middle = outer.flatMap((each): RunEvent[] =>
      each === begun
        ? [each, ...outer.slice(0, outer.indexOf(each) + 1).map((one) => ({ ...one, parent: 'call_1_1' }))]
        : [each],
    )
    const state = replay(middle.map((each, index) => ({ ...each, seq: index + 1 })))
    const inner = state.calls.get('call_1_1')?.inner?.calls.get('call_1_1')?.inner
    expect(inner).toMatchObject({ status: 'completed', answer: 'Found it.' })
  })

  it('continues after a crash where it was, and runs no effect inside twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (at) => {
        const play = [calls('agent.ask'), text('Done.')]
        const whole = await collect(createRig({ play, tools: [nesting(innerPlay)] }).deps)
        const cut = whole.slice(0, 1 + (at % (whole.length - 1)))
        const rest = await collect(createRig({ play, tools: [nesting(innerPlay)] }).deps, {
          state: replay(cut),
        })
        const began = of([...cut, ...rest], 'call.started').filter(({ name }) => name === 'ask')
        expect(began).toHaveLength(1)
        expect(replay([...cut, ...rest])).toMatchObject({ status: 'completed', answer: 'Done.' })
        expect(sets([...cut, ...rest].filter((each) => !isDelta(each)))).toEqual(sets([...cut, ...rest]))
      }),
      { numRuns: 40 },
    )
  })
})
