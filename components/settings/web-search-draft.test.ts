import { describe, expect, test } from 'vitest'
import { isSearchComplete, searchDraftOf, searchIn, testWords } from './web-search-draft'

const kept = {
  engine: 'brave',
  from: 'settings',
  baseUrl: 'https://api.search.brave.com/res/v1',
  key: { secret: 'WEB_SEARCH_BRAVE_KEY', hint: 'abcd' },
} as const

describe('the form of web search', () => {
  test('leaves the usual address of a service empty, and sends nothing that was not typed', () => {
    expect(searchDraftOf(kept)).toEqual({ engine: 'brave', baseUrl: '', key: '' })
    expect(searchIn(searchDraftOf(kept))).toEqual({ engine: 'brave' })
    expect(searchIn({ engine: 'searxng', baseUrl: ' http://127.0.0.1:8080 ', key: '' })).toEqual({
      ...{ engine: 'searxng', baseUrl: 'http://127.0.0.1:8080' },
    })
  })

  test('can be saved with an address for SearXNG, and with a key or a stored one for the others', () => {
    expect(isSearchComplete(searchDraftOf(undefined))).toBe(false)
    expect(isSearchComplete({ engine: 'searxng', baseUrl: 'http://x', key: '' })).toBe(true)
    expect(isSearchComplete({ engine: 'tavily', baseUrl: '', key: '' }, kept)).toBe(false)
    expect(isSearchComplete({ engine: 'tavily', baseUrl: '', key: 'k' })).toBe(true)
    expect(isSearchComplete(searchDraftOf(kept), kept)).toBe(true)
  })

  test('says what a test found', () => {
    expect(testWords({ ok: false, message: 'No.' })).toEqual({ tone: 'error', text: 'No.' })
    expect(testWords({ ok: true, results: 0, durationMs: 3 }).tone).toBe('warn')
    expect(testWords({ ok: true, results: 1, durationMs: 3 }).text).toBe(
      'It found 1 page for “weather” in 3 ms.',
    )
    expect(testWords({ ok: true, results: 3, durationMs: 40, title: 'Rain' }).text).toBe(
      'It found 3 pages for “weather” in 40 ms, first “Rain”.',
    )
  })
})
