import { expect, test } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import { rowsOf } from './rows'
import { answered, begin, record, requested, runFinished, stepFinished, stepStarted } from './run.fixture'
import { unmadeCallOf } from './unmade-call'

/** A run with these tools, in which the model answers only with this text. */
function runOf(
  text: string,
  names: readonly string[] = ['math.calculate', 'search'],
  input = 'What is 2 + 2?',
) {
  const offered = names.map((name, index) => ({ name, node: `tools/${index}` }))
  const start = { ...begin, input, tools: { offered, withheld: [] } } as EventBody // cast: still a complete start
  const { state } = record(
    start,
    stepStarted,
    requested,
    answered({ text }),
    stepFinished,
    runFinished('completed', text),
  )
  return { ...state, start: { ...state.start, input } }
}

test.each([
  ['I will use math_calculate to add them.', 'math_calculate'],
  ['I will use `math.calculate`.', 'math.calculate'],
  ['math_calculate(expression="2+2")', 'math_calculate'],
  ['search("Berlin")', 'search'],
  ['{"name": "search", "arguments": {"q": "Berlin"}}', 'search'],
  ['Thought: I must look.\nAction: search\nAction Input: Berlin', 'search'],
])('%j names a call that was not made', (text, expected) => {
  expect(unmadeCallOf(runOf(text))).toBe(expected)
})

test.each([
  ['It is 4.'],
  ['I did a search and found nothing.'],
  ['The variable my_math_calculate2 is not a tool.'],
  ['See math.calculate.example.com for more.'],
])('%j names no call', (text) => {
  expect(unmadeCallOf(runOf(text))).toBeUndefined()
})

test('an answer that lists several tools, or one that the question names, only talks about them', () => {
  const names = ['math.calculate', 'sql.execute']
  expect(unmadeCallOf(runOf('I can use math.calculate and sql.execute.', names))).toBeUndefined()
  expect(
    unmadeCallOf(runOf('math.calculate evaluates a sum.', names, 'What does math.calculate do?')),
  ).toBeUndefined()
})

test('a run that called a tool, or was offered none, has no such note', () => {
  const text = 'I will use math_calculate.'
  expect(unmadeCallOf(runOf(text, []))).toBeUndefined()
  const called = runOf(text)
  called.steps[0]?.calls.push({ name: 'search' } as never) // cast: only its existence counts
  expect(unmadeCallOf(called)).toBeUndefined()
})

test('the note is the last row of the trace', () => {
  expect(rowsOf(runOf('I will use math_calculate.'), new Set()).at(-1)).toMatchObject({
    kind: 'notice',
    title: 'It wrote about math_calculate but called nothing.',
    isModelTest: true,
  })
})
