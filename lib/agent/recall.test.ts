import { describe, expect, test } from 'vitest'
import {
  calls,
  collect,
  createRig,
  createTool,
  limiting,
  of,
  replay,
  said,
  type ToolStandIn,
  text,
} from './rig.fixture'

/** Answers with how often it was asked. */
function counting(name: string, given: Parameters<typeof createTool>[1] = {}): ToolStandIn {
  const tool: ToolStandIn = createTool(name, { cache: true, ...given, run: () => said(`${tool.ran.length}`) })
  return tool
}

const one = { name: 'look', args: { a: 1, b: [2] } }
const same = { name: 'look', args: { b: [2], a: 1 } }
const other = { name: 'look', args: { a: 2 } }

describe('the cache of a run (S0-27)', () => {
  test('an equal call is answered from the first, and says so; any other runs', async () => {
    const look = counting('look')
    const { deps, model } = createRig({
      play: [calls(one, same, other), calls(one), text('ok')],
      tools: [look],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1', 'call_1_3'])
    const given = of(events, 'call.finished').map(({ result, cached, attempts }) => [
      result.text,
      cached,
      attempts,
    ])
    expect(given).toEqual([
      ['1', undefined, 1],
      ['1', true, 0],
      ['2', undefined, 1],
      ['1', true, 0],
    ])
    expect(of(events, 'call.started')).toHaveLength(2)
    expect(model.requests[1]?.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { text: '1' },
      { text: '1' },
      { text: '2' },
    ])
    expect(replay(events).calls.get('call_1_2')?.cached).toBe(true)
  })

  test('an equal call beside it waits for the first instead of running as well', async () => {
    const look = counting('look')
    const { deps } = createRig({
      play: [calls(one, same, one), text('ok')],
      tools: [look],
      policies: [limiting({ strategy: 'parallel', concurrency: 8 })],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1'])
    expect(of(events, 'call.finished').map(({ cached }) => cached)).toEqual([undefined, true, true])
  })

  test('what may change something makes all of it old', async () => {
    const look = counting('look')
    const write = createTool('write', { effect: 'effect', cache: true })
    const { deps } = createRig({
      play: [calls(one, 'write', one, 'write'), text('ok')],
      tools: [look, write],
    })
    await collect(deps)
    expect(look.ran).toEqual(['call_1_1', 'call_1_3'])
    expect(write.ran).toEqual(['call_1_2', 'call_1_4'])
  })

  test('failures are asked again, and so is all of a tool that is not to be cached', async () => {
    const fails: ToolStandIn = createTool('look', { cache: true, run: () => ({ ok: false, message: 'no' }) })
    const plain = createTool('plain')
    const { deps } = createRig({
      play: [calls(one, one, 'plain', 'plain'), text('ok')],
      tools: [fails, plain],
    })
    await collect(deps)
    expect(fails.ran).toHaveLength(2)
    expect(plain.ran).toHaveLength(2)
  })

  test('holds in a run that is taken up again', async () => {
    const look = counting('look')
    const given = { play: [calls(one), calls(one), text('ok')], tools: [look] }
    const events = await collect(createRig(given).deps)
    const cut = events.slice(0, events.findIndex(({ type }) => type === 'step.finished') + 1)
    const rest = await collect(createRig(given).deps, { state: replay(cut) })
    expect(of(rest, 'call.finished')).toMatchObject([{ cached: true, result: { text: '1' } }])
    expect(look.ran).toEqual(['call_1_1'])
  })
})
