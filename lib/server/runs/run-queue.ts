/**
 * Queues runs, first come, first served, with a limited number at work. A run that only waits takes no slot.
 */

export interface Queue<J> {
  /** Puts a job in the queue, unless a job with that id is queued or at work. */
  add(id: string, job: J): void
  /** Takes a job out of the queue; undefined when it is at work or unknown. */
  take(id: string): J | undefined
  /** The job at work with this id. */
  atWork(id: string): J | undefined
  /** Whether a job with this id is queued or at work. */
  has(id: string): boolean
  /** Resolves when the job at work has ended; undefined when no job with this id is at work. */
  done(id: string): Promise<void> | undefined
  /** Starts a job at once, ahead of the queue and beyond the limit. */
  start(id: string, job: J): void
  /**
   * Frees the slot of the job at work while it waits, and returns once the job has a slot again; it comes
   * before all jobs that have not begun. When the signal aborts, it returns at once even without a slot,
   * since the job can then only end.
   */
  aside<T>(id: string, wait: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Starts the jobs that may start; must be called when `held` has become false. */
  pump(): void
  /** Empties the queue; returns the ids that were in it. */
  clear(): string[]
  /** The number of jobs in the queue, plus those that have given up their slot. */
  readonly waiting: number
  /** The number of jobs that get a slot before this one; undefined when it is not in the queue. */
  ahead(id: string): number | undefined
  readonly working: readonly string[]
  /** Resolves when every job at work now has ended. */
  idle(): Promise<void>
}

interface Begun<J> {
  readonly job: J
  readonly done: Promise<void>
}

/** `work` must not throw; `held` keeps jobs in the queue while it returns true. */
export function createQueue<J>(context: {
  concurrency: number
  work(job: J): Promise<void>
  held(): boolean
}): Queue<J> {
  // A Map keeps the insertion order and removes any key in constant time.
  const line = new Map<string, J>()
  const begun = new Map<string, Begun<J>>()
  /** Jobs at work that have given up their slot; those that want one again are in `returning` as well. */
  const aside = new Set<string>()
  const returning = new Map<string, () => void>()
  const has = (id: string) => begun.has(id) || line.has(id)
  const isFull = () => begun.size - aside.size >= context.concurrency || context.held()

  function start(id: string, job: J): void {
    // Starts in a later microtask, so that a caller of `add` does not wait for the job's first part.
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
      if (has(id)) return
      line.set(id, job)
      pump()
    },
    take: (id) => {
      const job = line.get(id)
      line.delete(id)
      return job
    },
    atWork: (id) => begun.get(id)?.job,
    has,
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
