/** Threads: dialogues of many runs, with their files. */
import { describeFile, fileList, uploaded, uploadQuery } from '#lib/wire/artifacts'
import * as wire from '#lib/wire/threads'
import { bytes, nothing, row } from '../row'

export const threads = [
  row('GET /api/threads', {
    does: 'Lists threads, most recently used first.',
    query: wire.threadQuery,
    gives: { 200: wire.threadList },
    keys: { uses: ['chat', 'api'], reach: 'own' },
    handle: ({ app, query, key }) => {
      if (key !== undefined) return app.keyRuns.threads(key, query)
      const { agent, ...rest } = query
      return app.threads.list({ ...rest, agentId: agent })
    },
  }),
  row('POST /api/threads', {
    does: 'Creates an empty thread.',
    body: wire.createThread,
    example: { agentId: 'agent_1', title: 'Greetings' },
    gives: { 201: wire.threadSummary },
    keys: { uses: ['chat', 'api'], reach: 'own' },
    handle: ({ app, body, key }) =>
      key === undefined ? app.threads.create(body) : app.keyRuns.createThread(key, body),
  }),
  row('GET /api/threads/{id}', {
    does: 'Returns one thread with its runs, oldest first.',
    gives: { 200: wire.threadView },
    keys: { uses: ['chat', 'api'], reach: 'thread' },
    handle: ({ app, params }) => app.threads.get(params.id),
  }),
  row('PUT /api/threads/{id}', {
    does: 'Renames a thread.',
    body: wire.renameThread,
    example: { title: 'Greetings' },
    gives: { 200: wire.threadSummary },
    keys: { uses: ['chat'], reach: 'thread' },
    handle: ({ app, params, body }) => app.threads.rename(params.id, body.title),
  }),
  row('DELETE /api/threads/{id}', {
    does: 'Deletes a thread with its runs and files.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.threads.remove(params.id),
  }),
  row('GET /api/threads/{id}/files', {
    does: 'Lists the files in the workspace of a thread.',
    gives: { 200: fileList },
    keys: { uses: ['chat', 'api'], reach: 'thread' },
    handle: ({ app, params }) => app.files.list(params.id),
  }),
  row('POST /api/threads/{id}/files', {
    does: 'Uploads a file to the workspace.',
    query: uploadQuery,
    body: bytes,
    gives: { 201: uploaded },
    keys: { uses: ['chat', 'api'], reach: 'thread' },
    handle: ({ app, params, query, body }) => app.files.upload(params.id, { ...query, content: body }),
  }),
  row('GET /api/threads/{id}/files/{...path}', {
    does: 'Downloads a file of the workspace.',
    gives: { 200: bytes },
    keys: { uses: ['chat', 'api'], reach: 'thread' },
    handle: ({ app, params }) => app.files.open(params.id, params.path),
  }),
  row('PUT /api/threads/{id}/descriptions/{...path}', {
    does: 'Says what a file of the workspace is, which tools and models read with it.',
    body: describeFile,
    example: { description: 'Sales of 2024 by region.' },
    gives: { 204: nothing },
    keys: { uses: ['chat', 'api'], reach: 'thread' },
    handle: ({ app, params, body }) => app.files.describe(params.id, params.path, body.description),
  }),
  row('GET /api/artifacts/{id}', {
    does: 'Downloads a kept file.',
    gives: { 200: bytes },
    keys: { uses: ['chat', 'api'], reach: 'artifact' },
    handle: ({ app, params }) => app.artifacts.open(params.id),
  }),
] as const
