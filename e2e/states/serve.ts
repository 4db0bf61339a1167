/** Serves the page of states, which exists only in tests. */
import path from 'node:path'
import type { StepRequest } from '#lib/wire/runs'
import { servePage } from '../serve-page.mjs'

export type StatesPage = Awaited<ReturnType<typeof servePage>>

/** Of the server's API only the requests of steps are answered; every list is empty. */
export function serveStates(): Promise<StatesPage> {
  return servePage(path.join(__dirname, 'page.tsx'), {
    title: 'States · Loopwright',
    answer: (pathname) => (pathname.includes('/requests/') ? stepRequest : { items: [], total: 0 }),
  })
}

const stepRequest: StepRequest = {
  request: { model: 'gpt-5-mini', messages: [] },
  exact: true,
  context: { system: 412, tools: 638, history: 214, observations: 1_054, window: 400_000 },
  http: {
    url: 'https://api.openai.com/v1/chat/completions',
    headers: { authorization: 'Bearer $OPENAI_API_KEY' },
  },
}
