/** Checks a call against an agent's policies without running it, on the wire. */
import { z } from 'zod'
import { deepestAgents } from '#lib/spec/agents-port'
import { diagnostic } from '#lib/spec/errors'
import { graphDocument } from '#lib/spec/graph'
import { jsonObject, jsonValue } from '#lib/spec/json'

export const dryRunRequest = z.strictObject({
  tool: z.string().max(500),
  /** An object, or the JSON text as a model would write it. */
  args: z.union([jsonObject, z.string().max(1_000_000)]).default({}),
  /**
   * The tools by which the agent that makes the call is called, from the agent itself: `["researcher"]` for a call of
   * the agent behind its tool `researcher`.
   */
  through: z.array(z.string().max(500)).max(deepestAgents).optional(),
  /** A run of the agent whose calls and approvals count as already made; without one, none count. */
  runId: z.string().max(100).optional(),
  /** A drawing to use instead of the saved draft. */
  graph: graphDocument.optional(),
})
export type DryRunRequest = z.input<typeof dryRunRequest>

const agentVersion = z.union([z.literal('draft'), z.int().positive()])

/** An agent that a call would set to work, directly or through others, and what was found about it. */
export const calledAgent = z.strictObject({
  agent: z.string(),
  /** Absent when it cannot be called. */
  version: agentVersion.optional(),
  /** The names of the agents on the way to it, from the one that the call names; it is the last. */
  way: z.array(z.string()),
  /** The tools that lead to it: as `through` of the request, for a dry run of one of its calls. */
  through: z.array(z.string()),
  /** The tools that it would offer its model; none where calls cannot go as deep. */
  tools: z.array(z.string()),
  /** What it lacks, and what is held back from it. A path is in its own config, or names a rule of its callers. */
  findings: z.array(diagnostic),
})
export type CalledAgent = z.infer<typeof calledAgent>

const stageAsked = z.strictObject({
  /**
   * `registered`, `offered`, `read`, `preset` and `schema` are checks of the loop; the others are stages of
   * policies.
   */
  stage: z.string(),
  policy: z.string().nullable(),
  /** The entry that answered: `policies/0`, or the tool's own. */
  node: z.string().nullable(),
  verdict: z.enum(['allow', 'deny', 'confirm', 'limit']),
  reason: z.string().optional(),
  /** A person has approved it for the whole run. */
  granted: z.literal(true).optional(),
})

export const dryRun = z.strictObject({
  /** The tool's own name; the requested name if there is no such tool. */
  tool: z.string(),
  /** In the order of asking, up to the decisive answer. */
  asked: z.array(stageAsked),
  /** What happens to the call; `message` is the text that the model would read. */
  outcome: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('runs'), args: jsonObject }),
    z.strictObject({ type: z.literal('asks'), args: jsonObject }),
    z.strictObject({ type: z.literal('refused'), status: z.string(), code: z.string(), message: z.string() }),
  ]),
  /** For a call of another agent that may run: what that agent would send to its model first. */
  inside: z
    .strictObject({
      agent: z.string(),
      version: agentVersion.optional(),
      /** Without what is only known when a run begins, such as what it recalls from memory. */
      request: jsonValue.optional(),
      /** Why it cannot be called. */
      problem: z.string().optional(),
    })
    .optional(),
  /** For a call of another agent that may run: that agent and all that it reaches, each once, nearest first. */
  called: z.array(calledAgent).optional(),
})
export type DryRun = z.infer<typeof dryRun>
