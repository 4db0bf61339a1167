/** The policy `risk`: which tools it hides or asks about. */
import { expect, test } from 'vitest'
import type { Risk } from '#lib/spec/tool'
import { risk } from './risk'
import { createTool } from './tool.fixture'

const verdictOn = (its: Risk, given: object) =>
  risk.rule?.(risk.settings.parse(given), 'risk', { moment: 'offer', tool: createTool({ risk: its }) })
    ?.verdict

test.each([
  ['read', [undefined, 'deny', 'deny']],
  ['write', [undefined, undefined, 'deny']],
  ['admin', [undefined, undefined, undefined]],
] as const)('a limit of %s denies only tools above it', (max, verdicts) => {
  expect((['read', 'write', 'admin'] as const).map((its) => verdictOn(its, { max }))).toEqual(verdicts)
})

test('with "confirm", a person is asked about a tool above the limit', () => {
  expect(verdictOn('write', { max: 'read', confirm: true })).toBe('confirm')
  expect(verdictOn('read', { max: 'read', confirm: true })).toBeUndefined()
})
