import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { Stores } from '#lib/spec/store'
import { Database } from '#lib/sqlite/driver'
import {
  agentRow,
  appended,
  delta,
  finished,
  numbered,
  queued,
  runRow,
  started,
  type TemporaryStores,
  temporaryStores,
  threadRow,
} from '../rows.fixture'

let place: TemporaryStores
let stores: Stores
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
})
afterEach(() => place.end())

describe('agents', () => {
  it('come back as they were saved, by id and by name', () => {
    const row = agentRow()
    expect(stores.agents.insert(row)).toBe(true)
    expect(stores.agents.get(row.id)).toEqual(row)
    expect(stores.agents.byName(row.name)).toEqual(row)
    const { graph: _graph, config: _config, origins: _origins, ...head } = row
    expect(stores.agents.heads()).toEqual([head])
    expect(stores.agents.get('agent_2')).toBeUndefined()
  })

  it('keep their names apart', () => {
    stores.agents.insert(agentRow())
    expect(stores.agents.insert(agentRow({ id: 'agent_2' }))).toBe(false)
    expect(stores.agents.insert(agentRow({ id: 'agent_2', name: 'other' }))).toBe(true)
    expect(stores.agents.update(agentRow({ id: 'agent_2', revision: 2 }))).toBe('name_taken')
  })

  it('are saved only over the revision before', () => {
    stores.agents.insert(agentRow())
    const next = agentRow({ revision: 2, title: 'New', config: null, configHash: null })
    expect(stores.agents.update(next)).toBe('saved')
    expect(stores.agents.update(next)).toBe('stale')
    expect(stores.agents.update(agentRow({ revision: 4 }))).toBe('stale')
    expect(stores.agents.update(agentRow({ id: 'agent_9', name: 'x', revision: 2 }))).toBe('missing')
    expect(stores.agents.get('agent_1')).toEqual(next)
  })

  it('are brought back as they were once removed, their name being free in between', () => {
    const row = agentRow()
    stores.agents.insert(row)
    expect(stores.agents.remove('agent_1', 5_000)).toBe(true)
    expect(stores.agents.remove('agent_1', 6_000)).toBe(false)
    expect([stores.agents.get('agent_1'), stores.agents.byName(row.name), stores.agents.heads()]).toEqual([
      undefined,
      undefined,
      [],
    ])
    expect(stores.agents.update(agentRow({ revision: 2 }))).toBe('missing')
    expect(stores.agents.removed('agent_1')).toEqual(row)
    expect(stores.agents.insert(agentRow({ id: 'agent_2' }))).toBe(true)
    expect(stores.agents.bringBack('agent_1')).toBe('name_taken')
    const renamed = agentRow({ name: 'other', revision: 2 })
    expect(stores.agents.bringBack('agent_1', renamed)).toBe('saved')
    expect(stores.agents.bringBack('agent_1')).toBe('missing')
    expect([stores.agents.get('agent_1'), stores.agents.removed('agent_1')]).toEqual([renamed, undefined])
  })

  it('take their versions along when purged, and leave their runs', () => {
    const { name: _, title: __, description: ___, updatedAt: ____, revision: _____, ...rest } = agentRow()
    const version = { ...rest, agentId: 'agent_1', version: 1, config: '{}', configHash: 'h' }
    const { id: _id, ...versionRow } = version
    stores.agents.insert(agentRow())
    stores.agents.insertVersion(versionRow)
    stores.runs.insert(runRow(), queued(), threadRow())
    expect(stores.agents.versions('agent_1')).toEqual([versionRow])
    expect(stores.agents.version('agent_1', 1)).toEqual(versionRow)
    stores.agents.remove('agent_1', 5_000)
    expect(stores.agents.versions('agent_1')).toEqual([versionRow])
    expect([stores.agents.purge(5_000), stores.agents.purge(5_001)]).toEqual([0, 1])
    expect(stores.agents.removed('agent_1')).toBeUndefined()
    expect(stores.agents.versions('agent_1')).toEqual([])
    expect(stores.runs.get('run_1')).toEqual(runRow())
  })
})

describe('runs', () => {
  it('are stored with their first event, and a new thread with them', () => {
    expect(stores.runs.insert(runRow(), queued(), threadRow())).toBe(true)
    expect(stores.runs.get('run_1')).toEqual(runRow())
    expect(stores.runs.events('run_1')).toEqual([queued()])
    expect(stores.threads.get('thread_1')?.updatedAt).toBe(2_000)
  })

  it('give a thread that has no title theirs in the same moment, and tell the files they were given', () => {
    stores.threads.insert(threadRow({ title: '' }))
    const files = [{ id: 'artifact_1', name: 'a.txt', path: 'a.txt', mediaType: 'text/plain', bytes: 3 }]
    const { agent, input, threadId } = runRow()
    const row = runRow({ files })
    const given = numbered(1, { type: 'run.queued', agent, input, threadId, files }, 0)
    stores.runs.insert(row, given, threadRow({ title: 'Orders' }))
    expect(stores.threads.get('thread_1')?.title).toBe('Orders')
    expect(stores.runs.get('run_1')).toEqual(row)
    expect(stores.runs.list({}).items.map((each) => each.files)).toEqual([files])
    expect(stores.runs.unfinished()).toEqual([row])
  })

  it('E-37: a thread holds one run at a time', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    expect(stores.runs.insert(runRow({ id: 'run_2' }), queued())).toBe(false)
    stores.runs.append([appended('run_1', numbered(2, started)), appended('run_1', numbered(3, finished))])
    expect(stores.runs.insert(runRow({ id: 'run_2' }), queued())).toBe(true)
    expect(stores.runs.unfinished().map((run) => run.id)).toEqual(['run_2'])
  })

  it('show live figures in their rows, and the end’s own at the end', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    stores.runs.append([
      appended('run_1', numbered(2, started)),
      appended('run_1', numbered(3, { type: 'step.started', maxSteps: 9 })),
      appended(
        'run_1',
        numbered(4, { type: 'step.finished', usage: { input: 7, output: 2, cached: 1 }, durationMs: 5 }),
      ),
    ])
    expect(stores.runs.get('run_1')).toEqual(
      runRow({
        status: 'running',
        startedAt: 10_002,
        steps: 1,
        usage: { input: 7, output: 2, cached: 1 },
        seq: 4,
      }),
    )
    stores.runs.append([appended('run_1', numbered(5, finished))])
    expect(stores.runs.get('run_1')).toMatchObject({
      status: 'completed',
      answer: 'France.',
      usage: { input: 12, output: 3 },
      seq: 5,
    })
  })

  it('count a step once it begins, and the closing answer not at all, as the end does', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    const steps = () => stores.runs.get('run_1')?.steps
    const closed = { type: 'step.finished', usage: { input: 1, output: 1 }, durationMs: 5 } as const
    stores.runs.append([
      appended('run_1', numbered(2, started)),
      appended('run_1', numbered(3, { type: 'step.started', maxSteps: 1 })),
    ])
    expect(steps()).toBe(1)
    stores.runs.append([
      appended('run_1', numbered(4, closed)),
      appended('run_1', numbered(5, { type: 'run.summarizing', reason: 'the limit of 1 step is reached' })),
    ])
    stores.runs.append([appended('run_1', numbered(6, { type: 'step.started', maxSteps: 1 }, 2))])
    stores.runs.append([appended('run_1', numbered(7, closed, 2))])
    expect(steps()).toBe(1)
    stores.runs.append([appended('run_1', numbered(8, finished, 2))])
    expect(steps()).toBe(1)
  })

  it('F10: a finished run is never overwritten, and no event follows its end', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    stores.runs.append([appended('run_1', numbered(2, finished))])
    const before = stores.runs.get('run_1')
    const late = [numbered(3, { type: 'run.resumed', reason: 'crash', attempt: 1 }), numbered(4, finished)]
    expect(stores.runs.append(late.map((event) => appended('run_1', event)))).toEqual(new Set(['run_1']))
    expect(stores.runs.markCancelling('run_1')).toBe(false)
    stores.runs.markDrained(['run_1'])
    expect(stores.runs.get('run_1')).toEqual(before)
    expect(stores.runs.events('run_1')).toHaveLength(2)
  })

  it('refuse an event out of order without holding up other runs', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    stores.runs.insert(
      runRow({ id: 'run_2', threadId: 'thread_2' }),
      queued('thread_2'),
      threadRow({ id: 'thread_2' }),
    )
    const refused = stores.runs.append([
      appended('run_1', numbered(3, delta('gap'))),
      appended('run_2', numbered(2, started)),
      appended('run_1', numbered(2, delta('after the gap'))),
      appended('run_3', numbered(1, started)),
    ])
    expect(refused).toEqual(new Set(['run_1', 'run_3']))
    expect(stores.runs.get('run_2')?.status).toBe('running')
    expect(stores.runs.get('run_1')?.seq).toBe(1)
  })

  it('a drain is marked until the run is resumed', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    stores.runs.append([appended('run_1', numbered(2, started))])
    stores.runs.markDrained(['run_1'])
    expect(stores.runs.get('run_1')?.drained).toBe(true)
    stores.runs.append([appended('run_1', numbered(3, { type: 'run.resumed', reason: 'drain', attempt: 1 }))])
    expect(stores.runs.get('run_1')?.drained).toBe(false)
  })

  it('are listed newest first, in pages that neither skip nor repeat', () => {
    for (let index = 1; index <= 7; index++) {
      const ids = { id: `run_${index}`, threadId: `thread_${index}`, createdAt: 5_000 - index }
      stores.runs.insert(runRow(ids), queued(ids.threadId), threadRow({ id: ids.threadId }))
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = stores.runs.list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.items.map((run) => run.id))
      cursor = page.next
    } while (cursor !== undefined)
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `run_${n}`))
    expect(stores.runs.list({ status: 'running' }).items).toEqual([])
    expect(stores.runs.list({ agentId: 'agent_1', threadId: 'thread_2' }).items.map((run) => run.id)).toEqual(
      ['run_2'],
    )
    expect(() => stores.runs.list({ cursor: "1' or 1" })).toThrow(expect.toSatisfy(isAppError))
  })

  it('are found and counted by words of their question, capital or small, in any alphabet', () => {
    const inputs = [
      'Which Country sold 100% more?',
      'which country_sold more',
      'Was kostet ÖSTERREICH?',
      'x\\y',
    ]
    for (const [index, input] of inputs.entries()) {
      const ids = { id: `run_${index}`, threadId: `thread_${index}` }
      stores.runs.insert(runRow({ ...ids, input }), queued(ids.threadId), threadRow({ id: ids.threadId }))
    }
    const found = (search: string) => stores.runs.list({ search }).items.map(({ id }) => id.at(-1))
    expect(found('COUNTRY which')).toEqual(['1', '0'])
    expect(found('100%')).toEqual(['0'])
    expect(found('y_s')).toEqual(['1'])
    expect(found('österreich  was')).toEqual(['2'])
    expect(found('x\\')).toEqual(['3'])
    expect(found("' or 1=1 --")).toEqual([])
    expect(stores.runs.list({ search: 'which', limit: 1 }).items).toHaveLength(1)
    expect(stores.runs.listCounted({ search: 'which' }).total).toBe(2)
    expect([
      stores.runs.listCounted({}).total,
      stores.runs.listCounted({ threadId: 'thread_1', status: 'queued' }).total,
    ]).toEqual([4, 1])
    expect(stores.runs.listCounted({ agentId: 'agent_2' }).total).toBe(0)
  })

  it('give their events as text in pages, and without deltas', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    const more = [numbered(2, started), numbered(3, delta('Fra')), numbered(4, delta('nce'))]
    stores.runs.append(more.map((event) => appended('run_1', event)))
    expect(stores.runs.eventTexts('run_1', 1, 2).map((each) => [each.seq, each.type])).toEqual([
      [2, 'run.started'],
      [3, 'text.delta'],
    ])
    expect(stores.runs.settledEvents('run_1').map((event) => event.seq)).toEqual([1, 2])
    expect(stores.runs.events('run_1')).toEqual([queued(), ...more])
    expect(stores.runs.eventsOfTypes('run_1', ['run.queued', 'text.delta']).map(({ seq }) => seq)).toEqual([
      1, 3, 4,
    ])
  })

  it('any interleaving of appends gives each run seq 1..n', () => {
    let round = 0
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), { maxLength: 12 }),
        (batches) => {
          round++
          const next = [2, 2, 2, 2]
          const ids = next.map((_, index) => `run_${round}_${index}`)
          for (const id of ids)
            stores.runs.insert(runRow({ id, threadId: id }), queued(id), threadRow({ id }))
          for (const batch of batches) {
            stores.runs.append(
              batch.map((run) => {
                const seq = next[run] ?? 0
                next[run] = seq + 1
                return appended(ids[run] ?? '', numbered(seq, delta(String(seq))))
              }),
            )
          }
          for (const [index, id] of ids.entries()) {
            const seqs = stores.runs.events(id).map((event: RunEvent) => event.seq)
            expect(seqs).toEqual(Array.from({ length: (next[index] ?? 0) - 1 }, (_, at) => at + 1))
          }
        },
      ),
      { numRuns: 25 },
    )
  }, 30_000)

  it('keep a tool schema once by its hash', () => {
    stores.runs.saveSchemas([{ hash: 'a', json: '{}' }])
    stores.runs.saveSchemas([
      { hash: 'a', json: '{}' },
      { hash: 'b', json: '[]' },
    ])
    stores.runs.saveSchemas([])
    const client = new Database(place.file, { readonly: true })
    const kept = client.prepare('select hash, json from tool_schemas order by hash').raw().all()
    client.close()
    expect(kept).toEqual([
      ['a', '{}'],
      ['b', '[]'],
    ])
  })
})

describe('threads', () => {
  it('that were used last come first though the clock was set back', () => {
    for (const n of [1, 2]) {
      stores.threads.insert(threadRow({ id: `thread_${n}`, updatedAt: 5_000 * n }))
    }
    const run = runRow({ id: 'run_9', threadId: 'thread_1', createdAt: 1_000 })
    expect(stores.runs.insert(run, queued())).toBe(true)
    expect(stores.threads.list({}).items.map(({ id }) => id)).toEqual(['thread_1', 'thread_2'])
  })

  it('are listed by last use in pages', () => {
    for (let index = 1; index <= 5; index++)
      stores.threads.insert(threadRow({ id: `thread_${index}`, updatedAt: index % 2 }))
    const first = stores.threads.list({ limit: 2 })
    const second = stores.threads.list({
      limit: 9,
      ...(first.next === undefined ? {} : { cursor: first.next }),
    })
    expect([...first.items, ...second.items].map((thread) => thread.id)).toEqual(
      [5, 3, 1, 4, 2].map((n) => `thread_${n}`),
    )
    expect(second.next).toBeUndefined()
    expect(stores.threads.list({ agentId: 'agent_2' }).items).toEqual([])
  })

  it('are listed by their purpose, and all together without one', () => {
    stores.threads.insert(threadRow({ id: 'thread_1', updatedAt: 1 }))
    stores.threads.insert(threadRow({ id: 'thread_2', updatedAt: 2, purpose: 'test' }))
    const ids = (purpose?: 'test' | 'other') =>
      stores.threads.list({ agentId: 'agent_1', ...(purpose && { purpose }) }).items.map(({ id }) => id)
    expect([ids('test'), ids('other'), ids()]).toEqual([['thread_2'], ['thread_1'], ['thread_2', 'thread_1']])
    expect(stores.threads.get('thread_2')).toEqual(
      threadRow({ id: 'thread_2', updatedAt: 2, purpose: 'test' }),
    )
    expect(stores.threads.get('thread_1')).toEqual(threadRow({ id: 'thread_1', updatedAt: 1 }))
  })

  it('keep their place in the list when they are renamed', () => {
    stores.threads.insert(threadRow())
    expect([stores.threads.rename('thread_1', 'New'), stores.threads.rename('thread_2', 'New')]).toEqual([
      true,
      false,
    ])
    expect(stores.threads.get('thread_1')).toEqual(threadRow({ title: 'New' }))
  })

  it('are removed with their runs and events, but not while one is unfinished', () => {
    stores.runs.insert(runRow(), queued(), threadRow())
    expect(stores.threads.remove('thread_1')).toBe('busy')
    stores.runs.append([appended('run_1', numbered(2, finished))])
    expect(stores.threads.remove('thread_1')).toBe('removed')
    expect(stores.threads.remove('thread_1')).toBe('missing')
    expect([stores.runs.get('run_1'), stores.runs.events('run_1')]).toEqual([undefined, []])
  })
})

it('settings keep any JSON value under a key', () => {
  stores.settings.set('databases', [{ name: 'retail' }])
  stores.settings.set('databases', { shop: 'shop.db' })
  expect(stores.settings.get('databases')).toEqual({ shop: 'shop.db' })
  expect(stores.settings.get('nothing')).toBeUndefined()
})
