import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import { unpaired } from '../rig.fixture'
import { dropRepeatedWireIds, pair, renumber } from './pairing'

const user: Message = { role: 'user', text: 'q' }

function asking(...ids: string[]): Message {
  const parts = ids.map((id) => ({ type: 'call' as const, id, name: 'look', rawArgs: '{}', args: {} }))
  return { role: 'assistant', parts: [{ type: 'text', text: 'hm' }, ...parts] }
}

function result(callId: string): Message {
  return { role: 'tool', callId, name: 'look', text: `of ${callId}`, isError: false }
}

const message = fc.oneof(
  fc.constant(user),
  fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }).map((ids) => asking(...ids)),
  fc.constantFrom('a', 'b', 'c', 'd').map(result),
)
const dialogue = fc.array(message, { maxLength: 30 })

describe('pairing', () => {
  test('makes any dialogue one that a provider takes, and changes nothing in one that is (F16, E-34)', () => {
    fc.assert(
      fc.property(dialogue, (messages) => {
        const paired = renumber(pair(messages))
        expect(unpaired(paired)).toEqual([])
        const again = pair(paired)
        expect(again.length === paired.length && again.every((each, index) => each === paired[index])).toBe(
          true,
        )
      }),
      { numRuns: 1_000 },
    )
  }, 30_000)

  test('finds results by id wherever they stand, and puts them in call order', () => {
    const messages = [user, asking('a', 'b'), user, result('b'), result('a'), result('a'), result('z')]
    expect(pair(messages)).toEqual([user, asking('a', 'b'), result('a'), result('b'), user])
  })

  test('patches every dangling call, not only the last one (E-26)', () => {
    const paired = pair([asking('a'), asking('b', 'c'), result('c'), user])
    expect(unpaired(paired)).toEqual([])
    expect(paired.filter((each) => each.role === 'tool' && each.isError)).toHaveLength(2)
  })

  test('tells apart ids that several runs of a thread used alike', () => {
    const messages = [user, asking('a'), result('a'), user, asking('a'), result('a')]
    expect(pair(messages)).toEqual(messages)
    expect(unpaired(renumber(messages))).toEqual([])
  })

  test('leaves messages their identity, so that each is encoded once', () => {
    const messages = [user, asking('a'), result('a')]
    const sent = dropRepeatedWireIds(pair(messages), new Set())
    for (const [index, each] of sent.entries()) expect(each).toBe(messages[index])
  })
})
