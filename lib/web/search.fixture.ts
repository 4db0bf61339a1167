/** For tests: servers on loopback that speak the formats of SearXNG, Brave Search and Tavily. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SearchEngine, SearchResult } from '#lib/spec/web-search'

export interface SearchServer {
  readonly baseUrl: string
  /** The requests so far, newest last. */
  readonly asked: { url: URL; method: string; headers: http.IncomingHttpHeaders; body: string }[]
  /** Answers in place of results, until it is set to undefined. */
  instead: http.RequestListener | undefined
  close(): Promise<void>
}

type Find = (query: string) => readonly SearchResult[]

/** A server that finds the same results for each query, or what the function finds. */
export async function startSearchServer(engine: SearchEngine, find: Find): Promise<SearchServer> {
  const asked: SearchServer['asked'] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    asked.push({ url, method: request.method ?? '', headers: request.headers, body })
    if (made.instead !== undefined) return made.instead(request, response)
    const query = engine === 'tavily' ? JSON.parse(body).query : (url.searchParams.get('q') ?? '')
    const text = JSON.stringify(formOf[engine](query, find(query)))
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const made: SearchServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // cast: it listens on a port
    asked,
    instead: undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return made
}

const formOf: Readonly<Record<SearchEngine, (query: string, results: readonly SearchResult[]) => object>> = {
  searxng: (query, results) => ({
    query,
    number_of_results: results.length,
    results: results.map(({ url, title, snippet, published }) => ({
      ...{ url, title, content: snippet, engine: 'duckduckgo', engines: ['duckduckgo'] },
      ...{ score: 1, category: 'general', publishedDate: published ?? null },
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  }),
  brave: (query, results) => ({
    type: 'search',
    query: { original: query, more_results_available: false },
    ...(results.length > 0 && {
      web: {
        type: 'search',
        family_friendly: true,
        results: results.map(({ url, title, snippet, published }) => ({
          ...{ title, url, is_source_local: false, is_source_both: false, description: snippet },
          ...(published !== undefined && { page_age: published }),
          ...{ language: 'en', profile: { name: 'x', url } },
        })),
      },
    }),
  }),
  tavily: (query, results) => ({
    query,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: results.map(({ url, title, snippet, published }) => ({
      ...{ url, title, content: snippet, score: 0.9, raw_content: null },
      ...(published !== undefined && { published_date: published }),
    })),
    response_time: 0.3,
  }),
}
