/** What the database knows of many runs without reading their events. */
import type { RunStatus } from './event'
import type { Rating } from './feedback'

/** An ended run, as the figures of its agent count it. */
export interface EndedRun {
  readonly createdAt: number
  readonly status: RunStatus
  readonly costUsd: number | null
  /** Null for a run that never began or is not indexed yet. */
  readonly durationMs: number | null
  readonly waitedMs: number | null
  readonly feedback: Rating | null
}

export interface ToolFigures {
  readonly name: string
  readonly calls: number
  readonly failed: number
}

export interface FigureStore {
  /** Runs of the agent that have ended, of those begun since this time. */
  endedSince(agentId: string, since: number): EndedRun[]
  /** The calls of the same runs by tool; those that failed most often come first. */
  toolsSince(agentId: string, since: number): ToolFigures[]
  /** The models and tools that occur in runs, by which a list can be filtered. */
  choices(): { models: string[]; tools: string[] }
  /** How many ended runs are not indexed yet: those stored by an older version. */
  unindexed(): number
  /** Indexes some of them, newest first, until about `ms` milliseconds have passed; returns how many. */
  indexSome(ms: number): number
}
