/** The examples that search the web, run from the command line against a search service and pages on local ports. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'
import { type SearchServer, startSearchServer } from '#lib/web/search.fixture'

let place = ''
let search: SearchServer
let pages: http.Server
let asked: string[]
beforeEach(async () => {
  place = mkdtempSync(path.join(os.tmpdir(), 'loopwright-web-examples-'))
  asked = []
  pages = http.createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/gone') return void response.writeHead(404).end('Not here.')
    const text = `<html><head><title>T</title></head><body><article><h1>The Nile</h1><p>${'It is 6,650 km long. '.repeat(20)}</p></article></body></html>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(text)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  search = await startSearchServer('searxng', () =>
    ['gone', 'nile', 'rivers', 'more'].map((name) => ({
      ...{ title: `About ${name}`, url: `${origin()}/${name}`, snippet: `A page on ${name}.` },
    })),
  )
})
afterEach(async () => {
  await search.close()
  pages.closeAllConnections()
  pages.close()
  rmSync(place, { recursive: true, force: true })
})

const origin = () => `http://127.0.0.1:${(pages.address() as AddressInfo).port}` // cast: it listens on a port

async function play(
  name: string,
  more: Readonly<Record<string, string>> = { SEARXNG_BASE_URL: search.baseUrl },
) {
  const env = { LOOPWRIGHT_ALLOW_HOSTS: new URL(origin()).host, ...more }
  const terminal = testTerminal({ folder: place, env })
  const file = path.join(import.meta.dirname, `${name}.json`)
  const places = ['--data', path.join(place, 'data'), '--workspace', path.join(place, 'workspace')]
  const code = await main(['run', file, 'How long is the Nile?', '--json', ...places], terminal)
  const lines = terminal.printed.trimEnd().split('\n')
  return { code, said: terminal.said, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status }) => `${name} ${status}`)

describe('the examples that search the web', { timeout: 30_000 }, () => {
  test('S1-08 researcher searches, reads pages and writes a report with its sources', async () => {
    const { code, events } = await play('researcher')
    expect([code, ends(events)]).toEqual([0, ['research.deep_search ok']])
    expect(all(events, 'completion.finished').map(({ purpose }) => purpose)).toEqual([
      'Search queries',
      'Report',
    ])
    expect(asked.sort()).toEqual(['/gone', '/more', '/nile', '/rivers'])
    const report = readFileSync(path.join(place, 'workspace/research/how-long-is-the-nile.md'), 'utf8')
    expect(report).toContain(`[1] About nile – ${origin()}/nile`)
    expect(report).toContain(`Not read: ${origin()}/gone`)
    expect(all(events, 'artifact.created').map(({ artifact }) => artifact.path)).toEqual([
      'research/how-long-is-the-nile.md',
    ])
    expect(search.asked.map(({ url }) => url.searchParams.get('q'))).toEqual([
      ...['How long is the Nile?', 'length of the Nile', 'longest river of the world'],
    ])
  })

  test('researcher-errs recovers from a wrong argument, an answer that is no JSON and a false citation', async () => {
    const { code, events } = await play('researcher-errs')
    expect([code, ends(events)]).toEqual([
      0,
      ['web.search error', 'web.search ok', 'research.deep_search ok'],
    ])
    expect(all(events, 'completion.finished').map(({ purpose }) => purpose)).toEqual([
      ...['Search queries', 'Search queries', 'Report'],
    ])
    const report = readFileSync(path.join(place, 'workspace/research/how-long-is-the-nile.md'), 'utf8')
    expect(report).toContain('The Nile is long [1], see (an address that was not read).')
  })

  test('without a web search the tools are withheld with the way to set one up', async () => {
    const { events, said } = await play('researcher', {})
    const { offered, withheld } = all(events, 'run.started')[0]?.tools ?? { offered: [], withheld: [] }
    expect(offered.map(({ name }) => name)).toEqual(['web.fetch'])
    expect(withheld.map(({ name }) => name)).toEqual(['research.deep_search', 'web.search'])
    expect(withheld[0]?.reason).toContain('Settings → Web search')
    expect(said).toContain('Web search')
    expect(ends(events)).toEqual(['research.deep_search error'])
  })
})
