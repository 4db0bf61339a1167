/** The strategy that runs reads together and everything else alone. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calls, collect, createRig, createTool, limiting, of, said, text } from './rig.fixture'

const auto = limiting({ strategy: 'auto', concurrency: 8 })

/**
 * Runs one step with these calls. Returns which bodies were at work when each began, and the results as the
 * model read them.
 */
async function ran(line: readonly { isWrite: boolean; ms: number }[]) {
  const atWork = new Set<string>()
  const beside: { id: string; others: string[] }[] = []
  const body = async ({ ms }: object & { ms?: unknown }, id: string, signal: AbortSignal) => {
    beside.push({ id, others: [...atWork] })
    atWork.add(id)
    await rig.clock.sleep(Number(ms), signal)
    atWork.delete(id)
    return said(`after ${String(ms)}`)
  }
  const tools = (['read', 'effect'] as const).map((effect) =>
    createTool(effect === 'read' ? 'look' : 'write', {
      effect,
      run: (args, { callId, signal }) => body(args, callId, signal),
    }),
  )
  const asked = line.map(({ isWrite, ms }) => ({ name: isWrite ? 'write' : 'look', args: { ms } }))
  const rig: ReturnType<typeof createRig> = createRig({
    play: [calls(...asked), text('ok')],
    tools,
    policies: [auto],
  })
  const events = await collect(rig.deps)
  const results = rig.model.requests[1]?.messages.flatMap((each) => (each.role === 'tool' ? [each.text] : []))
  return { beside, results, started: of(events, 'call.started').map(({ callId }) => callId) }
}

test('E-39 two writes never run beside each other, reads do, and the model reads results in call order', async () => {
  const line = [
    { isWrite: false, ms: 40 },
    { isWrite: false, ms: 10 },
    { isWrite: true, ms: 30 },
    { isWrite: true, ms: 5 },
    { isWrite: false, ms: 20 },
  ]
  const { beside, results } = await ran(line)
  expect(beside.map(({ others }) => others.length)).toEqual([0, 1, 0, 0, 0])
  expect(results).toEqual(['after 40', 'after 10', 'after 30', 'after 5', 'after 20'])
})

test('E-39 of any line of calls a write runs alone, and all begin in call order', async () => {
  const one = fc.record({ isWrite: fc.boolean(), ms: fc.constantFrom(0, 5, 20, 50) })
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 8 }), async (line) => {
      const { beside, results, started } = await ran(line)
      const isWrite = (id: string) => line[Number(id.split('_')[2]) - 1]?.isWrite === true
      for (const { id, others } of beside) {
        if (isWrite(id)) expect(others).toEqual([])
        else expect(others.some(isWrite)).toBe(false)
      }
      expect(started).toEqual(line.map((_, index) => `call_1_${index + 1}`))
      expect(results).toEqual(line.map(({ ms }) => `after ${ms}`))
    }),
    { numRuns: 60 },
  )
})
