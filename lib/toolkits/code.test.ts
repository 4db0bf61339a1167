import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { JavascriptAnswer, JavascriptRequest } from '#lib/spec/sandbox'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'
import type { GivenClass } from '#lib/spec/tool-class'
import { code } from './code'
import { openEntry } from './entry'

const entry = (more: JsonObject = {}) => ({
  ...code.settings.parse({ name: 'text.up', source: 'return 1', ...more }),
})

interface Told {
  readonly output: ToolOutput | undefined
  readonly asked: JavascriptRequest[]
  readonly progress: string[]
  readonly created: string[]
}

async function call(
  answer: JavascriptAnswer,
  args: JsonObject = {},
  preset: JsonObject = {},
  more: GivenClass = {},
): Promise<Told> {
  const asked: JavascriptRequest[] = []
  const progress: string[] = []
  const created: string[] = []
  const context: ToolContext = {
    callId: 'c',
    run: { id: null, agent: { id: null, name: 'tester' }, thread: null, step: 0 },
    signal: new AbortController().signal,
    now: () => 0,
    inLine: (_, wait) => wait(() => undefined),
    progress: (update) => void progress.push(String(update)),
    created: (artifact) => void created.push(artifact.name),
    ports: {
      ...closedPorts,
      files: {
        ...closedPorts.files,
        keep: async (path) =>
          path === 'lost'
            ? { ok: false, code: 'not_found', message: 'There is no file "lost".' }
            : { ok: true, value: { id: path, name: path, path, mediaType: 'text/plain', bytes: 1 } },
      },
      javascript: {
        async run(request) {
          asked.push(request)
          request.log('one\n')
          return answer
        },
      },
    },
  }
  const settings = { ...entry(), use: 'code', preset: { 'text.up': preset }, ...more }
  const opened = await openEntry({ toolkit: code, entry: settings, index: 0 }, { tools: [] })
  if (!opened.ok) throw new Error('the entry does not open')
  const [tool] = opened.value
  return { output: await tool?.run(args, context), asked, progress, created }
}

const given = (value: JavascriptAnswer & { ok: true }) => value

describe('a code entry', () => {
  it('S3-19 offers one tool as it says', async () => {
    const parameters = { type: 'object', properties: { text: { type: 'string' } } }
    const [tool] = await code.open(entry({ description: 'Shouts.', parameters }), { tools: [] })
    expect(tool).toMatchObject({
      name: 'text.up',
      description: 'Shouts.',
      risk: 'write',
      effect: 'effect',
      timeoutSeconds: 20,
      parameters,
    })
  })

  it('begins with an example that fits', () => {
    expect(code.settings.safeParse(code.initial).success).toBe(true)
  })

  it.each([
    { name: '' },
    { name: 'a b' },
    { name: 'a..b' },
    { name: '.a' },
    { name: 'x'.repeat(65) },
    { source: '' },
    { source: 'x'.repeat(262_145) },
    { language: 'ruby' },
    { parameters: {} },
    { parameters: { type: 'string' } },
    { parameters: { type: 'object', properties: { a: 5 } } },
    { parameters: { type: 'object', required: 'a' } },
  ])('is no entry with %j', (more) => {
    expect(code.settings.safeParse({ name: 'a', source: 'return 1', ...more }).success).toBe(false)
  })

  it.each([
    ['text as it is', 'a\nb', { type: 'text', text: 'a\nb' }],
    ['else JSON', { a: [1] }, { type: 'json', value: { a: [1] } }],
    ['null too', null, { type: 'json', value: null }],
    ['nothing in words', undefined, { type: 'text', text: '(no output)' }],
  ])('observes %s', async (_, value, block) => {
    const { output } = await call(given({ ok: true, value, written: [] }))
    expect(output).toEqual({ ok: true, blocks: [block] })
  })

  it('S4-13 gives its code the arguments, preset ones above all, and the thread’s files', async () => {
    const { asked } = await call(given({ ok: true, value: 1, written: [] }), { a: 1, b: 2 }, { b: 3 })
    expect(asked).toMatchObject([{ source: 'return 1', args: { a: 1, b: 3 } }])
  })

  it('S0-05 tells its code which run it works for', async () => {
    const { asked } = await call(given({ ok: true, value: 1, written: [] }))
    expect(asked[0]?.run).toEqual({ id: null, agent: { id: null, name: 'tester' }, thread: null, step: 0 })
  })

  it('S1-07 shows what is printed, and keeps the files it wrote', async () => {
    const { output, progress, created } = await call(
      given({ ok: true, value: 'x', written: ['a.txt', 'lost', 'b.txt'] }),
    )
    expect(progress).toEqual(['one\n'])
    expect(created).toEqual(['a.txt', 'b.txt'])
    expect(output).toMatchObject({
      blocks: [{ text: 'x' }, { text: '"lost" was not kept for download: There is no file "lost".' }],
    })
  })

  it('fails with the reason, and keeps what was written until then', async () => {
    const { output, created } = await call({
      ok: false,
      code: 'timeout',
      message: 'Too long.',
      written: ['a.txt'],
    })
    expect(output).toEqual({ ok: false, code: 'timeout', message: 'Too long.' })
    expect(created).toEqual(['a.txt'])
  })

  it('may write files, unless its entry says that it only reads: then no way to write is given to it', async () => {
    expect((await call(given({ ok: true, value: 1, written: [] }))).asked[0]?.files.write).toBeDefined()
    for (const more of [{ risk: 'read' }, { effect: 'read' }] as const) {
      const { asked } = await call(given({ ok: true, value: 1, written: [] }), {}, {}, more)
      expect(asked[0]?.files.write).toBeUndefined()
      expect(asked[0]?.files.read).toBeDefined()
    }
  })
})
