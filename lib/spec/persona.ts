/** Personas: who makes a call, as people read it. They change nothing of what the model sees. */
import { z } from 'zod'
import { runError, usage } from './event-shapes'

/** The most characters of a name. */
export const longestPersona = 24
/** The most characters of a name that a model gives. */
export const longestGivenPersona = 6

export const personaName = z.string().trim().min(1).max(longestPersona)

/** How the tools of an agent get their names. */
export interface PersonaRules {
  /** Names by patterns over tool names, in order: the first that fits counts. */
  readonly names: readonly (readonly [pattern: string, name: string])[]
  /** The model names the tools that no pattern covers, once for each run. */
  readonly generate: boolean
}

/** The payload of `personas.assigned`: what the model called the tools for this task. */
export const assignedPersonas = {
  /** By tool name. */
  names: z.record(z.string(), z.string()),
  model: z.strictObject({ provider: z.string(), name: z.string() }),
  usage,
  /** Null when no price is known. */
  costUsd: z.number().nonnegative().nullable(),
  durationMs: z.int().nonnegative(),
  /** Why there are no names; the run goes on without them. */
  error: runError.optional(),
}
