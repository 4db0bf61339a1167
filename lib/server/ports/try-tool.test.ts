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
