/** The model of embeddings that Settings name: it gives texts their meaning, in the background, and questions theirs. */
import { AppError } from '#lib/spec/errors'
import { cutAt, lineOf } from '#lib/spec/line'
import type { Embedded, Endpoint, ModelContext, Provider } from '#lib/spec/model'
import type { VectorStore } from '#lib/spec/recall-store'
import type { SettingsStore } from '#lib/spec/store'
import { type EmbeddingsView, type SaveEmbeddings, saveEmbeddings } from '#lib/wire/knowledge'
import { unit } from './ranking'
import { createTextReader, plainText } from './read-texts'

const key = 'embeddings'
/** The most characters of a text that are sent. */
const mostChars = 6_000
const testMs = 60_000
/** A search goes on by words alone when the meaning of its question does not come in this time. */
const questionMs = 4_000
/** Refused texts that the view names. */
const mostNamed = 10
/** Questions whose vectors are kept. */
const mostKept = 200

/** Save throws AppErrors. */
export interface Embeddings {
  view(): EmbeddingsView
  /** Tests the model with one text before it is saved, and reads refused texts again; null searches by words alone. */
  save(body: SaveEmbeddings, signal: AbortSignal): Promise<EmbeddingsView>
  /** The meaning of a question; undefined without a model, or when it fails. */
  question(text: string, signal: AbortSignal): Promise<{ model: string; vector: Float32Array } | undefined>
  /** There are new or changed texts, or the server has started. */
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
  const kept = new Map<string, Float32Array>()
  /** Why the last question was searched by words alone. */
  let problem: string | undefined

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
    const short = texts.map((each) => each.slice(0, cutAt(each, mostChars)))
    return part.embed(endpoint, { model: name, texts: short }, { fetch: context.fetch }, signal)
  }

  const reader = createTextReader({ stores, model: chosen, idOf, ask, report: context.report })
  const view = (): EmbeddingsView => {
    const model = chosen()
    const counts = stores.map((store) => {
      if (model === null) return { rows: 0, done: 0, count: 0, first: [] }
      return { ...store.embedded(idOf(model)), ...store.refused(idOf(model)) }
    })
    const sum = (of: 'rows' | 'done' | 'count') => counts.reduce((all, each) => all + each[of], 0)
    const fault = model === null ? undefined : (reader.problem() ?? problem)
    const first = counts.flatMap((each) => each.first).slice(0, mostNamed)
    return {
      model,
      texts: sum('rows'),
      done: sum('done'),
      ...(first.length > 0 && {
        refused: { count: sum('count'), first: first.map((each) => ({ ...each, text: lineOf(each.text) })) },
      }),
      ...(fault !== undefined && { problem: fault }),
      providers: able().map(({ name }) => name),
    }
  }
  return {
    view,
    async save({ model }, signal) {
      if (model !== null) {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(testMs)])
        const answer = await ask(model, [plainText], limit)
        if (!answer.ok) throw new AppError('unprocessable', answer.message, { path: 'model' })
      }
      // The store holds no null.
      settings.set(key, model ?? {})
      kept.clear()
      problem = undefined
      for (const store of stores) store.retryRefused()
      reader.wake()
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
      // A search that was given up says nothing about the service.
      if (!signal.aborted) problem = answer.ok ? undefined : answer.message
      const vector = answer.ok ? unit(answer.vectors[0] ?? []) : undefined
      if (vector === undefined) return undefined
      kept.set(at, vector)
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      return { model: id, vector }
    },
    wake: reader.wake,
    close: reader.close,
  }
}

function idOf({ provider, name }: { readonly provider: string; readonly name: string }): string {
  return `${provider}/${name}`
}
