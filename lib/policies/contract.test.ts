import { describe, expect, test } from 'vitest'
import { policyEntrySchema } from '#lib/spec/config'
import { toJsonSchema } from '#lib/spec/json'
import { defaultLimits, type Limits, stages } from '#lib/spec/policy'
import { policies } from './index'

test('no two policies share an id', () => {
  expect(new Set(policies.map((each) => each.id)).size).toBe(policies.length)
})

/** Settings without a default that a policy does without. */
const optional = new Set(['context.model', 'mcp.maxCalls'])

describe.each(policies.map((each) => [each.id, each] as const))('the policy %s', (_, policy) => {
  test('is labelled, and rules or limits', () => {
    for (const text of [policy.label, policy.help, policy.icon]) expect(text).not.toBe('')
    const does = [policy.rule, policy.limit, policy.limitTool, policy.hook]
    expect(does.some((each) => each !== undefined)).toBe(true)
    expect(policy.rule === undefined).toBe(policy.stages === undefined)
    for (const each of policy.stages ?? []) expect(stages).toContain(each)
    // A limit on the whole run cannot apply to some tools only; the budget documents which of its limits do.
    if (policy.scoped && policy.id !== 'budget') expect(policy.limit).toBeUndefined()
    if (policy.implied) expect(policy.settings.safeParse({}).success).toBe(true)
  })

  test('has settings that a form can show: each with a title, and a default unless it is required or may be left out', () => {
    const schema = toJsonSchema(policy.settings)
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      expect(property.title, key).toEqual(expect.any(String))
      expect(property.description, key).toEqual(expect.any(String))
      const mayBeLeftOut = policy.id === 'budget' || optional.has(`${policy.id}.${key}`)
      expect('default' in property || schema.required?.includes(key) || mayBeLeftOut, key).toBe(true)
    }
  })

  test('stands without settings when none is required, and refuses strange ones', () => {
    const schema = toJsonSchema(policy.settings)
    expect(policy.settings.safeParse({}).success).toBe((schema.required ?? []).length === 0)
    const entry = policyEntrySchema(policy)
    expect(entry.safeParse({ use: policy.id }).success).toBe((schema.required ?? []).length === 0)
    expect(entry.safeParse({ use: policy.id, stranger: 1 }).success).toBe(false)
    expect(entry.safeParse({ use: policy.id, appliesTo: ['a.*'] }).success).toBe(
      policy.scoped && (schema.required ?? []).length === 0,
    )
  })

  test('leaves the limits given to it alone but for its own keys', () => {
    const { data: settings } = policy.settings.safeParse({})
    if (settings === undefined) return
    const before: Limits = structuredClone({
      ...defaultLimits,
      toolChoice: 'auto',
      discovery: { over: 1, overTokens: 1, pin: [] },
    })
    const copy = structuredClone(before)
    policy.limit?.(settings, copy)
    expect(Object.keys(copy)).toEqual(Object.keys(before))
    const again = structuredClone(before)
    const { budget, history } = again
    policy.limit?.(settings, again)
    expect([budget, history], 'what is shared is replaced, not changed').toEqual([
      before.budget,
      before.history,
    ])
  })
})
