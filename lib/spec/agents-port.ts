/** The port through which a tool gives a task to another agent, as a run inside the call. */
import type { InnerRun } from './inner-run'
import type { JsonSchema } from './json'
import type { ToolOutput } from './tool-output'

/** The version of an agent that an entry names. */
export type AgentVersion = 'published' | 'draft' | number

/** Runs inside runs inside runs: a run may call an agent that calls another, which calls a third. */
export const deepestAgents = 3

/** An agent as an entry names it. */
export interface NamedAgent {
  readonly agent: string
  readonly version: AgentVersion
}

/** What is known of an agent that can be called. The same object as long as nothing has changed. */
export interface CallableAgent {
  readonly name: string
  readonly description: string
  /** The highest class of its tools. */
  readonly risk: 'read' | 'write' | 'admin'
  readonly effect: 'read' | 'idempotent' | 'effect'
  /** The schema that its answer fits; absent when it answers in text. */
  readonly output?: JsonSchema
}

/** One task for an agent. */
export interface AgentTask extends NamedAgent {
  readonly task: string
  /** Files of the caller's workspace that are copied into the agent's folder. */
  readonly files: readonly string[]
  /** Whether the agent works in a folder of its own inside the caller's workspace, or in the workspace itself. */
  readonly workspace: 'own' | 'shared'
}

/** What the port needs of the context of the call. */
export interface CallOfAgent {
  readonly callId: string
  readonly run: { readonly id: string | null; readonly thread: string | null }
  readonly signal: AbortSignal
  readonly inner?: InnerRun
}

export interface AgentsPort {
  /** What is known of the agent, or a sentence that says why it cannot be called. */
  find(named: NamedAgent): Promise<CallableAgent | string>
  /** Runs the agent on the task, or goes on with the run that the call has begun. */
  run(task: AgentTask, call: CallOfAgent): Promise<ToolOutput>
}

const nobody = 'No other agent can be called here.'

/** Where there are no other agents. */
export const noAgents: AgentsPort = {
  find: async () => nobody,
  run: async () => ({ ok: false, code: 'no_agents', message: nobody }),
}
