/** Collections of knowledge, their files, and the model that compares texts by meaning. */
import * as wire from '#lib/wire/knowledge'
import { bytes, nothing, row } from '../row'

export const knowledge = [
  row('GET /api/knowledge', {
    does: 'Lists the collections that agents can search.',
    gives: { 200: wire.collectionList },
    handle: ({ app }) => app.knowledge.list(),
  }),
  row('POST /api/knowledge', {
    does: 'Creates an empty collection.',
    body: wire.createCollection,
    example: { name: 'handbook', description: 'How we work.' },
    gives: { 201: wire.collectionView },
    handle: ({ app, body }) => app.knowledge.create(body),
  }),
  row('GET /api/knowledge/{name}', {
    does: 'Returns a collection with its files.',
    gives: { 200: wire.collectionDetail },
    handle: ({ app, params }) => app.knowledge.get(params.name),
  }),
  row('PUT /api/knowledge/{name}', {
    does: 'Changes the description of a collection.',
    body: wire.describeCollection,
    example: { description: 'How we work.' },
    gives: { 200: wire.collectionView },
    handle: ({ app, params, body }) => app.knowledge.describe(params.name, body.description),
  }),
  row('DELETE /api/knowledge/{name}', {
    does: 'Deletes a collection with its files. Agents that name it search it no more.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.knowledge.remove(params.name),
  }),
  row('POST /api/knowledge/{name}/files', {
    does: 'Adds a file to a collection: text, Markdown, HTML, PDF or DOCX, up to 50 MB. It replaces a file of the same name. Only its text is kept.',
    query: wire.addFileQuery,
    body: bytes,
    gives: { 201: wire.collectionFile },
    handle: ({ app, params, query, body, request }) =>
      app.knowledge.addFile(params.name, { name: query.name, content: body }, request.signal),
  }),
  row('DELETE /api/knowledge/{name}/files/{id}', {
    does: 'Removes a file from a collection.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.knowledge.removeFile(params.name, params.id),
  }),
  row('POST /api/knowledge-search', {
    does: 'Shows what a question finds in collections, with the score of each passage.',
    body: wire.searchCollections,
    example: { query: 'How long can a customer return a product?', collections: ['handbook'] },
    gives: { 200: wire.foundPassages },
    handle: ({ app, body, request }) => app.knowledge.look(body, request.signal),
  }),
  row('GET /api/embeddings', {
    does: 'Returns the model that compares texts by meaning, and how many texts it has read.',
    gives: { 200: wire.embeddingsView },
    handle: ({ app }) => app.embeddings.view(),
  }),
  row('PUT /api/embeddings', {
    does: 'Sets the model that compares texts by meaning, after a test, or none. Every text is then sent to it in the background.',
    body: wire.saveEmbeddings,
    example: { model: { provider: 'ollama', name: 'nomic-embed-text' } },
    gives: { 200: wire.embeddingsView },
    handle: ({ app, body, request }) => app.embeddings.save(body, request.signal),
  }),
] as const
