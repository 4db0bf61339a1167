/** Tools tried by hand: what is kept of a try, and the store of tries and mocks, which belong to an agent's draft. */
import { z } from 'zod'
import { jsonObject } from './json'
import { block } from './message'
import { type Mock, mock } from './mock'

/** How a try ended; `stopped` by the person. */
export const tryStatus = z.enum(['ok', 'error', 'timeout', 'stopped'])
export type TryStatus = z.infer<typeof tryStatus>

/** A try of a tool, with its arguments as an example for the next one. */
export const keptTry = z.strictObject({
  id: z.string(),
  at: z.int().nonnegative(),
  /** Known secrets are replaced; null when the arguments were too long to keep. */
  args: jsonObject.nullable(),
  /** Secrets were replaced in the arguments. */
  redacted: z.literal(true).optional(),
  status: tryStatus,
  code: z.string().nullable(),
  durationMs: z.int().nonnegative(),
  /** Null when the result was too long to keep. */
  result: z.array(block).nullable(),
})
export type KeptTry = z.infer<typeof keptTry>

/** A mock as it is kept: switched off, it stays and answers nothing. */
export const keptMock = z.strictObject({ mock, on: z.boolean() })
export interface KeptMock {
  readonly mock: Mock
  readonly on: boolean
}

export interface MockRow extends KeptMock {
  readonly agentId: string
  /** The name that the model calls. */
  readonly tool: string
  readonly updatedAt: number
}

export interface TryRow extends KeptTry {
  readonly agentId: string
  readonly tool: string
}

/** Everything here is deleted with its agent. */
export interface TrialStore {
  /** By the tool's name. */
  mocks(agentId: string): MockRow[]
  putMock(row: MockRow): void
  /** False when there is none. */
  removeMock(agentId: string, tool: string): boolean
  /** The last first. */
  tries(agentId: string, tool: string): TryRow[]
  /** Keeps a try; of each tool, at most `most` stay. */
  addTry(row: TryRow, most: number): void
  /** How many tries are kept of each tool. */
  counts(agentId: string): ReadonlyMap<string, number>
  forget(agentId: string, tool: string): void
  /** The thread whose workspace the tries of an agent share; undefined before the first. */
  threadOf(agentId: string): string | undefined
  /** Names an existing thread as the one for the tries of the agent. */
  putThread(agentId: string, threadId: string): void
}
