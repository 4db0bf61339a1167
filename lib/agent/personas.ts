/** Who makes a call, as people read it: by the agent's own rules, or as the model named the tools of this run. */
import type { EventBody } from '#lib/spec/event'
import { globMatcher } from '#lib/spec/glob'
import type { PersonaRules } from '#lib/spec/persona'
import type { RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'

/** The name that the agent's own rules give a tool. */
export function fixedPersona(
  { names }: PersonaRules,
  { scopeName, name }: Pick<BoundTool, 'scopeName' | 'name'>,
): string | undefined {
  const exact = names.find(([pattern]) => pattern === scopeName || pattern === name)
  const found = exact ?? names.find(([pattern]) => [scopeName, name].some(globMatcher(pattern)))
  return found?.[1]
}

interface Naming {
  readonly state: Pick<RunState, 'personas'>
  readonly personas: PersonaRules | undefined
  /** The offered tool with this name. */
  tool(name: string): BoundTool | undefined
}

/** The events of a call, with the name of who makes it. */
export function withPersona(body: EventBody, { state, personas, tool }: Naming): EventBody {
  if (personas === undefined || !isOfCall(body)) return body
  const found = tool(body.type === 'approval.requested' ? body.tool : body.name)
  const persona = found && (fixedPersona(personas, found) ?? state.personas?.[found.name])
  return persona === undefined ? body : { ...body, persona }
}

type WithPersona = Extract<EventBody, { type: 'call.started' | 'call.finished' | 'approval.requested' }>

/** Whether such events say who makes the call. */
function isOfCall(body: EventBody): body is WithPersona {
  return body.type === 'call.started' || body.type === 'call.finished' || body.type === 'approval.requested'
}
