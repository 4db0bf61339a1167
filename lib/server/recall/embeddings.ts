/** The model of embeddings that Settings name: it gives texts their meaning, in the background, and questions theirs. */
import { AppError } from '#lib/spec/errors'
import type { Embedded, Endpoint, ModelContext, Provider } from '#lib/spec/model'
import type { VectorStore } from '#lib/spec/recall-store'
import type { SettingsStore } from '#lib/spec/store'
import { type EmbeddingsView, type SaveEmbeddings, saveEmbeddings } from '#lib/wire/knowledge'
import { unit } from './ranking'

const key = 'embeddings'
/** Texts in one request, and characters of each. */
const batch = 32
const mostChars = 6_000
const batchMs = 60_000
/** A search goes on by words alone when the meaning of its question does not come in this time. */
const questionMs = 4_000
/** After a failure the next try waits so long. */
const pauseMs = 30_000
/** Questions whose vectors are kept. */
const mostKept = 200

/** Save throws AppErrors. */
export interface Embeddings {
  view(): EmbeddingsView
  /** Tests the model with one text before it is saved; null searches by words alone. */
  save(body: SaveEmbeddings, signal: AbortSignal): Promise<EmbeddingsView>
  /** The meaning of a question; undefined without a model, or when it fails. */
  question(text: string, signal: AbortSignal): Promise<{ model: string; vector: Float32Array } | undefined>
  /** There are new texts, or the server has started. */
  wake(): void
  close(): void
}

interface EmbeddingsContext {
  readonly settings: SettingsStore
  readonly stores: readonly VectorStore[]
  readonly parts: readonly Provider[]
  /** Names of the providers in Settings with the kind of each. */
  providers(): readonly { readonly name: string; readonly kind: string }[]
  endpoint(name: string): Endpoint | undefined
  readonly fetch: ModelContext['fetch']
  report(error: unknown): void
}

export function createEmbeddings(context: EmbeddingsContext): Embeddings {
  const { settings, stores } = context
  const closing = new AbortController()
  const kept = new Map<string, Float32Array>()
  let problem: string | undefined
  let isAtWork = false
  let timer: NodeJS.Timeout | undefined

  const chosen = () => saveEmbeddings.shape.model.safeParse(settings.get(key) ?? null).data ?? null
  const able = () => {
    const kinds = new Set(context.parts.filter(({ embed }) => embed !== undefined).map(({ id }) => id))
    return context.providers().filter(({ kind }) => kinds.has(kind))
  }
  const ask = async (
    { provider, name }: { provider: string; name: string },
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Embedded> => {
    const kind = able().find((each) => each.name === provider)?.kind
    const part = context.parts.find(({ id }) => id === kind)
    const endpoint = context.endpoint(provider)
    if (part?.embed === undefined || endpoint === undefined)
      return {
        ok: false,
        message: `There is no provider “${provider}” with an address in Settings → Models.`,
      }
    const short = texts.map((each) => each.slice(0, mostChars))
    return part.embed(endpoint, { model: name, texts: short }, { fetch: context.fetch }, signal)
  }

  const work = async () => {
    for (const store of stores) {
      for (;;) {
        const model = chosen()
        if (model === null || closing.signal.aborted) return
        const rows = store.unembedded(idOf(model), batch)
        if (rows.length === 0) break
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(batchMs)])
        const answer = await ask(
          model,
          rows.map(({ text }) => text),
          signal,
        )
        if (closing.signal.aborted) return
        if (!answer.ok) {
          problem = answer.message
          return again()
        }
        problem = undefined
        const vectors = rows.map(({ n, text }, at) => ({
          n,
          text,
          vector: bytesOf(answer.vectors[at] ?? []),
        }))
        // Another model may have been chosen meanwhile; its own vectors replace these later.
        store.putVectors(idOf(model), vectors)
      }
    }
  }
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(() => wake(), pauseMs)
    timer.unref()
  }
  const wake = () => {
    if (isAtWork || closing.signal.aborted) return
    isAtWork = true
    void work()
      .catch((error: unknown) => {
        if (closing.signal.aborted) return
        context.report(error)
        again()
      })
      .finally(() => {
        isAtWork = false
      })
  }
  const view = (): EmbeddingsView => {
    const model = chosen()
    const counts = stores.map((store) =>
      model === null ? { rows: 0, done: 0 } : store.embedded(idOf(model)),
    )
    const sum = (of: 'rows' | 'done') => counts.reduce((all, each) => all + each[of], 0)
    return {
      model,
      texts: sum('rows'),
      done: sum('done'),
      ...(problem !== undefined && { problem }),
      providers: able().map(({ name }) => name),
    }
  }
  return {
    view,
    async save({ model }, signal) {
      if (model !== null) {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(batchMs)])
        const answer = await ask(model, ['What is this text about?'], limit)
        if (!answer.ok) throw new AppError('unprocessable', answer.message, { path: 'model' })
      }
      // The store holds no null.
      settings.set(key, model ?? {})
      kept.clear()
      problem = undefined
      wake()
      return view()
    },
    async question(text, signal) {
      const model = chosen()
      if (model === null) return undefined
      const id = idOf(model)
      const at = `${id}\n${text}`
      const known = kept.get(at)
      if (known !== undefined) return { model: id, vector: known }
      const answer = await ask(model, [text], AbortSignal.any([signal, AbortSignal.timeout(questionMs)]))
      if (!answer.ok) problem = answer.message
      const vector = answer.ok ? unit(answer.vectors[0] ?? []) : undefined
      if (vector === undefined) return undefined
      kept.set(at, vector)
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      return { model: id, vector }
    },
    wake,
    close: () => {
      closing.abort()
      clearTimeout(timer)
    },
  }
}

function idOf({ provider, name }: { readonly provider: string; readonly name: string }): string {
  return `${provider}/${name}`
}

/** A text without a direction gets a vector that is near to nothing, so that it is not asked for again. */
function bytesOf(values: readonly number[]): Uint8Array {
  const { buffer } = unit(values) ?? new Float32Array(1)
  return new Uint8Array(buffer)
}
