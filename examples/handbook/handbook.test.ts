/** The researcher over the bundled handbook, run from the command line with the folder as its collection. */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryStores } from '#db/rows.fixture'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { createKnowledge } from '#lib/server/recall/knowledge'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

const here = import.meta.dirname

async function play(name: string, more: readonly string[] = ['--knowledge', 'handbook=pages']) {
  const terminal = testTerminal({ folder: here })
  const file = path.join(here, `${name}.json`)
  const code = await main(['run', file, 'May I return it after 40 days?', '--json', ...more], terminal)
  const lines = terminal.printed.trimEnd().split('\n')
  return { code, said: terminal.said, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

describe('S4-07 the researcher over the handbook', { timeout: 30_000 }, () => {
  test('finds what it cites, with file and heading', async () => {
    const { code, said, events } = await play('researcher')
    expect([code, said]).toEqual([0, ''])
    const [late, costs] = all(events, 'knowledge.retrieved')
    const places = (of: typeof late) => of?.passages.map(({ file, place }) => `${file}, ${place}`)
    expect(places(late)).toContain('returns.md, Returns and refunds › After 30 days')
    expect(places(costs)).toContain('shipping.md, Shipping › Costs')
    const answer = all(events, 'run.finished')[0]?.answer ?? ''
    const cited = [...answer.matchAll(/\[([^\]]+)\]/g)].map(([, source]) => source)
    expect(cited).toHaveLength(2)
    const known = all(events, 'knowledge.retrieved').flatMap((each) => places(each) ?? [])
    for (const source of cited) expect(known).toContain(source)
  })

  test('goes on after a search without a question, one for too much, and one that finds nothing', async () => {
    const { code, events } = await play('researcher-errs')
    expect(code).toBe(0)
    expect(all(events, 'call.finished').map(({ status, code: why }) => why ?? status)).toEqual([
      'args_schema',
      'args_schema',
      'ok',
      'ok',
    ])
    expect(all(events, 'call.finished')[2]?.result.text).toBe('No passage fits this search.')
    expect(all(events, 'run.finished')[0]).toMatchObject({ status: 'completed' })
  })

  test('finds them in the collection of a data folder as well', async () => {
    const place = temporaryStores()
    try {
      const agents = { heads: () => [], get: () => undefined }
      const knowledge = createKnowledge({ store: place.stores.knowledge, agents, now: Date.now })
      knowledge.create({ name: 'handbook' })
      const pages = path.join(here, 'pages')
      for (const name of fs.readdirSync(pages)) {
        const content = fs.createReadStream(path.join(pages, name))
        await knowledge.addFile('handbook', { name, content }, new AbortController().signal)
      }
      const { code, said, events } = await play('researcher', ['--data', place.folder])
      expect([code, said]).toEqual([0, ''])
      const [late] = all(events, 'knowledge.retrieved')
      expect(late?.passages[0]).toMatchObject({ collection: 'handbook', file: 'returns.md' })
    } finally {
      place.end()
    }
  })

  test('says what is lacking without its collection, and a folder that is not there is one sentence', async () => {
    const { code, said } = await play('researcher', [])
    expect(code).toBe(0)
    expect(said).toContain('There is no collection “handbook” here')
    const terminal = testTerminal({ folder: here })
    const file = path.join(here, 'researcher.json')
    expect(await main(['run', file, 'Go.', '--knowledge', 'handbook=nowhere'], terminal)).not.toBe(0)
    expect(terminal.said).toContain('nowhere cannot be read.')
  })
})
