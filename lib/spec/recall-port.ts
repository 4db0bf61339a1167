/** The ports through which tools reach the memory of an agent and the collections of knowledge. */
import type { MemoryHit, Passage } from './recall'

/**
 * The memory that a run has: of its agent, and of one user or one thread. It is only read here; what is recorded
 * becomes an event of the run.
 */
export interface MemoryPort {
  /** Why nothing is remembered here, for the model and for people; absent where a memory is kept. */
  readonly problem?: string
  /** The best first. */
  search(
    asked: { readonly agent: string | null; readonly query: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<MemoryHit[]>
}

export interface KnowledgePort {
  /** The names of all collections. */
  names(): readonly string[]
  /** The best passages of these collections, the best first; collections that do not exist are in `missing`. */
  search(
    asked: { readonly collections: readonly string[]; readonly query: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly passages: readonly Passage[]; readonly missing: readonly string[] }>
}

/** Where runs are not stored. */
export const noMemory: MemoryPort = {
  problem: 'Nothing is remembered here: a memory is kept only by a server.',
  search: async () => [],
}

export const noKnowledge: KnowledgePort = {
  names: () => [],
  search: async ({ collections }) => ({ passages: [], missing: [...collections] }),
}
