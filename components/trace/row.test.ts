import { describe, expect, it } from 'vitest'
import { nodeStatus } from '#components/run/node-status'
import { rowJson } from './row-copy'
import { rowsOf } from './rows'
import {
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  runFinished,
  stepStarted,
} from './run.fixture'
import { createSearch } from './trace-search'

const nothingFolded: ReadonlySet<string> = new Set()
const hiding = { id: 'call_1_1', name: 'files\u202e.create', args: { path: 'a\u2066\u200b.txt' } }
const huge = {
  id: 'call_1_1',
  name: 'files.create',
  args: { path: 'a.txt', content: `${'x'.repeat(5_000_000)}needle` },
}

function ran(call: typeof hiding | typeof huge, text: string) {
  return record(
    begin,
    stepStarted,
    requested,
    answered({ calls: [call] }),
    callStarted(call, 'tools/0'),
    callFinished(call, 'tools/0', { status: 'error', text }),
  ).state
}

describe('a line of the trace', () => {
  it('shows what would let one call look like another', () => {
    const rows = rowsOf(ran(hiding, 'not\u202dfound'), nothingFolded)
    expect(rows.find(({ kind }) => kind === 'call')).toMatchObject({
      title: 'files⟨U+202E⟩.create',
      detail: 'path: a⟨U+2066⟩⟨U+200B⟩.txt',
    })
    expect(rows.find(({ kind }) => kind === 'observation')?.title).toBe('not⟨U+202D⟩found')
    expect(nodeStatus(ran(hiding, 'not\u202dfound'), 'tools/0').strap).toBe('not⟨U+202D⟩found')
  })

  it('holds no more than a line of a text of megabytes, and the row has all of it', () => {
    const state = ran(huge, 'y'.repeat(5_000_000))
    const rows = rowsOf(state, nothingFolded)
    for (const { title, detail } of rows) expect(title.length + detail.length).toBeLessThan(1_000)
    expect(nodeStatus(state, 'tools/0').strap?.length).toBeLessThan(500)
    expect(rows.find(({ kind }) => kind === 'call')?.call?.args).toEqual(huge.args)
    const answer = 'z'.repeat(5_000_000)
    const ended = record(
      begin,
      stepStarted,
      requested,
      answered({ text: answer }),
      runFinished('completed', answer),
    )
    const row = rowsOf(ended.state, nothingFolded).find(({ kind }) => kind === 'answer')
    expect(row?.title.length).toBeLessThan(500)
    expect(row === undefined ? '' : rowJson(row)).toContain(answer)
  })

  it('is found by words at the very end of what it stands for', () => {
    const found = createSearch()(ran(huge, 'ok'), { query: 'NEEDLE', keep: null })
    expect(found.map(({ id }) => id)).toEqual(['call_1_1'])
    expect(createSearch()(ran(huge, 'ok'), { query: 'a.*e', keep: null })).toEqual([])
  })
})
