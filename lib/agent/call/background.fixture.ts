/** For tests of calls in the background: tools that wait by the clock of the rig. */
import type { Message } from '#lib/spec/message'
import type { ToolContext } from '#lib/spec/tool'
import type { Clock } from '../deps'
import { createRig, createTool, type Given, said } from '../rig.fixture'

/** A rig whose tools can wait by its clock. */
export function rig(given: (wait: (ms: number, context: ToolContext) => Promise<void>) => Given) {
  let clock: Clock | undefined
  const wait = async (ms: number, { signal }: ToolContext) => clock?.sleep(ms, signal)
  const made = createRig(given(wait))
  clock = made.clock
  return made
}

/** A tool in the background that takes this long. */
export const slow = (
  wait: (ms: number, context: ToolContext) => Promise<void>,
  ms: number,
  given: Parameters<typeof createTool>[1] = {},
) =>
  createTool('slow', {
    background: true,
    timeoutSeconds: 60,
    node: 'tools/1',
    ...given,
    run: async (args, context) => {
      await wait(ms, context)
      return said(`found ${JSON.stringify(args)}`)
    },
  })

export const texts = (messages: readonly Message[]) =>
  messages.map((each) => (each.role === 'assistant' ? each.parts : each.text))
