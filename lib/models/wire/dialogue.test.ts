import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import { dialogueWriter } from './dialogue'

/** The text of a message depends on all messages before it, as the ids of results do; some texts are empty. */
function textsFrom(messages: readonly Message[], from: number): string[] {
  return messages.slice(from).map((message, index) => {
    if (message.role !== 'user' || message.text === 'empty') return ''
    const before = messages.slice(0, from + index).map((each) => (each.role === 'user' ? each.text : ''))
    return `<${[...before, message.text].join('>')}>`
  })
}

const pool: readonly Message[] = ['a', 'b', 'c', 'empty', 'd'].map((text) => ({ role: 'user', text }))
const dialogues = fc.array(fc.array(fc.nat({ max: pool.length - 1 }), { maxLength: 8 }), { maxLength: 12 })

test('a writer that has seen other dialogues writes the same as a new one', () => {
  fc.assert(
    fc.property(dialogues, (lists) => {
      const write = dialogueWriter(textsFrom)
      for (const list of lists) {
        const messages = list.flatMap((at) => pool[at] ?? [])
        const texts = textsFrom(messages, 0)
        const joined = texts.filter((each) => each !== '').join(',')
        expect(write(messages)).toEqual({ texts, joined })
      }
    }),
  )
})

test('a message is written once while the dialogue grows, and again for a different beginning', () => {
  const written: number[] = []
  const write = dialogueWriter((messages, from) => {
    written.push(messages.length - from)
    return textsFrom(messages, from)
  })
  write(pool.slice(0, 2))
  write(pool.slice(0, 4))
  write(pool)
  write([...pool.slice(0, 1), ...pool.slice(2)])
  expect(written).toEqual([2, 2, 1, 3])
})
