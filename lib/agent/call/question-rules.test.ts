import { describe, expect, test } from 'vitest'
import { faultOfReply, refusalOf, secretFields } from './question-rules'

const form = (properties: object) => ({ type: 'object', properties }) as never // cast: JSON by construction

describe('fields that seem to ask for a secret', () => {
  test.each<[string, object, boolean]>([
    ['password', { type: 'string' }, true],
    ['userPassword', { type: 'string' }, true],
    ['pass-phrase', { type: 'string' }, true],
    ['apiKey', { type: 'string' }, true],
    ['API_KEY', {}, true],
    ['access_token', { type: 'string' }, true],
    ['token', { type: 'string' }, true],
    ['clientSecret', { type: 'string' }, true],
    ['privateKey', { type: 'string' }, true],
    ['credentials', { type: 'object' }, true],
    ['pin', { type: 'string' }, true],
    ['x', { type: 'string', title: 'Your API key' }, true],
    ['x', { type: 'string', format: 'password' }, true],
    ['x', { type: 'string', writeOnly: true }, true],
    ['max_tokens', { type: 'integer' }, false],
    ['usePassword', { type: 'boolean' }, false],
    ['tokens', { type: 'string' }, false],
    ['spinner', { type: 'string' }, false],
    ['key', { type: 'string' }, false],
    ['compass', { type: 'string' }, false],
    ['name', { type: 'string', title: 'Your name' }, false],
  ])('%s %j: %s', (name, field, isSecret) => {
    expect(secretFields(form({ [name]: field }))).toEqual(isSecret ? [name] : [])
  })

  test('are found inside other fields', () => {
    const inner = { type: 'object', properties: { token: { type: 'string' } } }
    expect(secretFields(form({ login: inner }))).toEqual(['token'])
    expect(secretFields(form({ logins: { type: 'array', items: inner } }))).toEqual(['token'])
  })

  test('are named in the reason, and no schema at all is fine', () => {
    const schema = form({ user: { type: 'string' }, password: { type: 'string' }, token: { type: 'string' } })
    expect(refusalOf({ from: 'server', server: 'shop', schema })).toMatch(
      /^The server shop asked for "password" and "token"\. A secret is never asked for/,
    )
    expect(refusalOf({ from: 'tool' })).toBeUndefined()
    expect(secretFields(form([]))).toEqual([])
  })
})

test.each([
  ['https://example.com/sign-in?state=1', true],
  ['http://127.0.0.1:3000/', true],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['data:text/html,hello', false],
  ['not an address', false],
])('the address %s may be shown: %s', (url, may) => {
  expect(refusalOf({ from: 'server', server: 'shop', url }) === undefined).toBe(may)
})

describe('a reply', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, guests: { type: 'integer' } },
    required: ['name'],
  }
  test.each([
    ['a text answers a question', {}, { action: 'answer', text: 'Lisbon' }, undefined],
    ['an empty text does not', {}, { action: 'answer', text: ' ' }, /^Write an answer/],
    ['another text than a choice does', { choices: ['a', 'b'] }, { action: 'answer', text: 'c' }, undefined],
    ['no text answers a question about an address', { url: 'https://a.b/' }, { action: 'answer' }, undefined],
    ['a text answers no form', { schema }, { action: 'answer', text: 'Ada' }, /has a form/],
    ['values answer no question without a form', {}, { action: 'answer', values: {} }, /has no form/],
    ['values that fit answer a form', { schema }, { action: 'answer', values: { name: 'Ada' } }, undefined],
    [
      'values that do not fit name the field',
      { schema },
      { action: 'answer', values: { guests: 1 } },
      /"name" is missing/,
    ],
    ['a decline needs nothing', { schema }, { action: 'decline' }, undefined],
    ['a cancel needs nothing', {}, { action: 'cancel' }, undefined],
  ] as const)('%s', (_, asked, reply, fault) => {
    const found = faultOfReply(asked as never, reply)?.message // cast: the table holds only what matters here
    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(fault)
  })
})
