import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { InputQuestion } from '#lib/spec/input'
import {
  callOf,
  closeAll,
  connect,
  misbehaving,
  namesIn,
  never,
  npmServer,
  one,
  settingsOf,
} from './servers.fixture'

afterEach(closeAll)

describe('real servers over stdio', () => {
  test('S4-15 three servers of npm connect side by side, list their tools and answer', async () => {
    const place = temporaryFolder()
    const servers = settingsOf({
      everything: npmServer('server-everything'),
      files: npmServer('server-filesystem', place.folder),
      memory: {
        ...npmServer('server-memory'),
        env: { MEMORY_FILE_PATH: path.join(place.folder, 'memory.json') },
      },
    })
    const connections = connect({ servers })
    await connections.connect(['everything', 'files', 'memory'], never)
    expect(namesIn(connections.listing('everything'))).toContain('echo')
    expect(namesIn(connections.listing('files'))).toContain('read_text_file')
    expect(namesIn(connections.listing('memory'))).toContain('create_entities')
    const echo = await connections.call(
      callOf('echo', { server: 'everything', args: { message: 'hello' } }),
      never,
    )
    expect(echo).toMatchObject({
      ok: true,
      blocks: [{ type: 'text', text: 'Echo: hello' }],
      metadata: { server: 'everything' },
    })
    const wrong = await connections.call(
      callOf('read_text_file', { server: 'files', args: { path: '/etc/passwd' } }),
      never,
    )
    expect(wrong).toMatchObject({ ok: false, code: 'mcp_error', message: expect.stringContaining('denied') })
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
    await connections.call(callOf('create_entities', { server: 'memory', args: { entities } }), never)
    const graph = await connections.call(callOf('read_graph', { server: 'memory' }), never)
    expect(graph).toMatchObject({ ok: true, blocks: [{ type: 'json', value: { entities } }] })
    expect(new Set(servers.reports.map(({ name, report }) => `${name} ${report.state}`))).toEqual(
      new Set(['everything ready', 'files ready', 'memory ready']),
    )
    place.remove()
  })
})

describe('servers that fail', () => {
  test('S1-04 of three servers the one in the middle is down: the others are connected, and it says why', async () => {
    const servers = settingsOf({
      first: misbehaving(),
      middle: misbehaving('--exit-at-start'),
      last: misbehaving(),
    })
    const connections = connect({ servers })
    await connections.connect(['first', 'middle', 'last'], never)
    expect(namesIn(connections.listing('first'))).toContain('echo')
    expect(namesIn(connections.listing('last'))).toContain('echo')
    expect(connections.listing('middle')).toMatchObject({
      tools: [],
      withheld: [
        {
          name: '*',
          reason: expect.stringMatching(
            /not available: It ended with exit code 3. It printed: Missing GITHUB_TOKEN/,
          ),
        },
      ],
    })
  })

  test('E-52 a server that does not answer is waited for only so long, and the others are there', async () => {
    const servers = settingsOf({ silent: misbehaving('--silent'), good: misbehaving() })
    const connections = connect({ servers, times: { start: 1_500, connect: 3_000 } })
    const began = performance.now()
    await connections.connect(['silent', 'good'], never)
    expect(performance.now() - began).toBeLessThan(2_900)
    expect(namesIn(connections.listing('good'))).toContain('echo')
    expect(namesIn(connections.listing('silent'))).toEqual([])
    await expect
      .poll(() => connections.listing('silent')?.withheld)
      .toMatchObject([{ reason: expect.stringContaining('did not answer within 3 seconds') }])
  })

  test('a program that does not exist is named', async () => {
    const connections = connect({ servers: settingsOf({ one: { command: '/no/such/program', args: [] } }) })
    const tested = await connections.test('one', never)
    expect(tested).toMatchObject({ ok: false, message: expect.stringContaining('ENOENT') })
  })

  test('E-51 L20 when a server dies in mid-call, all calls settle, each was sent once, and it comes back', async () => {
    const { connections, log } = await one()
    const calls = await Promise.all([
      connections.call(callOf('hang'), never),
      connections.call(callOf('hang'), never),
      connections.call(callOf('die'), never),
    ])
    for (const each of calls) expect(each).toMatchObject({ ok: false, code: 'mcp_disconnected' })
    expect(calls[0]).toMatchObject({ message: expect.stringContaining('exit code 9') })
    expect(calls[0]).toMatchObject({ message: expect.stringContaining('It is connected again.') })
    expect(JSON.stringify(calls)).not.toContain('sk-planted-secret')
    expect(namesIn(connections.listing('one'))).toContain('echo')
    expect(await connections.call(callOf('echo', { args: { a: 1 } }), never)).toMatchObject({ ok: true })
    expect(log().filter((line) => line.startsWith('tools/call'))).toEqual([
      'tools/call hang',
      'tools/call hang',
      'tools/call die',
      'tools/call echo',
    ])
  })

  test('a server that dies again and again is restarted three times, and no more', async () => {
    const { connections, log } = await one([], { restarts: [0, 10, 20], retry: [60_000] })
    for (let round = 0; round < 4; round++)
      expect(await connections.call(callOf('die'), never)).toMatchObject({ code: 'mcp_disconnected' })
    expect(connections.listing('one')).toMatchObject({ tools: [] })
    expect(await connections.call(callOf('echo'), never)).toMatchObject({
      ok: false,
      code: 'mcp_disconnected',
      message: expect.stringContaining('was not sent'),
    })
    expect(log().filter((line) => line.startsWith('start'))).toHaveLength(4)
  })

  test('L20 noise, broken lines and floods on standard output do not disturb a call', async () => {
    const { connections } = await one(['--noise'])
    expect(await connections.call(callOf('halfjson'), never)).toMatchObject({
      ok: true,
      blocks: [{ text: 'after bad lines' }],
    })
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    expect(await connections.call(callOf('flood'), never)).toMatchObject({
      ok: true,
      blocks: [{ text: 'after the flood' }],
    })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(20)
  })

  test('L20 an answer of 10 MB is one clear observation, and the next call succeeds', async () => {
    const { connections } = await one()
    const big = await connections.call(callOf('big', { args: { bytes: 10_000_000 } }), never)
    expect(big).toEqual({
      ok: false,
      code: 'too_large',
      message: 'The server sent a message of more than 5 MiB, which was not read.',
    })
    expect(await connections.call(callOf('big', { args: { bytes: 4_000_000 } }), never)).toMatchObject({
      ok: true,
    })
  })

  test('T41 an answer that is nested 20,000 levels deep fails alone', async () => {
    const { connections } = await one()
    expect(await connections.call(callOf('deep'), never)).toMatchObject({
      ok: false,
      message: expect.stringContaining('nested too deeply'),
    })
    expect(await connections.call(callOf('echo'), never)).toMatchObject({ ok: true })
  })

  test('T39 keys that could reach a prototype are removed from a result', async () => {
    const { connections } = await one()
    expect(await connections.call(callOf('proto'), never)).toMatchObject({
      ok: true,
      blocks: [{ text: 'ok' }, { type: 'json', value: { a: 1 } }],
    })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('after a failure a server is left alone for a while, and a test tries it at once', async () => {
    const { connections, log } = await one(['--exit-at-start'])
    const starts = () => log().filter((line) => line.startsWith('start')).length
    const before = starts()
    await connections.connect(['one'], never)
    expect(starts()).toBe(before)
    await connections.test('one', never)
    expect(starts()).toBeGreaterThan(before)
  })
})

describe('calls', () => {
  test('E-53 a call that is stopped ends at once, and the server is told', async () => {
    const { connections, log } = await one()
    const stop = new AbortController()
    const calling = connections.call(callOf('hang'), stop.signal)
    setTimeout(() => stop.abort('cancel'), 50)
    const began = performance.now()
    expect(await calling).toMatchObject({ ok: false, code: 'aborted' })
    expect(performance.now() - began).toBeLessThan(1_000)
    await expect.poll(log).toContain('notifications/cancelled')
  })

  test('progress is shown as it comes', async () => {
    const { connections } = await one()
    const shown: string[] = []
    await connections.call(callOf('progress', { onProgress: (text) => shown.push(text) }), never)
    expect(shown[0]).toBe('1 of 3: part 1\n')
    expect(shown.at(-1)).toBe('3 of 3: part 3\n')
  })

  test('E-54 an error of a tool is an error of the call', async () => {
    const { connections } = await one()
    expect(await connections.call(callOf('fail'), never)).toMatchObject({
      ok: false,
      code: 'mcp_error',
      message: 'The disk is full.',
    })
  })

  test('S4-16 E-58 every kind of content becomes a block or a file, and an unknown one a warning', async () => {
    const { connections } = await one()
    const kept: string[] = []
    const keep = async ({
      name,
      mediaType,
      content,
    }: {
      name: string
      mediaType: string
      content: Uint8Array
    }) => {
      kept.push(`${name} ${mediaType} ${content.length}`)
      return { id: `kept-${kept.length}`, name, path: null, mediaType, bytes: content.length }
    }
    const output = await connections.call(callOf('kinds', { keep }), never)
    expect(kept).toEqual([
      'kinds-image.png image/png 8',
      'kinds-audio audio/wav 4',
      'b.bin application/x-b 3',
    ])
    expect(output).toMatchObject({
      ok: true,
      blocks: [
        { type: 'text', text: 'a text' },
        { type: 'image', artifact: 'kept-1' },
        { type: 'text', text: 'File kept for the user: kinds-audio, audio/wav, 4 bytes.' },
        { type: 'text', text: 'Resource notes (text/markdown): file:///notes.md' },
        { type: 'text', text: 'Resource demo://a:\ninside' },
        { type: 'text', text: 'File kept for the user: b.bin, application/x-b, 3 bytes.' },
      ],
      metadata: { warnings: ['Content of the kind "hologram" was left out.'] },
    })
  })

  test('E-54 a structured result replaces the text that repeats it', async () => {
    const { connections } = await one()
    expect(await connections.call(callOf('structured'), never)).toMatchObject({
      ok: true,
      blocks: [{ type: 'json', value: { a: 1, b: 2 } }],
    })
  })

  test('a question of a server reaches the person, and the reply the server', async () => {
    const { connections } = await one()
    const asked: InputQuestion[] = []
    const ask = async (question: InputQuestion) => {
      asked.push(question)
      return { action: 'answer' as const, values: { colour: 'green' } }
    }
    const output = await connections.call(callOf('ask', { ask }), never)
    expect(asked).toMatchObject([
      { from: 'server', server: 'one', question: 'Which colour?', schema: { required: ['colour'] } },
    ])
    expect(output).toMatchObject({
      ok: true,
      blocks: [{ type: 'text', text: '{"action":"accept","content":{"colour":"green"}}' }],
    })
  })

  test('where nobody can be asked, the question is cancelled', async () => {
    const { connections } = await one()
    expect(await connections.call(callOf('ask'), never)).toMatchObject({
      ok: true,
      blocks: [{ type: 'text', text: '{"action":"cancel"}' }],
    })
  })

  test('a call of a server that has no name in the settings is refused', async () => {
    const { connections } = await one()
    expect(await connections.call(callOf('echo', { server: 'other' }), never)).toMatchObject({
      ok: false,
      code: 'mcp_unknown',
    })
    expect(connections.listing('other')).toBeUndefined()
  })
})
