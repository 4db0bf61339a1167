import { describe, expect, it } from 'vitest'
import type { NodeStatus } from '#components/run/node-status'
import type { Diagnostic } from '#lib/spec/errors'
import { cardState } from './card-state'
import type { Permit } from './permits'

const idle = { state: 'idle' } as const
const error: Diagnostic = { severity: 'error', code: 'x', message: 'No tool chosen' }
const warning: Diagnostic = { severity: 'warning', code: 'x', message: 'Names nothing' }

describe('the state of a card', () => {
  const cases = [
    {
      given: 'a person’s turn over everything',
      input: { status: { state: 'waiting' }, finding: error, isOff: true, isLoose: false },
      name: 'waiting',
    },
    {
      given: 'a fault before the group that is switched off',
      input: { status: idle, finding: error, isOff: false, isInactive: true, isLoose: false },
      name: 'fault',
    },
    {
      given: 'a group that is switched off before what the run withheld',
      input: {
        status: { state: 'withheld', figure: '2 withheld' },
        finding: warning,
        isOff: false,
        isInactive: true,
        isLoose: false,
      },
      name: 'inactive',
    },
    {
      given: 'work over a fault',
      input: {
        status: { state: 'working', strap: 'sql: SELECT', since: 5 },
        finding: error,
        isOff: false,
        isLoose: false,
      },
      name: 'working',
    },
    {
      given: 'an error of the run over one of the drawing',
      input: {
        status: { state: 'error', strap: 'no such table' },
        finding: warning,
        isOff: false,
        isLoose: false,
      },
      name: 'error',
    },
    {
      given: 'a denial over a diagnostic',
      input: {
        status: { state: 'denied', strap: 'skills denies it' },
        finding: error,
        isOff: false,
        isLoose: false,
      },
      name: 'denied',
    },
    {
      given: 'a diagnostic over ok',
      input: { status: { state: 'ok', figure: '4×' }, finding: error, isOff: false, isLoose: false },
      name: 'fault',
    },
    {
      given: 'a warning over ok',
      input: { status: { state: 'ok' }, finding: warning, isOff: false, isLoose: false },
      name: 'warning',
    },
    {
      given: 'off, whatever the drawing lacks',
      input: { status: idle, finding: error, isOff: true, isLoose: false },
      name: 'off',
    },
    {
      given: 'loose before a warning',
      input: { status: idle, finding: warning, isOff: false, isLoose: true },
      name: 'loose',
    },
    {
      given: 'nothing',
      input: { status: idle, finding: undefined, isOff: false, isLoose: false },
      name: 'idle',
    },
  ] as const

  for (const { given, input, name } of cases) {
    it(`shows ${given}`, () => {
      expect(cardState(input).name).toBe(name)
    })
  }

  it('says a fault in the words of its diagnostic', () => {
    expect(cardState({ status: idle, finding: error, isOff: false, isLoose: false }).strap).toBe(
      'No tool chosen',
    )
  })

  it('shows before a run what the policies allow, and after it what the run says', () => {
    const permit: Permit = { offered: 1, withheld: 0, asks: 0, reason: undefined }
    const shown = (given: Partial<Permit>, status: NodeStatus = { state: 'idle' }) =>
      cardState({
        status,
        finding: undefined,
        isOff: false,
        isLoose: false,
        permit: { ...permit, ...given },
      })
    expect(shown({})).toEqual({ name: 'idle' })
    expect(shown({ asks: 1 })).toMatchObject({ name: 'asks', word: 'asks first' })
    expect(shown({ offered: 0, withheld: 2, reason: 'Denied.' })).toEqual({
      name: 'withheld',
      word: 'withheld',
      detail: 'Denied.',
    })
    expect(shown({ offered: 2, withheld: 1 })).toMatchObject({ name: 'withheld', word: '1 withheld' })
    expect(shown({ asks: 1 }, { state: 'ok', figure: '41 ms' })).toMatchObject({ name: 'ok' })
  })
})
