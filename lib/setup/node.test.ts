/** Tests of the oldest Node that is accepted. */
import { expect, test } from 'vitest'
import { ensureNode } from './node.mjs'

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s will do', (version) => {
  expect(() => ensureNode(version)).not.toThrow()
})

test.each(['14.21.3', '18.20.0', '20.9.0', '20.18.9'])(
  'Node %s is refused in one sentence with a command',
  (version) => {
    expect(() => ensureNode(version)).toThrow(/^Node 20\.19 or newer is required.*run: nvm install 22$/)
  },
)
