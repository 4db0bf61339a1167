import { describe, expect, test } from 'vitest'
import type { PolicyEntry } from '#lib/spec/config'
import { matchesAny } from '#lib/spec/glob'
import {
  type CallPast,
  defaultLimits,
  type Limits,
  type PolicyQuestion,
  type Stage,
  stages,
  type ToolLimits,
} from '#lib/spec/policy'
import { bindPolicies } from './bind'
import { policies } from './index'
import { createTool } from './tool.fixture'

const tool = (scopeName: string) =>
  createTool({ name: `renamed_${scopeName}`, scopeName, risk: 'read', effect: 'read' })

function calling(name: string, past: Partial<CallPast> = {}, misfit?: string): PolicyQuestion {
  return {
    moment: 'call',
    tool: tool(name),
    callId: 'call_1_1',
    args: {},
    past: { failed: 0, started: 0, startedInStep: 0, begun: [], hasFiles: false, hadFiles: false, ...past },
    fits: () => misfit,
  }
}

/** The rulings on a call by the policies that cover its tool. */
function ruledOn(entries: PolicyEntry[], question: PolicyQuestion) {
  const name = question.tool.scopeName
  const bound = bindPolicies(entries, policies).filter(
    ({ appliesTo }) => appliesTo === undefined || matchesAny(appliesTo, name),
  )
  return stages.flatMap((stage) =>
    bound
      .filter((policy) => policy.stages.includes(stage))
      .flatMap((policy) => {
        const ruling = policy.rule(stage, question)
        return ruling === undefined ? [] : [{ ...ruling, node: policy.node }]
      }),
  )
}

/** The reason of the first denial of a tool, in the order of stages. */
function against(
  entries: PolicyEntry[],
  name: string,
  moment: 'offer' | 'call' = 'offer',
): string | undefined {
  const bound = bindPolicies(entries, policies)
  for (const stage of ['skills.deny', 'skills.allow'] satisfies Stage[]) {
    for (const policy of bound) {
      if (!policy.stages.includes(stage)) continue
      const question = moment === 'offer' ? { moment, tool: tool(name) } : calling(name)
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
    // The fastest of several rounds, because the machine may have been busy in the others.
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
  const limits: ToolLimits = { maxChars: none, timeoutSeconds: none, retries: [] }
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
  [
    'of several tool choices the last decides',
    [
      { use: 'tool-choice', choice: 'required' },
      { use: 'tool-choice', choice: { tool: 'sql.execute' } },
    ],
    { toolChoice: { tool: 'sql.execute' } },
  ],
  ['without a budget nothing is limited', [], { budget: { tokens: none, usd: none, seconds: none } }],
  [
    'of several budgets the smallest decides, each number for itself',
    [
      { use: 'budget', tokens: 500, usd: 2 },
      { use: 'budget', tokens: 900, usd: 1, seconds: 60, appliesTo: ['sql.*'] },
    ],
    { budget: { tokens: 500, usd: 1, seconds: 60 } },
  ],
])('%s', (_, entries, expected) => {
  expect(limitsOf(entries)).toMatchObject(expected)
})

test.each<[string, PolicyEntry[], Partial<ToolLimits>]>([
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
  [
    'S0-28 of several retries each adds its tries in order',
    [{ use: 'retry' }, { use: 'retry', max: 1, backoffMs: 5_000 }],
    {
      maxChars: none,
      timeoutSeconds: none,
      retries: [
        { max: 2, backoffMs: 500 },
        { max: 1, backoffMs: 5_000 },
      ],
    },
  ],
])('%s', (_, entries, expected) => {
  expect(toolLimitsOf(entries)).toEqual({ retries: [], ...expected })
})

test('an entry is bound by its path and carries its scope', () => {
  const bound = bindPolicies([{ use: 'steps' }, { use: 'results', appliesTo: ['sql.*'] }], policies)
  expect(bound.map(({ use, node, appliesTo }) => ({ use, node, appliesTo }))).toEqual([
    { use: 'steps', node: 'policies/0', appliesTo: undefined },
    { use: 'results', node: 'policies/1', appliesTo: ['sql.*'] },
    { use: 'repeat', node: 'agent', appliesTo: undefined },
  ])
})

test.each<[string, PolicyEntry]>([
  ['no policy is called "nonsense"', { use: 'nonsense' }],
  ['expected number', { use: 'steps', max: 'many' }],
])('an entry that no config could hold is a bug: %s', (message, entry) => {
  expect(() => bindPolicies([entry], policies)).toThrow(message)
})

describe('tool-choice', () => {
  test('none offers the tools all the same, and denies calls', () => {
    const entries = [{ use: 'tool-choice', choice: 'none' }]
    expect(against(entries, 'time.now')).toBeUndefined()
    expect(ruledOn(entries, calling('time.now'))).toMatchObject([{ verdict: 'deny', node: 'policies/0' }])
  })

  test('an earlier none is overruled by what comes last', () => {
    expect(ruledOn([{ use: 'tool-choice', choice: 'none' }, { use: 'tool-choice' }], calling('a'))).toEqual(
      [],
    )
  })

  test.each([['auto'], ['required'], [{ tool: 'other' }]])('%j denies nothing', (choice) => {
    expect(ruledOn([{ use: 'tool-choice', choice }], calling('time.now'))).toEqual([])
  })
})

describe('repeat (S3-23, E-33)', () => {
  const failed = (times: number, name = 'sql.execute') => calling(name, { failed: times })

  test('holds with three failures when nobody says so, in the name of the agent', () => {
    expect(ruledOn([], failed(2))).toEqual([])
    expect(ruledOn([], failed(3))).toMatchObject([
      {
        verdict: 'deny',
        node: 'agent',
        reason: expect.stringContaining('failed 3 times; change the arguments'),
      },
    ])
  })

  test('is what an entry says instead, also when that is more', () => {
    expect(ruledOn([{ use: 'repeat', limit: 5 }], failed(4))).toEqual([])
    expect(ruledOn([{ use: 'repeat', limit: 1 }], failed(1))).toMatchObject([
      { node: 'policies/0', reason: expect.stringContaining('failed once') },
    ])
  })

  test('an entry for some tools leaves the default to the others', () => {
    const entries = [{ use: 'repeat', limit: 5, appliesTo: ['sql.*'] }]
    expect(ruledOn(entries, failed(4))).toEqual([])
    expect(ruledOn(entries, failed(4, 'time.now'))).toMatchObject([{ node: 'agent' }])
  })

  test('of several the lowest decides', () => {
    const entries = [
      { use: 'repeat', limit: 5 },
      { use: 'repeat', limit: 2 },
    ]
    expect(ruledOn(entries, failed(2))).toMatchObject([{ node: 'policies/1' }])
  })
})

describe('budget', () => {
  const entries = [{ use: 'budget', calls: 5, callsPerStep: 2, appliesTo: ['sql.*'] }]

  test('ends the run at the call over it, and only leaves out the call over that of a step (S4-27)', () => {
    expect(ruledOn(entries, calling('sql.execute', { started: 4, startedInStep: 1 }))).toEqual([])
    expect(ruledOn(entries, calling('sql.execute', { started: 4, startedInStep: 2 }))).toEqual([
      { verdict: 'limit', reason: 'a step may make 2 calls, and this one has', node: 'policies/0' },
    ])
    expect(ruledOn(entries, calling('sql.execute', { started: 5, startedInStep: 2 }))).toEqual([
      { verdict: 'limit', reason: 'the budget of 5 calls is used up', ends: 'budget', node: 'policies/0' },
    ])
  })

  test('says nothing when tools are offered, or when it names no calls', () => {
    expect(against(entries, 'sql.execute')).toBeUndefined()
    expect(ruledOn([{ use: 'budget', tokens: 1 }], calling('a', { started: 9 }))).toEqual([])
  })

  test.each([['tokens'], ['usd'], ['seconds'], ['calls'], ['callsPerStep']])(
    '%s must be more than nothing',
    (key) => {
      expect(() => bindPolicies([{ use: 'budget', [key]: 0 }], policies)).toThrow()
    },
  )
})

test('arguments denies a call whose arguments do not fit its schema, and says why', () => {
  const entries = [{ use: 'arguments', schema: { type: 'object' }, appliesTo: ['sql.*'] }]
  expect(ruledOn(entries, calling('sql.execute'))).toEqual([])
  expect(ruledOn(entries, calling('time.now', {}, 'wrong'))).toEqual([])
  expect(ruledOn(entries, calling('sql.execute', {}, 'limit: is missing'))).toEqual([
    {
      verdict: 'deny',
      reason: 'its arguments do not fit the schema of the policy: limit: is missing',
      node: 'policies/0',
    },
  ])
})
