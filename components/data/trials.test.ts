import { expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { argsOfCall, toolHref } from './trials'

const started = (args: { readonly n: number }, parent?: string) =>
  ({
    ...{ type: 'call.started', callId: 'c1', name: 'math.calculate', args, source: 'builtin' },
    ...(parent !== undefined && { parent }),
  }) as unknown as RunEvent // cast: only these fields of an event are read here

test('the arguments of a call inside another are not those of the run’s own call with the same id', () => {
  const events = [started({ n: 1 }, 'a1'), started({ n: 2 }, 'a1/b1'), started({ n: 3 })]
  expect(argsOfCall(events, 'c1')).toEqual({ n: 3 })
  expect(argsOfCall(events, 'a1/c1')).toEqual({ n: 1 })
  expect(argsOfCall(events, 'a1/b1/c1')).toEqual({ n: 2 })
  expect(argsOfCall(events, 'a2/c1')).toBeNull()
})

test('a tool is opened with the place of a call in its run', () => {
  expect(toolHref('agent_1', 'math.calculate', { runId: 'run_1', path: 'a1/c1' })).toBe(
    '/agents/agent_1/tools/math.calculate?run=run_1&call=a1%2Fc1',
  )
})
