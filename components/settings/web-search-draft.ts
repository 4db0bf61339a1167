/** What a person types into the form of web search, and what the form says about it. */
import { plural } from '#components/run/figures'
import type { SearchEngine } from '#lib/spec/web-search'
import type { SaveWebSearch, WebSearchTest, WebSearchView } from '#lib/wire/web-search'

export interface SearchDraft {
  readonly engine: SearchEngine
  readonly baseUrl: string
  readonly key: string
}

interface Hints {
  readonly address: string
  readonly key: string
  /** Shown while no address is typed. */
  readonly usual: string
}

export const searchHints: Readonly<Record<SearchEngine, Hints>> = {
  searxng: {
    address: 'Where your SearXNG runs. Its settings.yml must list json under search.formats.',
    key: 'Only if a proxy in front of it asks for one; it is sent as a bearer token.',
    usual: 'http://127.0.0.1:8080',
  },
  brave: {
    address: 'Leave it empty to use the service’s own address.',
    key: 'From api-dashboard.search.brave.com.',
    usual: 'https://api.search.brave.com/res/v1',
  },
  tavily: {
    address: 'Leave it empty to use the service’s own address.',
    key: 'From app.tavily.com.',
    usual: 'https://api.tavily.com',
  },
}

export function searchDraftOf(search: WebSearchView | undefined): SearchDraft {
  const engine = search?.engine ?? 'searxng'
  const { baseUrl = null } = search ?? {}
  const isUsual = engine !== 'searxng' && baseUrl === searchHints[engine].usual
  return { engine, baseUrl: isUsual ? '' : (baseUrl ?? ''), key: '' }
}

/** Whether it can be saved: SearXNG has an address, the others have a key. */
export function isSearchComplete({ engine, baseUrl, key }: SearchDraft, search?: WebSearchView): boolean {
  if (engine === 'searxng') return baseUrl.trim() !== ''
  return key.trim() !== '' || (search?.engine === engine && search.key !== null)
}

export function searchIn({ engine, baseUrl, key }: SearchDraft): SaveWebSearch {
  return {
    engine,
    ...(baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
    ...(key.trim() !== '' && { key: key.trim() }),
  }
}

export function testWords(test: WebSearchTest): { tone: 'ok' | 'warn' | 'error'; text: string } {
  if (!test.ok) return { tone: 'error', text: test.message }
  if (test.results === 0)
    return {
      tone: 'warn',
      text: 'It answers, but found nothing for “weather”. Its engines may be switched off.',
    }
  const title = test.title === undefined ? '' : `, first “${test.title}”`
  return {
    tone: 'ok',
    text: `It found ${plural(test.results, 'page')} for “weather” in ${test.durationMs} ms${title}.`,
  }
}
