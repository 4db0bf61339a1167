/** Gives texts their vectors in the background, in batches; a text that the model refuses does not hold up the others. */
import type { Embedded } from '#lib/spec/model'
import type { Unembedded, VectorStore } from '#lib/spec/recall-store'
import { unit } from './ranking'

/** Texts in one request. */
const batch = 32
const batchMs = 60_000
/** After a failure of the service the next try waits so long. */
const pauseMs = 30_000

/** A text that no model refuses: with it a service shows that it works. */
export const plainText = 'What is this text about?'

interface ReaderContext<Model> {
  readonly stores: readonly VectorStore[]
  /** The model that reads now; null without one. */
  model(): Model | null
  /** By which vectors are told apart. */
  idOf(model: Model): string
  ask(model: Model, texts: readonly string[], signal: AbortSignal): Promise<Embedded>
  report(error: unknown): void
}

export interface TextReader {
  /** There are new or changed texts, another model, or the server has started. */
  wake(): void
  /** Why the service of this model reads nothing now. */
  problem(): string | undefined
  close(): void
}

export function createTextReader<Model>(context: ReaderContext<Model>): TextReader {
  const { stores, model, idOf } = context
  const closing = new AbortController()
  let problem: { readonly of: string; readonly message: string } | undefined
  let isAtWork = false
  /** Something was added or changed while texts were read: where the work has passed by, perhaps. */
  let isCalled = false
  let timer: NodeJS.Timeout | undefined

  const ask = (now: Model, texts: readonly string[]) =>
    context.ask(now, texts, AbortSignal.any([closing.signal, AbortSignal.timeout(batchMs)]))

  /** How many were stored; undefined when the service cannot go on now. */
  const read = async (
    store: VectorStore,
    now: Model,
    rows: readonly Unembedded[],
    isSecondTry = false,
  ): Promise<number | undefined> => {
    const answer = await ask(
      now,
      rows.map(({ text }) => text),
    )
    if (closing.signal.aborted) return undefined
    if (answer.ok) {
      // Another model may have been chosen meanwhile; its own vectors replace these later.
      const vectors = rows.map((row, at) => ({ ...row, vector: bytesOf(answer.vectors[at] ?? []) }))
      problem = undefined
      return store.putVectors(idOf(now), vectors)
    }
    // A service that reads another text refuses one of these.
    if (answer.cause === undefined || !(await ask(now, [plainText])).ok) {
      if (!closing.signal.aborted) problem = { of: idOf(now), message: answer.message }
      return undefined
    }
    if (rows.length === 1) {
      // Only answers say something about a text, and one of them may be a chance failure.
      if (answer.cause === 'unanswered') {
        problem = { of: idOf(now), message: answer.message }
        return undefined
      }
      if (!isSecondTry) return read(store, now, rows, true)
      const refused = rows.map((row) => ({ ...row, vector: new Uint8Array(0), problem: answer.message }))
      return store.putVectors(idOf(now), refused)
    }
    const half = rows.length >> 1
    const first = await read(store, now, rows.slice(0, half))
    const second = first === undefined ? undefined : await read(store, now, rows.slice(half))
    return first === undefined || second === undefined ? undefined : first + second
  }

  const work = async () => {
    for (const store of stores) {
      /** The first text of a batch of which nothing could be stored. */
      let vain: Unembedded | undefined
      for (;;) {
        const now = model()
        if (now === null || closing.signal.aborted) return
        const rows = store.unembedded(idOf(now), batch)
        const [first] = rows
        // What the store does not take is not paid for again and again; one that was changed meanwhile is read.
        if (first === undefined || (first.n === vain?.n && first.text === vain.text)) break
        const stored = await read(store, now, rows)
        if (stored === undefined) return again()
        vain = stored === 0 ? first : undefined
      }
    }
    problem = undefined
  }
  const again = () => {
    if (closing.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(wake, pauseMs)
    timer.unref()
  }
  const wake = () => {
    isCalled = true
    if (!isAtWork) void workWhileCalled()
  }
  const workWhileCalled = async () => {
    isAtWork = true
    try {
      while (isCalled && !closing.signal.aborted) {
        isCalled = false
        await work()
      }
    } catch (error) {
      if (!closing.signal.aborted) context.report(error)
      again()
    } finally {
      isAtWork = false
    }
  }
  return {
    wake,
    problem: () => {
      const now = model()
      return now !== null && problem?.of === idOf(now) ? problem.message : undefined
    },
    close: () => {
      closing.abort()
      clearTimeout(timer)
    },
  }
}

/** A text without a direction gets a vector that is near to nothing, so that it is not asked for again. */
function bytesOf(values: readonly number[]): Uint8Array {
  const { buffer } = unit(values) ?? new Float32Array(1)
  return new Uint8Array(buffer)
}
