/** Agents called in the background that ask people: they hold up nobody, and nothing that people say is lost. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import {
  agent,
  begin,
  call,
  calls,
  create,
  did,
  ended,
  gate,
  house,
  pair,
  playInScene,
  reopenScene,
  resultOf,
  say,
  until,
  uses,
  waiting,
} from './child-runs.fixture'

playInScene()

describe('an agent in the background that asks (S1-24)', () => {
  const noting = {
    ...say(calls(call('note', { text: 'x' })), { text: 'noted it' }),
    tools: [uses('note')],
    policies: [{ use: 'approval' }],
  }
  const lead = () =>
    pair(noting, {
      ...say(
        calls(call('helper', { task: 'Note it.' })),
        { text: 'I wait for it.' },
        { text: 'All is noted.' },
      ),
      tools: [agent('helper', { background: true })],
    })
  const inside = 'call_1_1/call_1_1'

  /** As many runs as are at work at once. */
  const slots = 8

  async function passesBy(): Promise<void> {
    const other = begin(create('other', say({ text: 'done' })))
    await ended(other)
  }

  it('takes no slot of the server while it waits, whatever the number of such runs', async () => {
    const id = lead()
    const runs = Array.from({ length: slots }, () => begin(id))
    for (const each of runs) await waiting(each)
    await passesBy()
    for (const each of runs) await house.app.runs.decide(each, inside, { decision: 'approve' })
    for (const each of runs) await ended(each)
    expect(runs.map((each) => house.app.runs.get(each).answer)).toEqual(runs.map(() => 'All is noted.'))
    expect(did).toEqual(runs.map(() => 'x'))
  })

  it('takes none after a restart either', async () => {
    const id = lead()
    const runs = Array.from({ length: slots }, () => begin(id))
    for (const each of runs) await waiting(each)
    await reopenScene()
    await passesBy()
    const [first = ''] = runs
    await house.app.runs.decide(first, inside, { decision: 'approve' })
    await ended(first)
    expect([did, resultOf(first)]).toEqual([['x'], expect.stringContaining('noted it')])
  })

  it('keeps the slot of its run while the agent that called it is between two of its own steps', async () => {
    create('asker', noting)
    const lead = pair({
      ...say(
        calls(call('asker', { task: 'Note it.' })),
        ...Array.from({ length: 5 }, () => calls(call('note', { text: 'step' }))),
        { text: 'I wait for it.' },
        { text: 'It is noted.' },
      ),
      tools: [agent('asker', { background: true }), uses('note')],
    })
    // They take all other slots until the end of the test.
    const busy = create('busy', { ...say(calls(call('wait')), { text: 'done' }), tools: [uses('wait')] })
    const waits = () => did.filter((each) => each.startsWith('waits')).length
    const others = Array.from({ length: slots - 1 }, () => begin(busy))
    await until(() => waits() === others.length)
    const id = begin(lead)
    const next = begin(busy)
    await until(() => waits() > others.length)
    expect(did.filter((each) => each === 'step')).toHaveLength(5)
    gate.open()
    await house.app.runs.decide(id, 'call_1_1/call_1_1/call_1_1', { decision: 'approve' })
    for (const each of [...others, next, id]) await ended(each)
    expect(resultOf(id)).toContain('It is noted.')
  })
})

describe('an answer that comes too late', () => {
  const both: JsonObject = {
    ...say(calls(call('note', { text: 'x' }), call('wait')), { text: 'both' }),
    tools: [uses('note', 'wait')],
    policies: [
      { use: 'approval', appliesTo: ['note'] },
      { use: 'execution', strategy: 'parallel' },
    ],
  }

  it('is refused at once when its call ends in the same moment, and not only when the run is over', async () => {
    create('helper', both)
    const lead = create('lead', {
      ...say(calls(call('hasty')), calls(call('wait')), { text: 'All done.' }),
      tools: [agent('helper'), uses('hasty', 'wait')],
    })
    const id = begin(lead)
    await until(() => did.length === 1)
    const late = house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve' })
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      message: 'The call has ended, so there is nothing left to decide.',
    })
    await until(() => did.includes('waits call_2_1'))
    expect([resultOf(id), house.app.runs.get(id).finishedAt]).toEqual(['too late', null])
    gate.open()
    await ended(id)
    expect(did).not.toContain('x')
  })
})
