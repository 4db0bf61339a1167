import { expect, test } from 'vitest'
import { drawing, node } from '#lib/graph/drawings.fixture'
import { noSecrets } from '../ports/hooks'
import { createCatalog } from './catalog'
import { createCompiling } from './compiling'

const compiling = createCompiling({
  catalog: createCatalog('test'),
  available: () => ({
    databases: [],
    hasMcpServer: () => false,
    hasCollection: () => false,
    lackOf: () => undefined,
    priceOf: () => undefined,
    open: noSecrets,
  }),
})

function compiled(config: Record<string, never[] | string[]>) {
  const drawn = drawing([node('a', 'agent', { name: 'a' }), node('m', 'policy:mask', config)], [['m', 'a']])
  return compiling.compile(drawn)
}

test('S1-32 a pattern that is none is an error on its node, with its place, and nothing compiles', () => {
  const { config, text, diagnostics } = compiled({ patterns: ['fine', '(a'] })
  expect([config, text]).toEqual([null, null])
  expect(diagnostics[0]).toMatchObject({
    severity: 'error',
    code: 'invalid_value',
    node: 'm',
    path: 'policies/0/patterns/1',
    message: expect.stringContaining('missing closing )'),
  })
  expect(compiled({ patterns: ['x*'] }).diagnostics[0]?.message).toContain('matches empty text')
  expect(compiled({ patterns: ['fine'] }).config).not.toBeNull()
})

test('S4-26 a hook that is no matter of single tools can not be wired to one', () => {
  const wired = (on: string) =>
    compiling.compile(
      drawing(
        [
          node('a', 'agent', { name: 'a' }),
          node('t', 'tool:builtin', { tools: ['time.now'] }),
          node('h', 'policy:hook', { on, url: 'https://example.com/' }),
        ],
        [
          ['t', 'a'],
          ['h', 't'],
        ],
      ),
    )
  expect(wired('pre_reply').diagnostics[0]).toMatchObject({
    severity: 'error',
    node: 'h',
    path: 'policies/0/appliesTo',
    message: expect.stringContaining('Wire it to the agent'),
  })
  expect(wired('post_acting').config).toMatchObject({ policies: [{ use: 'hook', appliesTo: ['time.now'] }] })
})
