import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { ask, wireTool } from './stand-in.fixture'

const tool = wireTool(
  'human_ask',
  'Asks the person.',
  { question: { type: 'string' }, choices: { type: 'array' }, form: { type: 'object' } },
  ['question'],
)

const plan = (choice: string, details: string) => {
  const asked: JsonObject[] = []
  const call = (_: string, args: JsonObject) => {
    asked.push(args)
    return { text: args.form === undefined ? choice : details, isError: false }
  }
  return { ...ask('Plan a birthday party.', { tools: [tool], call }), asked }
}

describe('a plan of the demo', () => {
  test('asks for a choice and for a form, and says both', () => {
    const { answer, asked } = plan('A picnic', '{"date":"2026-06-01","guests":12,"outdoors":true}')
    expect(asked.map(({ question }) => question)).toEqual([
      'What should the birthday party be?',
      'When is the birthday party, and how many guests do you expect?',
    ])
    expect(answer).toBe('The plan for the birthday party: A picnic on 2026-06-01, outdoors, for 12 guests.')
  })

  test('a declined question is said', () => {
    expect(plan('The question was declined.', '{}').answer).toMatch(/^I have no plan for the birthday party/)
  })
})
