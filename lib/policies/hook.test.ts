import { describe, expect, test } from 'vitest'
import { policyEntrySchema } from '#lib/spec/config'
import { hook } from './hook'

const url = 'https://example.com/hook'
const entry = policyEntrySchema(hook)

describe('hook (S4-26)', () => {
  test.each(['', 'example.com', 'ftp://example.com', 'https://', 'https:///x', 'javascript:alert(1)'])(
    'the address %j is refused',
    (strange) => expect(entry.safeParse({ use: 'hook', url: strange }).success).toBe(false),
  )

  test('has an address, and asks before calls within 5 seconds unless told otherwise', () => {
    expect(entry.safeParse({ use: 'hook' }).success).toBe(false)
    const settings = hook.settings.parse({ url })
    expect(hook.hook?.(settings)).toEqual({
      on: 'pre_acting',
      url,
      headers: {},
      timeoutSeconds: 5,
      onFailure: 'deny',
    })
    expect(hook.says?.(settings)).toBe('example.com is asked before each call, within 5 seconds')
  })

  test('takes headers as they are or by the name of a secret, under names that headers have', () => {
    const headers = { 'x-a': 'plain', authorization: { secret: 'KEY' } }
    expect(hook.settings.parse({ url, headers }).headers).toEqual(headers)
    expect(hook.settings.safeParse({ url, headers: { 'x a': 'b' } }).success).toBe(false)
  })

  test('applies to single tools only where it is about calls', () => {
    for (const on of ['pre_acting', 'post_acting'])
      expect(entry.safeParse({ use: 'hook', url, on, appliesTo: ['a'] }).success).toBe(true)
    for (const on of ['pre_reply', 'post_reply', 'pre_reasoning', 'post_reasoning']) {
      const read = entry.safeParse({ use: 'hook', url, on, appliesTo: ['a'] })
      expect(read.error?.issues.map(({ path }) => path)).toEqual([['appliesTo']])
      expect(entry.safeParse({ use: 'hook', url, on }).success).toBe(true)
    }
  })
})
