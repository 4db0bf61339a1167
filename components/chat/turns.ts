/** What was said in a thread as turns: a question, and every answer it was given. Pure. */

/** A run, as far as its place in the dialogue goes. */
export interface Said {
  readonly id: string
  /** The run whose question this one asks again. */
  readonly replaces: string | null
}

export interface Turn<R extends Said> {
  /** The id of the run that asked first. */
  readonly key: string
  /** Oldest first; the last one is what the dialogue goes on from. */
  readonly answers: readonly R[]
}

/** `runs` oldest first. One that replaces a run unknown here begins a turn of its own. */
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
