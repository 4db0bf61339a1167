/** How web searches are asked for and answered by SearXNG, Brave Search and Tavily. */
import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import { retryAfterMs } from '#lib/spec/retry-after'
import type { WebAnswer, WebRequest } from '#lib/spec/sandbox'
import {
  engineNames,
  type Freshness,
  mostResults,
  type SearchAnswer,
  type SearchEngine,
  type SearchQuery,
  type SearchResult,
} from '#lib/spec/web-search'

/** The address of each service; people run SearXNG themselves. */
export const engineAddresses: Readonly<Record<SearchEngine, string | null>> = {
  searxng: null,
  brave: 'https://api.search.brave.com/res/v1',
  tavily: 'https://api.tavily.com',
}

export const needsKey: Readonly<Record<SearchEngine, boolean>> = { searxng: false, brave: true, tavily: true }

const maxBytes = 2 * 1024 * 1024
const timeoutMs = 20_000
/** Brave refuses longer queries. */
const longestQuery = 400
const shownTitle = 300
const shownSnippet = 1_000

interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Empty where the service needs none. */
  readonly key: string
}

/** The request of a search, which is not redirected to another origin. */
export function searchRequest(engine: SearchEngine, service: Service, query: SearchQuery): WebRequest {
  const bounds = { maxBytes, timeoutMs, staysAtOrigin: true }
  const asked = {
    ...query,
    query: query.query.slice(0, longestQuery),
    count: Math.min(query.count, mostResults),
  }
  switch (engine) {
    case 'searxng':
      return { ...bounds, ...searxng(service, asked) }
    case 'brave':
      return { ...bounds, ...brave(service, asked) }
    case 'tavily':
      return { ...bounds, ...tavily(service, asked) }
  }
  return engine satisfies never
}

/** SearXNG has no parameter for the number of results. */
function searxng({ baseUrl, key }: Service, { query, freshness, language }: SearchQuery): WebRequest {
  const url = addressOf(`${baseUrl}/search`, {
    q: query,
    format: 'json',
    time_range: freshness,
    language,
  })
  return {
    url,
    headers: { accept: 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
  }
}

const braveFreshness: Readonly<Record<Freshness, string>> = { day: 'pd', week: 'pw', month: 'pm', year: 'py' }

function brave({ baseUrl, key }: Service, { query, count, freshness, language }: SearchQuery): WebRequest {
  const url = addressOf(`${baseUrl}/web/search`, {
    q: query,
    count: String(count),
    // Otherwise snippets have tags around the words that were searched.
    text_decorations: 'false',
    result_filter: 'web',
    freshness: freshness && braveFreshness[freshness],
    search_lang: language,
  })
  return { url, headers: { accept: 'application/json', 'x-subscription-token': key } }
}

function tavily({ baseUrl, key }: Service, { query, count, freshness }: SearchQuery): WebRequest {
  return {
    url: `${baseUrl}/search`,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ query, max_results: count, ...(freshness && { time_range: freshness }) }),
  }
}

function addressOf(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value)
  return address.href
}

const text = z.string().nullish()
const searxngAnswer = z.object({
  results: z.array(z.object({ url: text, title: text, content: text, publishedDate: text })),
})
/** Without web results, Brave leaves out `web`. */
const braveAnswer = z.object({
  type: z.string().optional(),
  web: z
    .object({ results: z.array(z.object({ url: text, title: text, description: text, page_age: text })) })
    .nullish(),
})
const tavilyAnswer = z.object({
  results: z.array(z.object({ url: text, title: text, content: text, published_date: text })),
})

/** What the service answered, as results or as one sentence on what went wrong. */
export function searchAnswer(
  engine: SearchEngine,
  answer: WebAnswer,
  { count, now }: { readonly count: number; readonly now: number },
): SearchAnswer {
  const name = engineNames[engine]
  if (!answer.ok) {
    const { code, message, retryable } = answer
    return { ok: false, code, message: `${name} could not be asked: ${message}`, retryable }
  }
  const { status, headers, body } = answer.value
  if (status < 200 || status > 299) return refusal(engine, status, headers, now)
  const found = readResults(engine, tryParseJson(new TextDecoder().decode(body)))
  if (found === undefined) {
    const type = (headers['content-type'] ?? '').split(';', 1)[0] || 'something else'
    const message = `${name} did not answer with search results, but with ${type}. ${adviceOnForm[engine]}`
    return { ok: false, code: 'not_results', message, retryable: false }
  }
  return { ok: true, engine, results: found.slice(0, count) }
}

const adviceOnForm: Readonly<Record<SearchEngine, string>> = {
  searxng: 'Check its address, and that its settings.yml lists json under search.formats.',
  brave: 'Check its address.',
  tavily: 'Check its address.',
}

function refusal(
  engine: SearchEngine,
  status: number,
  headers: Readonly<Record<string, string>>,
  now: number,
): SearchAnswer {
  const name = engineNames[engine]
  const fail = (code: string, message: string, retryable = false): SearchAnswer => {
    const waitMs = retryable ? retryAfterMs({ get: (header) => headers[header] ?? null }, now) : undefined
    return { ok: false, code, message, retryable, ...(waitMs !== undefined && { retryAfterMs: waitMs }) }
  }
  if (engine === 'searxng' && status === 403)
    return fail(
      'not_results',
      'SearXNG refused with status 403. Its settings.yml must list json under search.formats.',
    )
  // Brave answers 422 to a key that it cannot read.
  if (status === 401 || status === 403 || (engine === 'brave' && status === 422))
    return fail(
      'auth',
      `${name} refused the key (status ${status}). Enter it again under Settings → Web search.`,
    )
  if (status === 429 || status === 432 || status === 433) {
    const isQuota = status !== 429
    return fail(
      isQuota ? 'quota' : 'rate_limit',
      isQuota
        ? `${name} says that its plan is used up (status ${status}).`
        : `${name} received too many requests (status 429).`,
      !isQuota,
    )
  }
  if (status === 404)
    return fail('not_found', `${name} has no search at its address (status 404). Check it under Settings.`)
  return fail('http_status', `${name} answered with status ${status}.`, status >= 500)
}

function readResults(engine: SearchEngine, value: unknown): SearchResult[] | undefined {
  switch (engine) {
    case 'searxng':
      return searxngAnswer
        .safeParse(value)
        .data?.results.flatMap((each) =>
          result({ ...each, snippet: each.content, published: each.publishedDate }),
        )
    case 'brave': {
      const read = braveAnswer.safeParse(value).data
      if (read === undefined || (read.web == null && read.type !== 'search')) return undefined
      return (read.web?.results ?? []).flatMap((each) =>
        result({ ...each, snippet: each.description, published: each.page_age }),
      )
    }
    case 'tavily':
      return tavilyAnswer
        .safeParse(value)
        .data?.results.flatMap((each) =>
          result({ ...each, snippet: each.content, published: each.published_date }),
        )
  }
  return engine satisfies never
}

interface Raw {
  readonly url?: string | null | undefined
  readonly title?: string | null | undefined
  readonly snippet?: string | null | undefined
  readonly published?: string | null | undefined
}

/** Nothing for a result without a usable address. */
function result({ url, title, snippet, published }: Raw): SearchResult[] {
  if (!url || url.length > 4_096 || !URL.canParse(url)) return []
  // As a browser writes it: without line breaks, quotes or angle brackets, which could end the mark around it.
  const { protocol, href } = new URL(url)
  if (!/^https?:$/.test(protocol)) return []
  return [
    {
      title: oneLine(title ?? '', shownTitle) || href,
      url: href,
      snippet: oneLine(snippet ?? '', shownSnippet),
      ...(published && { published: oneLine(published, 40) }),
    },
  ]
}

function oneLine(value: string, most: number): string {
  return value
    .slice(0, 2 * most)
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, most)
}
