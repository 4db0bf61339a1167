/** Runs in line and at work: so many at once, the others first come, first served. */

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
  /** Starts what may start; to be called when `held` has turned false. */
  pump(): void
  /** Empties the line; returns the ids that stood in it. */
  clear(): string[]
  /** Jobs in line. */
  readonly waiting: number
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

  function start(id: string, job: J): void {
    // Begun a moment later, so that whoever puts a job in line does not wait for its first stretch.
    const done = Promise.resolve(job)
      .then(context.work)
      .finally(() => {
        begun.delete(id)
        pump()
      })
    begun.set(id, { job, done })
  }

  function pump(): void {
    for (const [id, job] of line) {
      if (begun.size >= context.concurrency || context.held()) return
      line.delete(id)
      start(id, job)
    }
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
    pump,
    clear: () => {
      const ids = [...line.keys()]
      line.clear()
      return ids
    },
    get waiting() {
      return line.size
    },
    get working() {
      return [...begun.keys()]
    },
    idle: async () => {
      await Promise.all([...begun.values()].map(({ done }) => done))
    },
  }
}
