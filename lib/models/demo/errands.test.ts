import { describe, expect, test } from 'vitest'
import { ask, wireTool } from './stand-in.fixture'

const code = wireTool('javascript_run', 'Runs JavaScript.', { code: { type: 'string' } }, ['code'])
const create = wireTool(
  'files_create',
  'Writes a file.',
  { path: { type: 'string' }, content: { type: 'string' } },
  ['path', 'content'],
)

describe('errands of the demo', () => {
  test.each([
    ['What is the 50th Fibonacci number?', 'Fibonacci number 50 is 12586269025.'],
    ['And the 1st Fibonacci number', 'Fibonacci number 1 is 1.'],
    [
      'How many Fridays the 13th are there from 2020 to 2030?',
      'From 2020 to 2030 there are 18 Fridays the 13th.',
    ],
  ])('%s', (question, answer) => {
    const call = (_: string, args: { code?: unknown }) => ({
      text: String(new Function(String(args.code))()),
      isError: false,
    })
    expect(ask(question, { tools: [code], call }).answer).toBe(answer)
  })

  test('a file is written with the text in quotes', () => {
    const written: unknown[] = []
    const call = (name: string, args: object) => {
      written.push([name, args])
      return { text: 'Created a.md (4 bytes).', isError: false }
    }
    const question = 'Write a file "notes/a.md" with the text "Milk, bread."'
    expect(ask(question, { tools: [create], call }).answer).toBe('I wrote "Milk, bread." into notes/a.md.')
    expect(written).toEqual([['files_create', { path: 'notes/a.md', content: 'Milk, bread.' }]])
  })

  test('what a tool refuses is said', () => {
    const call = () => ({ text: 'exists already', isError: true })
    expect(ask('Write a file "a.md" with the text "B."', { tools: [create], call }).answer).toContain(
      'was not written',
    )
    expect(ask('What is the 50th Fibonacci number?', { tools: [code], call }).answer).toContain('failed')
  })
})
