import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, test } from 'vitest'
import { openClient, openStores } from '../open'
import { temporaryFolder } from '../rows.fixture'
import { type Counted, tallyOf } from './index-run'

const event = (seq: number, type: string, more: Partial<Counted> = {}): Counted => ({
  seq,
  type,
  at: seq * 10,
  callId: null,
  inputId: null,
  name: null,
  status: null,
  model: null,
  copied: null,
  ...more,
})
const call = (seq: number, name: string, status: string) => event(seq, 'call.finished', { name, status })
const ask = (seq: number, callId: string) => event(seq, 'approval.requested', { callId })
const decide = (seq: number, callId: string) => event(seq, 'approval.decided', { callId })

test('calls that failed, ran out of time or were lost are failed calls; blocked and skipped ones are not', () => {
  const statuses = ['ok', 'error', 'timeout', 'unknown', 'denied', 'skipped', 'interrupted']
  const { failed } = tallyOf(
    statuses.map((status, index) => call(index + 2, 'sql.execute', status)),
    100,
  )
  expect([...failed]).toEqual([['sql.execute', 3]])
})

test('two calls that wait for a person at once count as one wait', () => {
  const events = [ask(2, 'a'), ask(3, 'b'), decide(4, 'a'), decide(6, 'b'), ask(8, 'c'), decide(9, 'c')]
  expect(tallyOf(events, 100).waitedMs).toBe(50)
})

test('two questions of one call and a decision count as one wait', () => {
  const question = (seq: number, inputId: string) => event(seq, 'input.requested', { callId: 'a', inputId })
  const reply = (seq: number, inputId: string) => event(seq, 'input.given', { callId: 'a', inputId })
  const events = [
    question(2, 'x'),
    question(3, 'y'),
    ask(4, 'b'),
    reply(5, 'x'),
    reply(6, 'y'),
    decide(8, 'b'),
  ]
  expect(tallyOf(events, 100).waitedMs).toBe(60)
})

test('a wait that no decision ended lasts to the end of the run', () => {
  expect(tallyOf([ask(2, 'a')], 100).waitedMs).toBe(80)
})

test('what a fork copied is not counted again', () => {
  const start = event(2, 'run.started', { model: 'openai/gpt-5', copied: 4 })
  const tally = tallyOf([start, call(3, 'a', 'error'), call(5, 'b', 'error')], 100)
  expect([tally.model, [...tally.failed]]).toEqual(['openai/gpt-5', [['b', 1]]])
})

it('the runs of an old data folder are indexed in turns, and then found by their answers', () => {
  const { folder, remove } = temporaryFolder()
  const file = path.join(folder, 'loopwright.db')
  copyFileSync(path.resolve(import.meta.dirname, '../../e2e/contract/v1/data/loopwright.db'), file)
  const stores = openStores(file)
  const total = stores.figures.unindexed()
  expect(total).toBeGreaterThan(10)
  let turns = 0
  for (let done = stores.figures.indexSome(0); done > 0; done = stores.figures.indexSome(0)) turns += 1
  expect([turns, stores.figures.unindexed()]).toEqual([total, 0])
  const answered = stores.runs.list({ limit: 200 }).items.flatMap(({ id, answer }) => {
    const words = /\w{3,}( \w+)+/.exec(answer ?? '')
    return words === null ? [] : [{ id, words: words[0] }]
  })
  expect(answered.length).toBeGreaterThan(3)
  for (const { id, words } of answered) {
    const found = stores.runs.list({ search: `"${words}"`, limit: 200 }).items
    expect(found.map((run) => run.id)).toContain(id)
  }
  expect(stores.runs.list({ failed: true }).items.length).toBeGreaterThan(0)
  stores.close()
  remove()
})

it('the words of a run go with its thread', () => {
  const { folder, remove } = temporaryFolder()
  const file = path.join(folder, 'loopwright.db')
  copyFileSync(path.resolve(import.meta.dirname, '../../e2e/contract/v1/data/loopwright.db'), file)
  const stores = openStores(file)
  stores.figures.indexSome(60_000)
  const run = stores.runs.list({ status: 'completed' }).items[0]
  stores.threads.remove(run?.threadId ?? '')
  stores.close()
  const client = openClient(file)
  const words = Number(client.prepare('select count(*) from run_words').pluck().get())
  const runs = Number(client.prepare('select count(*) from runs where indexed = 1').pluck().get())
  expect(words).toBe(runs)
  client.close()
  remove()
})
