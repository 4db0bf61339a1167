import { expect, test } from 'vitest'
import {
  type Asked,
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  runFinished,
  stepStarted,
} from '#components/trace/run.fixture'
import { isDeep } from '#e2e/test-depth'
import type { Artifact } from '#lib/spec/artifact'
import type { EventBody } from '#lib/spec/event'
import { draftNow, madeTitle } from './draft'

const report: Asked = {
  id: 'call_1_1',
  name: 'make_report',
  args: { title: 'Sales', content: '# Sales\n\nThey “grew”.' },
}
const page: Artifact = { id: 'artifact_1', name: 'a.html', path: 'a.html', mediaType: 'text/html', bytes: 9 }

/** A run that is offered a tool with a document, under a name of its own, and another tool. */
function writing() {
  const { tools, ...rest } = begin as Extract<EventBody, { type: 'run.started' }> // cast: the fixture is one
  const offered = [
    ...tools.offered,
    { name: 'make_report', node: 'tools/3', draft: 'content', draftAliases: ['markdown'] },
  ]
  return record({ ...rest, tools: { ...tools, offered } }, stepStarted, requested)
}

const delta = (argsText: string, { id, name }: Asked = report): EventBody => ({
  type: 'call.delta',
  callId: id,
  name,
  argsText,
})

test('S1-11 a document is shown while its call is written, made, and no longer', () => {
  const run = writing()
  expect(draftNow(run.state)).toBeUndefined()
  const json = JSON.stringify(report.args)
  const at = json.indexOf('They')
  run.tell(delta(json.slice(0, 12)))
  expect(draftNow(run.state)).toBeUndefined()
  run.tell(delta(json.slice(12, at)))
  expect(draftNow(run.state)).toEqual({
    callId: 'call_1_1',
    title: 'Sales',
    text: '# Sales\n\n',
    stage: 'writing',
  })
  for (const unit of json.slice(at)) run.tell(delta(unit))
  expect(draftNow(run.state)?.text).toBe(report.args?.content)
  run.tell(answered({ calls: [report] }))
  expect(draftNow(run.state)).toEqual({
    callId: 'call_1_1',
    title: 'Sales',
    text: report.args?.content,
    stage: 'making',
  })
  run.tell(callStarted(report, 'tools/3'), { type: 'artifact.created', callId: report.id, artifact: page })
  expect(draftNow(run.state)).toBeDefined()
  run.tell(callFinished(report, 'tools/3'))
  expect([draftNow(run.state), run.state.document]).toEqual([
    undefined,
    { artifact: page, callId: report.id },
  ])
  expect(madeTitle(run.state)).toBe('Sales')
  run.tell({ type: 'artifact.created', callId: report.id, artifact: { ...page, description: 'By month.' } })
  expect(madeTitle(run.state)).toBe('Sales')
})

test.runIf(isDeep)(
  'S1-11 a long document in many pieces is looked at after each of them, in little time @deep',
  () => {
    const run = writing()
    run.tell(delta('{"content":"'))
    const begun = performance.now()
    for (let piece = 0; piece < 40_000; piece++) {
      run.tell(delta('some words in a long report '))
      draftNow(run.state)
    }
    expect(performance.now() - begun).toBeLessThan(3_000)
    expect(draftNow(run.state)?.text.length).toBeGreaterThan(1_110_000)
  },
)

test('S1-11 a document of an attempt that is given up is forgotten', () => {
  const run = writing()
  run.tell(delta('{"content":"Half'))
  expect(draftNow(run.state)?.text).toBe('Half')
  run.tell(requested, delta('{"content":"Again'))
  expect(draftNow(run.state)?.text).toBe('Again')
  run.tell(runFinished('cancelled', null))
  expect(draftNow(run.state)).toBeUndefined()
})

test('S1-11 a document that waits for a decision is not being made', () => {
  const run = writing()
  run.tell(answered({ calls: [report] }))
  run.tell({ type: 'approval.requested', callId: report.id, tool: report.name, args: {}, expiresAt: null })
  expect(draftNow(run.state)).toMatchObject({ text: report.args?.content, stage: 'waiting' })
})

test('S1-11 a second document of an answer takes the place of the first with its first character', () => {
  const run = writing()
  run.tell(delta(JSON.stringify(report.args)))
  const second = { ...report, id: 'call_1_2' }
  run.tell(delta('{"title":"Costs",', second))
  expect(draftNow(run.state)).toMatchObject({ callId: 'call_1_1', title: 'Sales' })
  run.tell(delta('"content":"They', second))
  expect(draftNow(run.state)).toMatchObject({ callId: 'call_1_2', title: 'Costs', text: 'They' })
})

test('S1-11 a document under another name of its argument is shown as well', () => {
  const run = writing()
  run.tell(delta('{"markdown":"Under'))
  expect(draftNow(run.state)?.text).toBe('Under')
  run.tell(answered({ calls: [{ ...report, args: { title: 'Sales', markdown: 'Under another name' } }] }))
  expect(draftNow(run.state)?.text).toBe('Under another name')
})

test('S1-11 a file of a call without a document is no document', () => {
  const sql: Asked = { id: 'call_1_1', name: 'sql.execute', args: { content: 'SELECT 1' } }
  const run = writing()
  run.tell(delta('{"content":"SELECT 1"', sql))
  expect(draftNow(run.state)).toBeUndefined()
  run.tell(answered({ calls: [sql] }), callStarted(sql, 'tools/1'))
  run.tell({ type: 'artifact.created', callId: sql.id, artifact: page })
  expect([draftNow(run.state), run.state.document]).toEqual([undefined, undefined])
})
