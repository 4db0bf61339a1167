import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { took } from '#lib/spec/took.fixture'
import { expressionsIn } from './arithmetic'
import { shop } from './samples.fixture'
import { ask, databaseTools, type StandIn, wireTool } from './stand-in.fixture'

const calculate = wireTool(
  'math_calculate',
  'Evaluates one expression.',
  { expression: { type: 'string' } },
  ['expression'],
)
const now = wireTool(
  'time_now',
  'Gives the current date and time.',
  { timezone: { type: 'string', default: 'UTC' } },
  [],
)

function withBodies(tools: StandIn['tools'], bodies: Record<string, (args: JsonObject) => string>): StandIn {
  return {
    tools,
    call: (name, args) => ({
      text: bodies[name]?.(args) ?? 'Error: no such tool',
      isError: bodies[name] === undefined,
    }),
  }
}

const both = withBodies([calculate, now], {
  math_calculate: ({ expression }) =>
    expression === '12.5 / 100 * 840' ? '105' : expression === '3 * (4 + 5)' ? '27' : '6',
  time_now: ({ timezone = 'UTC' }) =>
    JSON.stringify({ now: '2025-01-02T03:04:05Z', weekday: 'Thursday', timezone }),
})

test.each<[string, string[]]>([
  ['What is 12.5% of 840?', ['12.5 / 100 * 840']],
  ['3*(4+5)', ['3 * (4 + 5)']],
  ['What is 3 * (4 + 5)?', ['3 * (4 + 5)']],
  ['2 plus 2', ['2 + 2']],
  ['How much is 1,200 divided by 4?', ['1200 / 4']],
  ['What is 7 × 8 and 9 ÷ 3?', ['7 * 8', '9 / 3']],
  ['-3 + 4.', ['- 3 + 4']],
  ['2**10', ['2 ^ 10']],
  ['100 + 10%', ['100 + (10 / 100)']],
  ['What is (17 + 4) * 3?', ['(17 + 4) * 3']],
  ['How much is 15 percent of 2,480?', ['15 / 100 * 2480']],
  ['What is 2 + 2 (quickly)?', ['2 + 2']],
  ['10 minus -3', ['10 - - 3']],
  ['Revenue between 2023-01-01 and 2023-06-30', []],
  ['sales 2022-2023', []],
  ['Top 5 products in 2024', []],
  ['( ( ( + 3', []],
  ['hello', []],
])('arithmetic in "%s"', (question, expected) => {
  expect(expressionsIn(question)).toEqual(expected)
})

test('parentheses without end are no reason to go deep or slow', () => {
  const ms = took(() => {
    expect(expressionsIn(`${'('.repeat(2_000)}1`)).toEqual([])
    expect(expressionsIn(`1${' + 1'.repeat(5_000)}`)).toHaveLength(1)
  })
  expect(ms).toBeLessThan(1_000)
})

describe('questions one call answers', () => {
  test('arithmetic is worked out by the tool and told as an equation', () => {
    const { answer, turns } = ask('What is 12.5% of 840?', both)
    expect(turns[0]?.calls).toEqual([{ name: 'math_calculate', args: { expression: '12.5 / 100 * 840' } }])
    expect(answer).toBe('12.5 / 100 * 840 = 105')
  })

  test('several go out in one step', () => {
    const { answer, turns } = ask('What is 12.5% of 840 and 3*(4+5), and what time is it in New York?', both)
    expect(turns).toHaveLength(2)
    expect(turns[0]?.calls?.map((each) => each.args)).toEqual([
      { expression: '12.5 / 100 * 840' },
      { expression: '3 * (4 + 5)' },
      { timezone: 'America/New_York' },
    ])
    expect(answer).toBe(
      '12.5 / 100 * 840 = 105\n3 * (4 + 5) = 27\nIt is Thursday, 2025-01-02, 03:04:05 (America/New_York).',
    )
  })

  test('a refusal is told in the tool’s words', () => {
    const refusing = { tools: [calculate], call: () => ({ text: 'Error: not today', isError: true }) }
    expect(ask('1 + 1', refusing).answer).toContain('math_calculate refused, saying: Error: not today')
  })
})

describe('other questions', () => {
  const weather = wireTool('get_weather', 'Current weather of a city.', { city: { type: 'string' } }, [
    'city',
  ])
  const send = wireTool(
    'send_mail',
    'Sends a message to a person.',
    { to: { type: 'string' }, body: { type: 'string' }, copies: { type: 'integer' } },
    ['to', 'body', 'copies'],
  )
  const kit = withBodies([weather, send], {
    get_weather: ({ city }) => `Rain in ${city}`,
    send_mail: (args) => JSON.stringify(args),
  })

  test('go to the closest tool with what the question gives', () => {
    expect(ask('What is the weather in New York?', kit).answer).toBe('get_weather says:\nRain in New York')
    expect(ask('Send mail to "Ada" saying "hello" in 2 copies', kit).turns[0]?.calls).toEqual([
      { name: 'send_mail', args: { to: 'Ada', body: 'hello', copies: 2 } },
    ])
  })

  test('beside a database too, when they name the tool', () => {
    const data = databaseTools(shop)
    const together: StandIn = {
      tools: [...data.tools, weather],
      call: (name, args) => (name === 'get_weather' ? kit.call(name, args) : data.call(name, args)),
    }
    expect(ask('How is the weather in Paris?', together).answer).toContain('Rain in Paris')
    expect(ask('How many customers are in Paris?', together).answer).toContain(
      'There are 1 customers'.replace('are', 'is'),
    )
  })

  test('call nothing when a required argument is missing, and say what is offered', () => {
    const { answer, turns } = ask('Please send mail', kit)
    expect(turns).toHaveLength(1)
    expect(answer).toMatch(
      /None of my rules fits that\. I am a scripted demo, no AI.*Current weather of a city\. Sends a message/,
    )
  })

  test.each(['', 'Hello!', 'What can you do?', 'Who are you?'])(
    '"%s" is answered with what it is and can do',
    (question) => {
      const { answer } = ask(question, {
        tools: [calculate, ...databaseTools(shop).tools],
        call: () => ({ text: '', isError: true }),
      })
      expect(answer).toContain('no AI')
      expect(answer).toContain('database')
      expect(answer).toContain('arithmetic')
    },
  )

  test('without tools it says so', () => {
    expect(
      ask('How many customers?', { tools: [], call: () => ({ text: '', isError: true }) }).answer,
    ).toContain('No tools are offered to me')
  })
})

test('asked to end without tools, it sums up what came back', () => {
  const { messages } = ask('Which country brought the most revenue?', databaseTools(shop), { most: 3 })
  const hint = { role: 'user' as const, text: 'Answer now as well as you can.' }
  const { answer } = ask(
    hint.text,
    { tools: [], call: () => ({ text: '', isError: true }) },
    { history: messages },
  )
  expect(answer).toContain('I had to stop before the end.')
  expect(answer).toContain('- 2 rows: Germany 902, France 650.5')
})
