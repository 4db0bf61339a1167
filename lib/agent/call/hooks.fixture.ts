/** For tests of hooks: the real policies, the loop's rig, and a program behind a real port. */
import { afterEach } from 'vitest'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import { type HookStandIn, openHook, type Played } from '#lib/server/ports/hooks.fixture'
import type { RunEvent } from '#lib/spec/event'
import type { HookMoment } from '#lib/spec/hook'
import type { JsonObject } from '#lib/spec/json'
import { calls, createRig, createTool, type Given, of, said, type Turn } from '../rig.fixture'

/** The program of the current test; it is closed after each test. */
export const program: { stand?: HookStandIn | undefined } = {}

export function closeAfterEach(): void {
  afterEach(async () => {
    await program.stand?.close()
    program.stand = undefined
  })
}

interface Entry {
  on?: HookMoment
  path?: string
  [key: string]: unknown
}

interface Staged extends Omit<Given, 'policies'> {
  readonly hooks: readonly Entry[]
  readonly answer: (asked: JsonObject & { path: string }, index: number) => Played
  readonly more?: readonly { use: string; [key: string]: unknown }[]
}

/** A rig whose hooks ask the program. The first rig of a test sets the program's answers. */
export async function stage({ hooks, answer, more = [], deps, ...given }: Staged) {
  program.stand ??= await openHook(answer)
  const { url, hooks: portOf } = program.stand
  const entries = hooks.map(({ path = '/', ...each }) => ({ use: 'hook', url: `${url}${path}`, ...each }))
  const bound = bindPolicies([...entries, ...more], policies)
  return createRig({ ...given, policies: bound, deps: { ...deps, hooks: portOf('run_1') } })
}

export function send(run = (args: JsonObject) => said(`sent ${JSON.stringify(args)}`)) {
  const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
  return createTool('send', { effect: 'effect', parameters, run })
}

export function asks(to: string): Turn {
  return calls({ name: 'send', args: { to } })
}

export function called(events: readonly RunEvent[]) {
  return of(events, 'hook.called')
}
