/** What agents remember, as the database keeps and finds it. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventOf } from '#lib/spec/event'
import { mostMemories } from '#lib/spec/recall'
import type { Stores } from '#lib/spec/store'
import { agentRow, queued, runRow, type TemporaryStores, temporaryStores, threadRow } from '../rows.fixture'
import { questionTerms } from '../search-words'

let place: TemporaryStores
let stores: Stores
let seq = 1
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
  seq = 1
  stores.agents.insert(agentRow({ id: 'agent_1', name: 'one' }))
  stores.runs.insert(runRow({ agentId: 'agent_1', user: 'ada' }), queued(), threadRow({ agentId: 'agent_1' }))
})
afterEach(() => place.end())

function recorded(texts: readonly string[], at = 5): EventOf<'memory.recorded'> {
  seq += 1
  const entries = texts.map((text, index) => ({ id: `mem_${seq}_${index}`, text }))
  return { type: 'memory.recorded', seq, at, step: 1, node: 'tools/0', agent: 'agent_1', entries }
}
function record(texts: readonly string[], at?: number) {
  const event = recorded(texts, at)
  return stores.runs.append([{ runId: 'run_1', event, json: JSON.stringify(event) }])
}
const ada = { agentId: 'agent_1', owner: 'user:ada' }
const found = (query: string, of = ada) =>
  stores.memories
    .rows(stores.memories.find(of, questionTerms(query), 10).map(({ n }) => n))
    .map(({ text }) => text)

describe('S4-06 the memory of an agent', () => {
  it('keeps the first of two entries of one id, and the events are stored', () => {
    const event = recorded(['First.', 'Second.'])
    const entries = event.entries.map((each) => ({ ...each, id: 'mem_same' }))
    const same = { ...event, entries }
    expect(stores.runs.append([{ runId: 'run_1', event: same, json: JSON.stringify(same) }])).toEqual(
      new Set(),
    )
    expect(found('first second')).toEqual(['First.'])
  })

  it('holds what an event of a run recorded, once however often the event is sent', () => {
    const event = recorded(['Ada likes tea.'])
    const sent = [{ runId: 'run_1', event, json: JSON.stringify(event) }]
    expect(stores.runs.append(sent).size).toBe(0)
    expect(stores.runs.append(sent)).toEqual(new Set(['run_1']))
    record(['Ada likes tea.'], 9)
    expect(stores.memories.list(ada).items).toMatchObject([
      { text: 'Ada likes tea.', owner: 'user:ada', createdAt: 5, updatedAt: 9, runId: 'run_1' },
    ])
  })

  it('is found by words in any form, also in Chinese, and only by its owner', () => {
    record(['Ada prefers refunds as vouchers.', '她喜欢绿茶和咖啡。'])
    expect(found('refunded voucher')).toEqual(['Ada prefers refunds as vouchers.'])
    expect(found('绿茶')).toEqual(['她喜欢绿茶和咖啡。'])
    expect(found('voucher', { ...ada, owner: 'user:bob' })).toEqual([])
    expect(found('voucher', { ...ada, agentId: 'agent_2' })).toEqual([])
  })

  it('is found by its new words after an edit, and no more after it is forgotten', () => {
    record(['Ada likes tea.', 'Ada has a dog.'])
    const [entry, other] = stores.memories.list({ ...ada, terms: ['tea'] }).items
    expect(other).toBeUndefined()
    const id = entry?.id ?? ''
    expect(stores.memories.edit('agent_1', id, 'Ada has a dog.', 20)).toBe('twice')
    expect(stores.memories.edit('agent_1', id, 'Ada likes cocoa.', 20)).toBe('saved')
    expect(stores.memories.edit('agent_2', id, 'Mine.', 20)).toBe('missing')
    expect([found('tea'), found('cocoa')]).toEqual([[], ['Ada likes cocoa.']])
    expect(stores.memories.forget('agent_1', id)).toBe(true)
    expect(found('cocoa')).toEqual([])
    expect(stores.memories.forgetAll('agent_1', 'user:ada')).toBe(1)
    expect(stores.memories.owners('agent_1')).toEqual([])
  })

  it('goes with its thread, and with its agent', () => {
    stores.runs.insert(
      runRow({ id: 'run_2', agentId: 'agent_1', threadId: 'thread_2' }),
      queued(),
      threadRow({ id: 'thread_2', agentId: 'agent_1' }),
    )
    const event = { ...recorded(['Of the thread.']), seq: 2 }
    stores.runs.append([{ runId: 'run_2', event, json: JSON.stringify(event) }])
    expect(stores.memories.owners('agent_1')).toMatchObject([{ owner: 'thread:thread_2', entries: 1 }])
    record(['Of Ada.'])
    stores.agents.remove('agent_1', 10)
    stores.agents.purge(11)
    expect(stores.memories.owners('agent_1')).toEqual([])
    expect(found('Ada')).toEqual([])
  })

  it('@deep S4-36 keeps at most a number of entries: those changed last', () => {
    const many = Array.from({ length: mostMemories + 2 }, (_, at) => `Number ${at}.`)
    const event = recorded(many)
    stores.runs.append([{ runId: 'run_1', event, json: '{}' }])
    expect(stores.memories.owners('agent_1')).toMatchObject([{ entries: mostMemories }])
    expect([found('0'), found('1'), found('2')]).toEqual([[], [], ['Number 2.']])
  })

  it('takes any text as a question, and never reads it as an expression', () => {
    record(['Ada likes tea.'])
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        found(text)
        found(`tea" OR scope : * NEAR(${text}`)
        stores.memories.list({ ...ada, terms: questionTerms(text) })
      }),
      { numRuns: 60 },
    )
    expect(found('tea" AND scope : "x')).toEqual(['Ada likes tea.'])
  })
})
