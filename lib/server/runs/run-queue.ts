/** Runs in line and at work: so many at once, the others first come, first served. Who only waits takes no slot. */

export interface Queue<J> {
  /** Puts a job in line, unless one of that id is there or at work. */
  add(id: string, job: J): void
  /** Takes a job out of the line; undefined when it is at work or unknown. */
  take(id: string): J | undefined
  /** The job at work under `id`. */
  atWork(id: string): J | undefined
  /** Resolves when the job at work has ended; undefined when none is at work under `id`. */
  done(id: string): Promise<void> | undefined
  /** Starts a job at once, past the line and the limit. */
  start(id: string, job: J): void
  /**
   * Frees the slot of the job at work while it waits; returns once it has one again, for which it stands before all that
   * have not begun. When the signal aborts it goes on at once, slot or not, since all that is left to it is to end.
   */
  aside<T>(id: string, wait: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Starts what may start; to be called when `held` has turned false. */
  pump(): void
  /** Empties the line; returns the ids that stood in it. */
  clear(): string[]
  /** Jobs in line, and those that have given their slot away. */
  readonly waiting: number
  /** How many get a slot before the job in line; undefined when it is in none. */
  ahead(id: string): number | undefined
  readonly working: readonly string[]
  /** Resolves when everything at work now has ended. */
  idle(): Promise<void>
}

interface Begun<J> {
  readonly job: J
  readonly done: Promise<void>
}

/** `work` must not throw; `held` keeps jobs in line for as long as it says so. */
export function createQueue<J>(context: {
  concurrency: number
  work(job: J): Promise<void>
  held(): boolean
}): Queue<J> {
  // Maps keep the order of insertion and give up any key at once.
  const line = new Map<string, J>()
  const begun = new Map<string, Begun<J>>()
  /** Jobs at work that have given their slot away; those that want one again stand in `returning` as well. */
  const aside = new Set<string>()
  const returning = new Map<string, () => void>()
  const isFull = () => begun.size - aside.size >= context.concurrency || context.held()

  function start(id: string, job: J): void {
    // Begun a moment later, so that whoever puts a job in line does not wait for its first stretch.
    const done = Promise.resolve(job)
      .then(context.work)
      .finally(() => {
        begun.delete(id)
        aside.delete(id)
        pump()
      })
    begun.set(id, { job, done })
  }

  function pump(): void {
    for (const goOn of returning.values()) {
      if (isFull()) return
      goOn()
    }
    for (const [id, job] of line) {
      if (isFull()) return
      line.delete(id)
      start(id, job)
    }
  }

  /** Resolves with a slot, or without one when the signal aborts. */
  function slotAgain(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        signal.removeEventListener('abort', goOn)
        returning.delete(id)
        aside.delete(id)
        resolve()
      }
      if (signal.aborted || !isFull()) return goOn()
      returning.set(id, goOn)
      signal.addEventListener('abort', goOn)
    })
  }

  return {
    add: (id, job) => {
      if (begun.has(id) || line.has(id)) return
      line.set(id, job)
      pump()
    },
    take: (id) => {
      const job = line.get(id)
      line.delete(id)
      return job
    },
    atWork: (id) => begun.get(id)?.job,
    done: (id) => begun.get(id)?.done,
    start,
    aside: async (id, wait, signal) => {
      aside.add(id)
      pump()
      try {
        return await wait()
      } finally {
        await slotAgain(id, signal)
      }
    },
    pump,
    clear: () => {
      const ids = [...line.keys()]
      line.clear()
      return ids
    },
    get waiting() {
      return line.size + aside.size
    },
    ahead: (id) => {
      const index = [...line.keys()].indexOf(id)
      return index < 0 ? undefined : returning.size + index
    },
    get working() {
      return [...begun.keys()]
    },
    idle: async () => {
      await Promise.all([...begun.values()].map(({ done }) => done))
    },
  }
}
