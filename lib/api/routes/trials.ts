/** The tools of an agent's draft: tried by hand, and mocked. */
import { keptMock } from '#lib/spec/trial'
import { emptyBody } from '#lib/wire/empty'
import * as wire from '#lib/wire/trials'
import { nothing, response, row } from '../row'
import { streamTry } from '../trial-stream'

export const trials = [
  row('GET /api/agents/{id}/trials', {
    does: 'Lists the tools of an agent’s draft as a person can try them, with their mocks.',
    gives: { 200: wire.trialToolList },
    handle: ({ app, params, request }) => app.trials.tools(params.id, request.signal),
  }),
  row('POST /api/agents/{id}/trials', {
    does: 'Returns the thread whose workspace all tries of the agent share, and makes it if there is none. Files for tries are uploaded to it.',
    body: emptyBody,
    mayBeEmpty: true,
    gives: { 200: wire.trialThread },
    handle: ({ app, params }) => app.trials.thread(params.id),
  }),
  row('GET /api/agents/{id}/trials/{tool}', {
    does: 'Lists the last tries of a tool, the newest first. Known secrets are replaced in their arguments and results.',
    gives: { 200: wire.tryList },
    handle: ({ app, params }) => app.trials.tries(params.id, params.tool),
  }),
  row('POST /api/agents/{id}/trials/{tool}', {
    does: 'Tries a tool of the draft with the given arguments, and keeps the try. Answers with server-sent events, each of them JSON: `progress`, `shown`, `wait`, `file`, `asks` and `answered` while it works, then `done`. It is stopped when the connection is closed. A tool that may change something needs `confirmed`.',
    body: wire.beginTry,
    example: { args: { expression: '6*7' } },
    gives: { 200: response },
    handle: async ({ app, params, body, request }) => {
      const gone = new AbortController()
      const signal = AbortSignal.any([request.signal, gone.signal])
      const run = await app.trials.begin(params.id, { tool: params.tool, ...body, signal })
      return streamTry(run, { signal: request.signal, stop: () => gone.abort() })
    },
  }),
  row('DELETE /api/agents/{id}/trials/{tool}', {
    does: 'Forgets the kept tries of a tool.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.trials.forget(params.id, params.tool),
  }),
  row('POST /api/agents/{id}/trials/{tool}/replies', {
    does: 'Replies to a question of a tool that is tried, or declines it.',
    body: wire.replyInTry,
    example: { tryId: 'try_1', questionId: 'call_1_1 question', text: 'Lisbon' },
    gives: { 204: nothing },
    handle: ({ app, body }) => app.trials.reply(body),
  }),
  row('GET /api/agents/{id}/mocks', {
    does: 'Lists the mocks of an agent’s draft.',
    gives: { 200: wire.mockList },
    handle: ({ app, params }) => app.mocks.list(params.id),
  }),
  row('PUT /api/agents/{id}/mocks/{tool}', {
    does: 'Sets the mock of a tool: what answers its calls in runs of the draft, in place of the tool. It is part of no version and no export.',
    body: wire.saveMock,
    example: { mock: { answer: { kind: 'fixed', text: 'Sunny, 21 °C' } } },
    gives: { 200: keptMock },
    handle: ({ app, params, body }) => app.mocks.save(params.id, params.tool, body),
  }),
  row('DELETE /api/agents/{id}/mocks/{tool}', {
    does: 'Removes the mock of a tool.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.mocks.remove(params.id, params.tool),
  }),
] as const
