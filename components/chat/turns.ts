/** The runs of a thread as turns: a question with all its answers. Pure. */

/** What is needed of a run to find its turn. */
export interface Said {
  readonly id: string
  /** The run whose question is asked again. */
  readonly replaces: string | null
}

export interface Turn<R extends Said> {
  /** The id of the run that asked first. */
  readonly key: string
  /** Oldest first; the dialogue continues from the last one. */
  readonly answers: readonly R[]
}

/** `runs`: oldest first. A run that replaces an unknown run begins a turn of its own. */
export function turnsOf<R extends Said>(runs: readonly R[]): Turn<R>[] {
  const turns: { key: string; answers: R[] }[] = []
  const turnOf = new Map<string, { key: string; answers: R[] }>()
  for (const run of runs) {
    const asked = run.replaces === null ? undefined : turnOf.get(run.replaces)
    const turn = asked ?? { key: run.id, answers: [] }
    if (asked === undefined) turns.push(turn)
    turn.answers.push(run)
    turnOf.set(run.id, turn)
  }
  return turns
}
