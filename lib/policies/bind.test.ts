import { describe, expect, test } from 'vitest'
import type { PolicyEntry } from '#lib/spec/config'
import { defaultLimits, type Limits, type Stage, type ToolLimits } from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'
import { bindPolicies } from './bind'
import { policies } from './index'

const tool = (scopeName: string): BoundTool => ({
  name: `renamed_${scopeName}`,
  scopeName,
  node: 'tools/0',
  source: 'builtin',
  description: '',
  parameters: {},
  risk: 'read',
  effect: 'read',
  timeoutSeconds: 30,
  run: async () => ({ ok: true, blocks: [] }),
})

/** The reason against a tool, asked in the order of stages; the first denial stands. */
function against(
  entries: PolicyEntry[],
  name: string,
  moment: 'offer' | 'call' = 'offer',
): string | undefined {
  const bound = bindPolicies(entries, policies)
  for (const stage of ['skills.deny', 'skills.allow'] satisfies Stage[]) {
    for (const policy of bound) {
      if (!policy.stages.includes(stage)) continue
      const question =
        moment === 'offer'
          ? { moment, tool: tool(name) }
          : { moment, tool: tool(name), callId: 'call_1_1', args: {} }
      const ruling = policy.rule(stage, question)
      if (ruling !== undefined) return ruling.reason
    }
  }
  return undefined
}

const skills = (allow: string[], deny: string[] = []): PolicyEntry => ({ use: 'skills', allow, deny })

describe('skills', () => {
  test.each<[string, PolicyEntry[], string, string | undefined]>([
    ['S3-05 nothing said allows all', [skills([])], 'shell.run', undefined],
    ['S3-05 a denial hides what it names', [skills([], ['shell.*'])], 'shell.run', 'skills denies shell.*'],
    ['S3-05 a denial leaves the rest', [skills([], ['shell.*'])], 'math.calculate', undefined],
    [
      'S3-05 allowing some leaves out the others',
      [skills(['math.*'])],
      'shell.run',
      'skills allows only math.*',
    ],
    ['S3-05 allowing some allows them', [skills(['math.*'])], 'math.calculate', undefined],
    [
      'S3-05 a denial beats an allowance',
      [skills(['shell.*'], ['shell.run'])],
      'shell.run',
      'skills denies shell.run',
    ],
    [
      'S3-05 an unknown name in a list changes nothing for others',
      [skills(['no.such', 'time.now'])],
      'time.now',
      undefined,
    ],
    [
      'several allowances intersect',
      [skills(['a.*', 'b.x']), skills(['b.*'])],
      'a.x',
      'skills allows only b.*',
    ],
    ['several allowances leave what all allow', [skills(['a.*', 'b.x']), skills(['b.*'])], 'b.x', undefined],
    ['several denials unite', [skills([], ['a.*']), skills([], ['b.*'])], 'b.x', 'skills denies b.*'],
    [
      'a denial in one beats an allowance in another',
      [skills(['a.*']), skills([], ['a.x'])],
      'a.x',
      'skills denies a.x',
    ],
    [
      'a long list is not repeated whole',
      [skills(['a', 'b', 'c', 'd', 'e', 'f', 'g'])],
      'x',
      'skills allows only a, b, c, d, e and 2 more',
    ],
  ])('%s', (_, entries, name, reason) => {
    expect(against(entries, name)).toBe(reason)
    expect(against(entries, name, 'call'), 'S3-06 the same when the call is about to run').toBe(reason)
  })

  test('S3-07 a hundred tools are filtered in under a millisecond', () => {
    const [bound] = bindPolicies([skills(['a*', 'b*', 'c*'], ['*x', '*y'])], policies)
    const tools = Array.from({ length: 100 }, (_, index) => tool(`a.${index}`))
    const filter = () => {
      for (const each of tools)
        for (const stage of bound?.stages ?? []) bound?.rule(stage, { moment: 'offer', tool: each })
    }
    for (let round = 0; round < 50; round++) filter()
    const rounds = Array.from({ length: 20 }, () => {
      const started = performance.now()
      filter()
      return performance.now() - started
    })
    // The best of several: the others may have met a busy machine.
    expect(Math.min(...rounds)).toBeLessThan(1)
  })
})

const none = Number.POSITIVE_INFINITY

function limitsOf(entries: PolicyEntry[]): Limits {
  const limits: Limits = { ...defaultLimits, maxSteps: none }
  for (const each of bindPolicies(entries, policies)) each.limit(limits)
  return limits
}

function toolLimitsOf(entries: PolicyEntry[]): ToolLimits {
  const limits: ToolLimits = { maxChars: none, timeoutSeconds: none }
  for (const each of bindPolicies(entries, policies)) each.limitTool(limits)
  return limits
}

test.each<[string, PolicyEntry[], Partial<Limits>]>([
  [
    'S3-09 without settings, ten steps and a summary',
    [{ use: 'steps' }],
    { maxSteps: 10, onLimit: 'summarize' },
  ],
  ['S3-09 more than the default may be allowed', [{ use: 'steps', max: 50 }], { maxSteps: 50 }],
  [
    'of several the smallest decides, with its own ending',
    [
      { use: 'steps', max: 20, onLimit: 'error' },
      { use: 'steps', max: 3, onLimit: 'return_partial' },
      { use: 'steps', max: 9 },
    ],
    { maxSteps: 3, onLimit: 'return_partial' },
  ],
  [
    'of equals the first decides',
    [
      { use: 'steps', max: 3, onLimit: 'error' },
      { use: 'steps', max: 3 },
    ],
    { maxSteps: 3, onLimit: 'error' },
  ],
  [
    'of several executions the last decides',
    [
      { use: 'execution', strategy: 'parallel', concurrency: 2 },
      { use: 'execution', strategy: 'parallel', concurrency: 5 },
      { use: 'execution' },
    ],
    { strategy: 'sequential', concurrency: 8 },
  ],
])('%s', (_, entries, expected) => {
  expect(limitsOf(entries)).toMatchObject(expected)
})

test.each<[string, PolicyEntry[], ToolLimits]>([
  [
    'S3-13 without settings, ten thousand characters',
    [{ use: 'results' }],
    { maxChars: 10_000, timeoutSeconds: none },
  ],
  ['without settings, thirty seconds', [{ use: 'timeout' }], { maxChars: none, timeoutSeconds: 30 }],
  [
    'of several results the smallest decides',
    [
      { use: 'results', maxChars: 50_000 },
      { use: 'results', maxChars: 20_000 },
    ],
    { maxChars: 20_000, timeoutSeconds: none },
  ],
  [
    'of several time-outs the smallest decides',
    [
      { use: 'timeout', seconds: 5 },
      { use: 'timeout', seconds: 90 },
    ],
    { maxChars: none, timeoutSeconds: 5 },
  ],
])('%s', (_, entries, expected) => {
  expect(toolLimitsOf(entries)).toEqual(expected)
})

test('an entry is bound by its path and carries its scope', () => {
  const bound = bindPolicies([{ use: 'steps' }, { use: 'results', appliesTo: ['sql.*'] }], policies)
  expect(bound.map(({ use, node, appliesTo }) => ({ use, node, appliesTo }))).toEqual([
    { use: 'steps', node: 'policies/0', appliesTo: undefined },
    { use: 'results', node: 'policies/1', appliesTo: ['sql.*'] },
  ])
})

test.each<[string, PolicyEntry]>([
  ['no policy is called "nonsense"', { use: 'nonsense' }],
  ['expected number', { use: 'steps', max: 'many' }],
])('an entry that no config could hold is a bug: %s', (message, entry) => {
  expect(() => bindPolicies([entry], policies)).toThrow(message)
})
