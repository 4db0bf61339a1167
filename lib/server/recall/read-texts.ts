/**
 * Gives texts their vectors in the background, in batches. A text that the model refuses, or to which its service never
 * answers, does not hold up the others.
 */
import type { Embedded } from '#lib/spec/model'
import type { Unembedded, VectorStore } from '#lib/spec/recall-store'
import { unit } from './ranking'

/** Texts in one request. */
const batch = 32
const batchMs = 60_000
/** After a failure of the service the next try waits so long, and twice as long after each failure that follows. */
const firstPauseMs = 30_000
const longestPauseMs = 600_000
/** So many texts in a row that are not answered, though the service answers to another: it may answer to none of ours. */
const mostUnanswered = 3

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

/** What is tried again once the others are read. */
interface Aside {
  /** The model that was asked. */
  readonly of: string
  /** The text of each row. */
  readonly texts: Map<VectorStore, Map<number, string>>
  readonly message: string
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
  let pauseMs = firstPauseMs
  /** Texts that were not answered, though the service works. They are passed over until the others are read. */
  let aside: Aside | undefined
  /** How many were put aside since the last answer. */
  let unanswered = 0

  const putAside = (store: VectorStore, { n, text }: Unembedded, of: string, message: string) => {
    if (aside?.of !== of) aside = { of, message, texts: new Map() }
    const ofStore = aside.texts.get(store) ?? new Map<number, string>()
    aside.texts.set(store, ofStore.set(n, text))
    unanswered += 1
  }
  /** The next texts of a store, without those that are put aside. */
  const waiting = (store: VectorStore, now: Model): Unembedded[] => {
    const of = idOf(now)
    const passed = aside?.of === of ? aside.texts.get(store) : undefined
    return store
      .unembedded(of, batch + (passed?.size ?? 0))
      .filter(({ n, text }) => passed?.get(n) !== text)
      .slice(0, batch)
  }
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
      unanswered = 0
      pauseMs = firstPauseMs
      return store.putVectors(idOf(now), vectors)
    }
    // A service that reads another text refuses one of these.
    if (answer.cause === undefined || !(await ask(now, [plainText])).ok) {
      if (!closing.signal.aborted) problem = { of: idOf(now), message: answer.message }
      return undefined
    }
    const [row] = rows
    if (row !== undefined && rows.length === 1) {
      // Only answers say something about a text, and one of them may be a chance failure.
      if (answer.cause === 'unanswered') {
        problem = { of: idOf(now), message: answer.message }
        putAside(store, row, idOf(now), answer.message)
        return unanswered < mostUnanswered ? 0 : undefined
      }
      if (!isSecondTry) return read(store, now, rows, true)
      return store.putVectors(idOf(now), [{ ...row, vector: new Uint8Array(0), problem: answer.message }])
    }
    const half = rows.length >> 1
    const first = await read(store, now, rows.slice(0, half))
    const second = first === undefined ? undefined : await read(store, now, rows.slice(half))
    return first === undefined || second === undefined ? undefined : first + second
  }

  const work = async () => {
    unanswered = 0
    for (const store of stores) {
      /** The first text of a batch of which nothing could be stored. */
      let vain: Unembedded | undefined
      for (;;) {
        const now = model()
        if (now === null || closing.signal.aborted) return
        const rows = waiting(store, now)
        const [first] = rows
        // What the store does not take is not paid for again and again; one that was changed meanwhile is read.
        if (first === undefined || (first.n === vain?.n && first.text === vain.text)) break
        const stored = await read(store, now, rows)
        if (stored === undefined) return again()
        vain = stored === 0 ? first : undefined
      }
    }
    problem = aside && { of: aside.of, message: aside.message }
    if (aside === undefined) return
    aside = undefined
    again()
  }
  const again = () => {
    if (closing.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(start, pauseMs)
    timer.unref()
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  const start = () => {
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
    wake: () => {
      pauseMs = firstPauseMs
      start()
    },
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
