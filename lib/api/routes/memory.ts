/** What agents remember: seen, searched, changed and forgotten by people. */
import * as wire from '#lib/wire/memory'
import { nothing, row } from '../row'

export const memory = [
  row('GET /api/agents/{id}/memory', {
    does: 'Lists what an agent remembers, last changed first.',
    query: wire.memoryQuery,
    gives: { 200: wire.memoryList },
    handle: ({ app, params, query }) => app.memory.list(params.id, query),
  }),
  row('GET /api/agents/{id}/memory-owners', {
    does: 'Lists the memories of an agent: one for each user, and for each thread without a user.',
    gives: { 200: wire.memoryOwners },
    handle: ({ app, params }) => app.memory.owners(params.id),
  }),
  row('POST /api/agents/{id}/memory/search', {
    does: 'Shows what a question finds in one memory, with the score of each entry.',
    body: wire.searchMemory,
    example: { owner: 'user:ada', query: 'favourite colour' },
    gives: { 200: wire.foundMemory },
    handle: ({ app, params, body, request }) => app.memory.search(params.id, body, request.signal),
  }),
  row('POST /api/agents/{id}/memory/forget', {
    does: 'Forgets a whole memory of an agent.',
    body: wire.forgetMemory,
    example: { owner: 'user:ada' },
    gives: { 200: wire.forgotten },
    handle: ({ app, params, body }) => ({ forgotten: app.memory.forgetAll(params.id, body.owner) }),
  }),
  row('PUT /api/agents/{id}/memory/{entryId}', {
    does: 'Changes the text of an entry.',
    body: wire.editMemory,
    example: { text: 'Ada prefers answers in metric units.' },
    gives: { 200: wire.memoryEntry },
    handle: ({ app, params, body }) => app.memory.edit(params.id, params.entryId, body.text),
  }),
  row('DELETE /api/agents/{id}/memory/{entryId}', {
    does: 'Forgets an entry.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.memory.forget(params.id, params.entryId),
  }),
] as const
