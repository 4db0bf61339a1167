/** Keeps what finished runs said in memory: a thread's next question needs it, and it never changes. */
import { tokensOf } from '#lib/agent/request/window'
import type { Message } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import type { RunStore } from '#lib/spec/store'

/** What a run added to its thread. */
export interface KnownTurn {
  readonly messages: readonly Message[]
  /** The size of the run's own window, if it was smaller than the dialogue before the run. */
  readonly truncated: RunState['steps'][number]['truncated']
}

/** In tokens by our own estimate; about 4 MB of text. */
const mostTokens = 1_000_000
/** What a message takes in addition to its text. */
const tokensOfObject = 100

const turnsOf = new WeakMap<RunStore, RecentTurns>()

/** The turns of this store that were read last. */
export function recentTurns(runs: RunStore): RecentTurns {
  const turns = turnsOf.get(runs) ?? new RecentTurns()
  turnsOf.set(runs, turns)
  return turns
}

export class RecentTurns {
  /** The one used last comes last. */
  readonly #turns = new Map<string, KnownTurn & { readonly size: number }>()
  readonly #most: number
  #size = 0

  constructor(most = mostTokens) {
    this.#most = most
  }

  get(runId: string): KnownTurn | undefined {
    const turn = this.#turns.get(runId)
    if (turn === undefined) return undefined
    this.#turns.delete(runId)
    this.#turns.set(runId, turn)
    return turn
  }

  /** Only for a finished run. */
  keep(runId: string, turn: KnownTurn): void {
    const size = turn.messages.reduce((sum, each) => sum + tokensOf(each) + tokensOfObject, 0)
    this.#forget(runId)
    this.#turns.set(runId, { ...turn, size })
    this.#size += size
    for (const oldest of this.#turns.keys()) {
      if (this.#size <= this.#most) break
      this.#forget(oldest)
    }
  }

  #forget(runId: string): void {
    this.#size -= this.#turns.get(runId)?.size ?? 0
    this.#turns.delete(runId)
  }
}
