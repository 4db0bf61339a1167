import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { Block } from '#lib/spec/message'
import type { Mask } from '#lib/spec/policy'
import { closedPorts } from '#lib/spec/ports.fixture'
import { calls, collect, createPolicy, createRig, createTool, fresh, of, text } from '../rig.fixture'
import { run } from '../run'

function masking(word: string, becomes: string, { isByLine = true, appliesTo = ['*'] } = {}) {
  const mask: Mask = { mask: (given) => given.replaceAll(word, becomes), isByLine }
  return createPolicy('mask', 'policies/0', {
    appliesTo,
    limitTool: (limits) => void Object.assign(limits, { masks: [...(limits.masks ?? []), mask] }),
  })
}

const blocks: Block[] = [
  { type: 'text', text: 'it is 4711' },
  { type: 'json', value: { 4711: ['4711', 4711, { deep: 'x4711x' }], n: 12, ok: true, none: null } },
  { type: 'table', columns: ['a', 'col 4711'], rows: [['4711', 4711, null]] },
  { type: 'image', artifact: 'art_4711' },
]

describe('what a mask finds is in nothing that is told (S1-32)', () => {
  test('of text, JSON and tables, numbers as well; keys stay', async () => {
    const look = createTool('look', { run: () => ({ ok: true, blocks }) })
    const { deps, model } = createRig({
      play: [calls('look'), text('ok')],
      tools: [look],
      policies: [masking('4711', '[card]')],
    })
    const [finished] = of(await collect(deps), 'call.finished')
    expect(finished?.result.blocks).toEqual([
      { type: 'text', text: 'it is [card]' },
      {
        type: 'json',
        value: { 4711: ['[card]', '[card]', { deep: 'x[card]x' }], n: 12, ok: true, none: null },
      },
      { type: 'table', columns: ['a', 'col [card]'], rows: [['[card]', '[card]', null]] },
      { type: 'image', artifact: 'art_4711' },
    ])
    const observed = model.requests[1]?.messages.at(-1)
    expect(observed).toMatchObject({ role: 'tool', text: finished?.result.text })
    expect(finished?.result.text).toContain('it is [card]')
  })

  test('by several in order, after known secrets, and only where it applies', async () => {
    const run = () => ({ ok: true, blocks: [{ type: 'text', text: 'sesame a' }] }) as const
    const { deps } = createRig({
      play: [calls('look', 'other'), text('ok')],
      tools: [createTool('look', { run }), createTool('other', { run })],
      policies: [
        masking('[secret]', 'b', { appliesTo: ['look'] }),
        masking('b', 'c', { appliesTo: ['look'] }),
      ],
      deps: { redact: (given) => given.replaceAll('sesame', '[secret]') },
    })
    const finished = of(await collect(deps), 'call.finished')
    expect(finished.map((event) => event.result.text)).toEqual(['c a', '[secret] a'])
  })

  test('nor in refusals, in what a bug says, or in the file kept of a long observation', async () => {
    const kept: unknown[] = []
    const artifacts = {
      ...closedPorts.artifacts,
      keep: async (file: { content: unknown }) => {
        kept.push(file.content)
        return undefined
      },
    }
    const { deps } = createRig({
      play: [calls('no', 'bug', 'long'), text('ok')],
      tools: [
        createTool('no', { run: () => ({ ok: false, message: 'no 4711' }) }),
        createTool('bug', {
          run: () => {
            throw new Error('broke at 4711')
          },
        }),
        createTool('long', {
          run: () => ({ ok: true, blocks: [{ type: 'text', text: '4711 '.repeat(5_000) }] }),
        }),
      ],
      policies: [masking('4711', '[x]')],
      deps: { ports: { ...closedPorts, artifacts } },
    })
    expect(JSON.stringify(await collect(deps))).not.toContain('4711')
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('4711')
  })
})

describe('what a body shows at work (S1-32)', () => {
  const endless = 'goes on for ever'
  const slow = (...shown: (string | Block[])[]) =>
    createTool('slow', {
      async run(_, { progress, signal }) {
        for (const each of shown) if (each !== endless) progress(each)
        if (!shown.includes(endless)) return { ok: true, blocks: [] }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
        return { ok: true, blocks: [] }
      },
      timeoutSeconds: 1,
    })
  const shownBy = async (policy: ReturnType<typeof masking>, ...shown: (string | Block[])[]) => {
    const rig = createRig({ play: [calls('slow'), text('ok')], tools: [slow(...shown)], policies: [policy] })
    const events = await collect(rig.deps)
    expect(JSON.stringify(events)).not.toContain('4711')
    return { told: of(events, 'call.progressed'), finished: of(events, 'call.finished')[0] }
  }

  test('is told line by line, since a part of what is to be hidden would not be known as one', async () => {
    const shown = ['a 47', '11 b\n', 'c 4', '711\nd 47', '11']
    const { told } = await shownBy(masking('4711', '[x]'), ...shown)
    expect(told.map((each) => each.text).join('')).toBe('a [x] b\nc [x]\nd [x]')
  })

  test.each([true, false])(
    'leaves out the line in which a tool ran out of time, and says so: by line %s',
    async (isByLine) => {
      const shown = ['a 47', '11 b\n', 'c 4', '711\nd 47', endless]
      const { told, finished } = await shownBy(masking('4711', '[x]', { isByLine }), ...shown)
      const all = told.map((each) => each.text).join('')
      expect(all).toMatch(/^a \[x\] b\nc \[x\]\n\(the last line was cut off and is left out/)
      expect(all).not.toContain('47')
      expect(finished?.result.text).toContain('a [x] b\nc [x]\n(the last line')
    },
  )

  test.each([
    ['throws', () => Promise.reject(new Error('stopped'))],
    [
      'tells that its own time is up',
      async () => ({ ok: false, code: 'timeout', message: 'too late' }) as const,
    ],
  ])('leaves it out as well where the tool %s', async (_, end) => {
    const tool = createTool('slow', {
      run: (_args, { progress }) => {
        progress('c 4711\nd 47')
        return end()
      },
    })
    const rig = createRig({
      play: [calls('slow'), text('ok')],
      tools: [tool],
      policies: [masking('4711', '[x]')],
    })
    const events = await collect(rig.deps)
    expect(JSON.stringify(events)).not.toContain('d 47')
    expect(JSON.stringify(rig.model.requests)).not.toContain('d 47')
  })

  test('leaves it out as well where the run is cancelled, also when the tool then tells so itself', async () => {
    const tool = createTool('slow', {
      async run(_, { progress, signal }) {
        progress('c 4711\nd 47')
        await new Promise((done) => signal.addEventListener('abort', done))
        return { ok: false, message: 'It was stopped.' }
      },
    })
    const rig = createRig({
      play: [calls('slow'), text('ok')],
      tools: [tool],
      policies: [masking('4711', '[x]')],
    })
    const stop = new AbortController()
    const events: RunEvent[] = []
    for await (const event of run(fresh(), rig.deps, stop.signal)) {
      events.push(event)
      if (event.type === 'call.progressed') stop.abort('cancel')
    }
    expect(of(events, 'run.finished')).toMatchObject([{ status: 'cancelled' }])
    expect(JSON.stringify(events)).not.toContain('d 47')
  })

  test('is told at its end where a mask may find what goes on in another line', async () => {
    const policy = masking('47\n11', '[x]', { isByLine: false })
    const { told } = await shownBy(policy, 'a 47\n', '11 b\n')
    expect(told.map((each) => each.text)).toEqual(['a [x] b\n'])
  })

  test('is replaced by blocks with what had not been told', async () => {
    const { told } = await shownBy(masking('4711', '[x]'), '47', [{ type: 'text', text: '4711' }], 'end')
    expect(told.map(({ text: words, blocks: given }) => given ?? words)).toEqual([
      [{ type: 'text', text: '[x]' }],
      'end',
    ])
  })
})
