import { expect, test } from 'vitest'
import { prepareFirstRun } from './first-run'

const scripted = { provider: 'scripted', name: 'demo' }
const slow = { paceMs: 40 }

test('only a scripted model without a pace of its own is slowed down, and only if a pace is wanted', () => {
  const prepare = (config: Parameters<typeof prepareFirstRun>[0]) => prepareFirstRun(config, slow)
  expect(prepare({ name: 'a', model: scripted })).toEqual({ name: 'a', model: { ...scripted, paceMs: 40 } })
  for (const model of [
    { ...scripted, paceMs: 0 },
    { provider: 'openai', name: 'gpt-5' },
  ])
    expect(prepare({ name: 'a', model })).toEqual({ name: 'a', model })
  expect(prepare({ name: 'a' })).toEqual({ name: 'a' })
  const config = { name: 'a', model: scripted }
  expect(prepareFirstRun(config, { paceMs: 0 })).toEqual(config)
  expect(prepareFirstRun(config, undefined)).toBe(config)
})

test('an agent that plays turns gets the question that they answer, unless it has one', () => {
  const prepare = (description: string) =>
    prepareFirstRun({ name: 'report-writer', description }, slow).description
  expect(prepare('It reads.')).toBe('It reads. Ask: Write a report on revenue by country.')
  expect(prepare('It reads. Ask: What?')).toBe('It reads. Ask: What?')
})
