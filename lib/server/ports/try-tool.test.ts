import { expect, test } from 'vitest'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { Tool } from '#lib/spec/tool'
import { systemClock } from '../clock'
import { tryTool } from './try-tool'

test('T42 a secret that stands where a long message is cut is taken out whole', async () => {
  const secret = 'planted-secret-value'
  const tool: Tool = {
    name: 'breaks',
    label: 'Breaks',
    description: 'Breaks.',
    icon: 'wrench',
    risk: 'read',
    effect: 'read',
    timeoutSeconds: 5,
    parameters: { type: 'object' },
    run: async () => {
      throw new Error(`${'.'.repeat(990)}${secret}`)
    },
  }
  const tried = await tryTool(
    {
      tools: [tool],
      ports: closedPorts,
      clock: systemClock,
      redact: (text) => text.replaceAll(secret, '[secret]'),
    },
    { name: 'breaks', args: {}, signal: new AbortController().signal },
  )
  expect(tried.status).toBe('error')
  expect(JSON.stringify(tried)).not.toContain('planted')
})

test('arguments are checked in bounded time, whatever the schema of the tool', async () => {
  const tool: Tool = {
    name: 'slow',
    label: 'Slow',
    description: 'Has a pattern that takes for ever with most engines.',
    icon: 'wrench',
    risk: 'read',
    effect: 'read',
    timeoutSeconds: 5,
    parameters: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
    run: async () => ({ ok: true, blocks: [] }),
  }
  const context = { tools: [tool], ports: closedPorts, clock: systemClock, redact: (text: string) => text }
  const args = { text: `${'a'.repeat(40)}!` }
  const tried = tryTool(context, { name: 'slow', args, signal: new AbortController().signal })
  await expect(tried).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/^The arguments do not fit slow: /),
    detail: { path: 'args/text' },
  })
})
