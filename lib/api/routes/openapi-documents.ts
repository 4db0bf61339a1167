/** OpenAPI documents: those that agents choose operations from. */
import * as wire from '#lib/wire/openapi-documents'
import { nothing, row } from '../row'

export const openapiDocuments = [
  row('GET /api/openapi-documents', {
    does: 'Lists the OpenAPI documents that operations can be chosen from.',
    gives: { 200: wire.openapiDocumentList },
    handle: ({ app }) => app.openapiDocuments.list(),
  }),
  row('POST /api/openapi-documents', {
    does: 'Adds an OpenAPI document of version 3.0 or 3.1, as text or by its address, or reads the one of this name again. Operations that have changed are off in every agent until a person has looked at them.',
    body: wire.addOpenapiDocument,
    example: { name: 'pet-store', url: 'https://api.example.com/openapi.json' },
    gives: { 200: wire.addedOpenapiDocument },
    handle: ({ app, body, request }) => app.openapiDocuments.add(body, request.signal),
  }),
  row('GET /api/openapi-documents/{name}', {
    does: 'Returns an OpenAPI document with its operations, without their arguments.',
    gives: { 200: wire.openapiDocumentDetail },
    handle: ({ app, params }) => app.openapiDocuments.get(params.name),
  }),
  row('DELETE /api/openapi-documents/{name}', {
    does: 'Removes an OpenAPI document. Agents keep the operations that they use.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.openapiDocuments.remove(params.name),
  }),
  row('POST /api/openapi-documents/{name}/operations', {
    does: 'Returns operations as an entry of a config holds them, which needs no document.',
    body: wire.resolveOperations,
    example: { names: ['getPet'] },
    gives: { 200: wire.resolvedOperations },
    handle: ({ app, params, body }) => app.openapiDocuments.resolve(params.name, body.names),
  }),
] as const
