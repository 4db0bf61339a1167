/** The port that searches the web through the service that a person has set up. */

export const searchEngines = ['searxng', 'brave', 'tavily'] as const
export type SearchEngine = (typeof searchEngines)[number]

export const engineNames: Readonly<Record<SearchEngine, string>> = {
  searxng: 'SearXNG',
  brave: 'Brave Search',
  tavily: 'Tavily',
}

/** How old a page may be. */
export const freshness = ['day', 'week', 'month', 'year'] as const
export type Freshness = (typeof freshness)[number]

/** The most results of one search. */
export const mostResults = 20

export interface SearchQuery {
  readonly query: string
  /** At most `mostResults`. */
  readonly count: number
  readonly freshness?: Freshness | undefined
  /** A language code such as `de`. */
  readonly language?: string | undefined
}

export interface SearchResult {
  readonly title: string
  /** Always http or https. */
  readonly url: string
  readonly snippet: string
  /** As the service gives it. */
  readonly published?: string
}

export type SearchAnswer =
  | { readonly ok: true; readonly engine: SearchEngine; readonly results: readonly SearchResult[] }
  | {
      readonly ok: false
      readonly code: string
      /** One sentence, without the key. */
      readonly message: string
      readonly retryable: boolean
      readonly retryAfterMs?: number
    }

/** Never throws. */
export interface SearchPort {
  /** Why nothing can be searched here, and what to do about it; undefined when a search can be tried. */
  lack(): string | undefined
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>
}

export const noSearchHere =
  'No web search is set up here. A person can set one up under Settings → Web search.'

export const noSearch: SearchPort = {
  lack: () => noSearchHere,
  search: async () => ({ ok: false, code: 'unavailable', message: noSearchHere, retryable: false }),
}
