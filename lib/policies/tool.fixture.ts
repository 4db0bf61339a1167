/** A tool for tests of policies. */
import type { BoundTool } from '#lib/spec/toolkit'

export function createTool(given: Partial<BoundTool> = {}): BoundTool {
  return {
    name: 'mail.send',
    scopeName: 'mail.send',
    node: 'tools/0',
    source: 'builtin',
    description: '',
    parameters: {},
    risk: 'write',
    effect: 'effect',
    timeoutSeconds: 30,
    run: async () => ({ ok: true, blocks: [] }),
    ...given,
  }
}
