/** Asks a service that speaks OpenAI's language for the meaning of texts, as vectors. */
import { isObject, tryParseJson } from '#lib/spec/json'
import type { Embedded, Endpoint, ModelContext } from '#lib/spec/model'

/** The most bytes of an answer. */
const mostBytes = 32 * 1024 * 1024

/** Refusals of the caller or of the moment, which say nothing about the texts. */
const notOfTexts = new Set([401, 403, 404, 408, 429, 503, 529])

interface Asked {
  readonly model: string
  readonly texts: readonly string[]
}

/** One vector for each text, in order; the error is one sentence. Never throws. */
export async function embedTexts(
  endpoint: Endpoint,
  { model, texts }: Asked,
  context: Pick<ModelContext, 'fetch'>,
  signal: AbortSignal,
): Promise<Embedded> {
  const { host } = new URL(endpoint.baseUrl)
  try {
    const response = await context.fetch(`${endpoint.baseUrl.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
    })
    const text = await response.text()
    if (!response.ok) {
      const said = failed(
        `${host} refused the request for vectors (HTTP ${response.status}). ${saidIn(text)}`,
      )
      return notOfTexts.has(response.status) ? said : { ...said, cause: 'refused' }
    }
    const vectors = text.length > mostBytes ? undefined : vectorsIn(text, texts.length)
    return vectors === undefined
      ? { ...failed(`${host} did not answer with one vector for each text.`), cause: 'refused' }
      : { ok: true, vectors }
  } catch {
    const why = signal.aborted ? 'did not answer in time' : 'cannot be reached'
    return { ...failed(`${host} ${why}.`), cause: 'unanswered' }
  }
}

function failed(message: string): Extract<Embedded, { ok: false }> {
  return { ok: false, message: message.trim() }
}

/** The service's own words, shortened. */
function saidIn(text: string): string {
  const value = tryParseJson(text)
  const error = isObject(value) ? value.error : undefined
  const said = isObject(error) ? error.message : error
  return typeof said === 'string' ? said.slice(0, 300) : ''
}

function vectorsIn(text: string, count: number): number[][] | undefined {
  const value = tryParseJson(text)
  const list = isObject(value) && Array.isArray(value.data) ? value.data : []
  const vectors: (number[] | undefined)[] = Array.from({ length: count }, () => undefined)
  for (const [at, each] of list.entries()) {
    if (!isObject(each)) return undefined
    const index = typeof each.index === 'number' ? each.index : at
    const { embedding } = each
    if (!Array.isArray(embedding) || embedding.length === 0) return undefined
    if (!embedding.every((number) => typeof number === 'number')) return undefined
    if (index >= 0 && index < count) vectors[index] = embedding.map(Number)
  }
  return vectors.every((each) => each !== undefined) ? vectors : undefined
}
