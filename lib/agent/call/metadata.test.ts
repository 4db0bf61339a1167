/** Metadata of a tool: kept in the trace, never sent to the model. */
import { expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { ToolOutput } from '#lib/spec/tool'
import { keepForFork } from '../fork/fork'
import { calls, collect, createPolicy, createRig, createTool, of, replay, text } from '../rig.fixture'
import { closeAfterEach, stage } from './hooks.fixture'

closeAfterEach()

const giving = (metadata: JsonObject, rest: Partial<ToolOutput> = {}) =>
  createTool('look', {
    run: () => ({ ok: true, blocks: [{ type: 'text', text: 'seen' }], metadata, ...rest }) as ToolOutput, // cast: a tool may return this
  })

test('S4-19 metadata is absent from the next request, and stands in the trace', async () => {
  const metadata = { status: 200, url: 'https://example.org/a' }
  const { deps, model } = createRig({ play: [calls('look'), text('ok')], tools: [giving(metadata)] })
  const events = await collect(deps)
  expect(of(events, 'call.finished')).toMatchObject([{ metadata, result: { text: 'seen' } }])
  expect(replay(events).calls.get('call_1_1')?.metadata).toEqual(metadata)
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(model.requests[1])).not.toMatch(/metadata|example\.org/)
})

test('S4-19 a refusal may carry it as well', async () => {
  const refusing = createTool('look', {
    run: () => ({ ok: false, message: 'no', metadata: { status: 404 } }),
  })
  const { deps, model } = createRig({ play: [calls('look'), text('ok')], tools: [refusing] })
  expect(of(await collect(deps), 'call.finished')).toMatchObject([
    { status: 'error', metadata: { status: 404 } },
  ])
  expect(JSON.stringify(model.requests[1])).not.toContain('404')
})

test('S4-19 what is hidden in observations is hidden in it too', async () => {
  const masks = [{ isByLine: true, mask: (given: string) => given.replaceAll('a@b.c', '[email]') }]
  const { deps } = createRig({
    play: [calls('look'), text('ok')],
    tools: [giving({ from: 'a@b.c', key: 'sk-1', list: [{ to: 'a@b.c' }] })],
    policies: [
      createPolicy('mask', 'policies/1', { limitTool: (all) => void Object.assign(all, { masks }) }),
    ],
  })
  const events = await collect({ ...deps, redact: (given) => given.replaceAll('sk-1', '[secret]') })
  expect(of(events, 'call.finished')).toMatchObject([
    { metadata: { from: '[email]', key: '[secret]', list: [{ to: '[email]' }] } },
  ])
})

test('S4-19 a result that a hook withholds has none', async () => {
  const rig = await stage({
    hooks: [{ on: 'post_acting' }],
    answer: () => ({ decision: 'deny', reason: 'it names people' }),
    play: [calls('look'), text('ok')],
    tools: [giving({ names: 'Ann' })],
  })
  const [finished] = of(await collect(rig.deps), 'call.finished')
  expect(finished).toMatchObject({ status: 'error', code: 'withheld' })
  expect(finished).not.toHaveProperty('metadata')
})

test.each([
  ['no object', 'words'],
  ['a list', [1]],
  ['nothing at all', {}],
  ['a circle', circle()],
])('S4-19 %s is no metadata, and the result stands', async (_, given) => {
  const { deps } = createRig({
    play: [calls('look'), text('ok')],
    tools: [giving({}, { metadata: given as JsonObject })], // cast: a tool that breaks its contract
  })
  const [finished] = of(await collect(deps), 'call.finished')
  expect(finished).toMatchObject({ status: 'ok', result: { text: 'seen' } })
  expect(finished).not.toHaveProperty('metadata')
})

test('S4-19 what would make an event heavy is left out, and says so', async () => {
  const { deps } = createRig({
    play: [calls('look'), text('ok')],
    tools: [giving({ page: 'x'.repeat(100_000) })],
  })
  const [finished] = of(await collect(deps), 'call.finished')
  expect(finished?.metadata).toEqual({ left_out: '100011 characters of metadata' })
})

test('S4-19 an observation that a person wrote in a fork has none of the tool’s', async () => {
  const { deps } = createRig({ play: [calls('look'), text('ok')], tools: [giving({ status: 200 })] })
  const events = await collect(deps)
  const kept = keepForFork(events, { step: 1, edit: { callId: 'call_1_1', result: 'mine' } })
  const finished = of(kept.ok ? [...kept.value] : [], 'call.finished')
  expect(finished).toMatchObject([{ edited: true, result: { text: 'mine' } }])
  expect(finished[0]).not.toHaveProperty('metadata')
})

function circle(): object {
  const made: Record<string, unknown> = {}
  made.self = made
  return made
}
