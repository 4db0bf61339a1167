/** The search service with which tools search the web. */
import { saveWebSearch, testWebSearch, webSearchTest, webSearchView } from '#lib/wire/web-search'
import { row } from '../row'

export const webSearch = [
  row('GET /api/web-search', {
    does: 'Returns which service the tools search the web with, and what is missing for it.',
    gives: { 200: webSearchView },
    handle: ({ app }) => app.webSearch.view(),
  }),
  row('PUT /api/web-search', {
    does: 'Sets up the search service. The key is stored encrypted, and is sent only to the origin of the address.',
    body: saveWebSearch,
    example: { engine: 'searxng', baseUrl: 'http://127.0.0.1:8080' },
    gives: { 200: webSearchView },
    handle: ({ app, body }) => app.webSearch.save(body),
  }),
  row('DELETE /api/web-search', {
    does: 'Removes the search service of the settings and its key.',
    gives: { 200: webSearchView },
    handle: ({ app }) => app.webSearch.remove(),
  }),
  row('POST /api/web-search/test', {
    does: 'Searches once, with the service that is set up or with the one in the body, which is not stored.',
    body: testWebSearch,
    example: {},
    gives: { 200: webSearchTest },
    handle: ({ app, body, request }) => app.webSearch.test(body.search, request.signal),
  }),
] as const
