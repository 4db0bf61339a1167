/** Threads: dialogues of many runs, with their files. */
import { fileList, uploaded, uploadQuery } from '#lib/wire/artifacts'
import * as wire from '#lib/wire/threads'
import { bytes, nothing, row } from '../row'

export const threads = [
  row('GET /api/threads', {
    does: 'Lists dialogues, the last one used first.',
    query: wire.threadQuery,
    gives: { 200: wire.threadList },
    handle: ({ app, query: { agent, ...rest } }) => app.threads.list({ ...rest, agentId: agent }),
  }),
  row('POST /api/threads', {
    does: 'Makes an empty dialogue.',
    body: wire.createThread,
    example: { agentId: 'agent_1', title: 'Greetings' },
    gives: { 201: wire.threadSummary },
    handle: ({ app, body }) => app.threads.create(body),
  }),
  row('GET /api/threads/{id}', {
    does: 'One dialogue with its runs, the oldest first.',
    gives: { 200: wire.threadView },
    handle: ({ app, params }) => app.threads.get(params.id),
  }),
  row('PUT /api/threads/{id}', {
    does: 'Renames a dialogue.',
    body: wire.renameThread,
    example: { title: 'Greetings' },
    gives: { 200: wire.threadSummary },
    handle: ({ app, params, body }) => app.threads.rename(params.id, body.title),
  }),
  row('DELETE /api/threads/{id}', {
    does: 'Removes a dialogue with its runs and files.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.threads.remove(params.id),
  }),
  row('GET /api/threads/{id}/files', {
    does: 'Lists what stands in the dialogue’s workspace.',
    gives: { 200: fileList },
    handle: ({ app, params }) => app.files.list(params.id),
  }),
  row('POST /api/threads/{id}/files', {
    does: 'Gives a file to the workspace.',
    query: uploadQuery,
    body: bytes,
    gives: { 201: uploaded },
    handle: ({ app, params, query, body }) =>
      app.files.upload(params.id, { name: query.name, content: body }),
  }),
  row('GET /api/threads/{id}/files/{...path}', {
    does: 'A file of the workspace, to save.',
    gives: { 200: bytes },
    handle: ({ app, params }) => app.files.open(params.id, params.path),
  }),
  row('GET /api/artifacts/{id}', {
    does: 'A kept file, to save.',
    gives: { 200: bytes },
    handle: ({ app, params }) => app.artifacts.open(params.id),
  }),
] as const
