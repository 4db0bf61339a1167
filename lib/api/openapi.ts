/** The API in OpenAPI 3.1, made from the schemas by which requests are read and answers are checked. */
import { z } from 'zod'
import { type Operation, routes } from './openapi-routes'
import { componentSchemas } from './openapi-schemas'

type Json = Readonly<Record<string, unknown>>

const known = new Map<string, Json>()

/**
 * The same object for the same version of the product and kinds of providers.
 * @param providerKinds what `kind` of a provider may be, which the parts of a server tell and no schema does
 */
export function openapi(version: string, providerKinds: readonly string[]): Json {
  const key = JSON.stringify([version, providerKinds])
  const document = known.get(key) ?? documentOf(version, providerKinds)
  known.set(key, document)
  return document
}

function documentOf(version: string, providerKinds: readonly string[]): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Loopwright',
      version,
      description:
        'Agents are drawn, compiled to one config, and run; a run is a stream of events. Times are milliseconds since 1970.',
    },
    servers: [{ url: '/' }],
    // On its own machine a server may ask for nothing; the rest follow from the operator's token.
    security: [{}, { token: [] }, { session: [] }],
    paths: Object.fromEntries(
      Object.entries(routes).map(([path, verbs]) => [
        path,
        Object.fromEntries(
          Object.entries(verbs).map(([verb, operation]) => [verb, operationOf(path, verb, operation)]),
        ),
      ]),
    ),
    components: {
      schemas: componentSchemas({ providerKinds }),
      responses: {
        Failure: {
          description: 'What went wrong: by its code for a program, in one sentence for a person.',
          content: json('Error'),
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'loopwright' },
      },
    },
  }
}

function operationOf(path: string, verb: string, operation: Operation): Json {
  const parameters = [...inPath(path), ...inQuery(operation), ...positions(operation)]
  const { body } = operation
  return {
    operationId: [verb, ...path.split('/').slice(2)].join('_').replace(/[{}]/g, '').replace(/\W/g, '_'),
    tags: [path.split('/')[2]],
    summary: operation.does,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: operation.mayBeEmpty !== true,
        content: body === 'bytes' ? bytes : json(body),
      },
    }),
    responses: { ...answersOf(operation), default: { $ref: '#/components/responses/Failure' } },
    ...(operation.open && { security: [] }),
  }
}

function inPath(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function inQuery({ query }: Operation): Json[] {
  if (query === undefined) return []
  // Numbers come as text and are read as numbers: what a caller may write is what is read.
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** How a reader of events says where it was. */
function positions({ streams }: Operation): Json[] {
  if (streams !== 'usually') return []
  const schema = { type: 'string' }
  return [
    {
      name: 'after',
      in: 'query',
      required: false,
      schema,
      description: 'The number of the last event read.',
    },
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      schema,
      description: 'As a browser sends it: `<run>:<number>`.',
    },
  ]
}

function answersOf({ gives, status, streams }: Operation): Json {
  const json201 = { description: 'Made.', content: contentOf(gives) }
  if (gives === 'nothing') return { 204: { description: 'Done.' } }
  if (streams === 'on_request') {
    const stream = { description: 'Its events, asked for by `Accept: text/event-stream`.', content: events }
    return { 200: stream, 201: json201 }
  }
  if (streams === 'usually') {
    const content = { ...events, ...contentOf(gives) }
    const either = { description: 'Events as they happen, or all so far as JSON.', content }
    return { 200: either, 204: { description: 'The run is over and all its events are read.' } }
  }
  return status === 201 ? { 201: json201 } : { 200: { description: 'As asked.', content: contentOf(gives) } }
}

function contentOf(gives: Operation['gives']): Json {
  if (gives === 'file') return bytes
  if (gives === 'nothing') return {}
  return json(gives === 'empty' ? 'Nothing' : gives)
}

const bytes: Json = { 'application/octet-stream': {} }

/** Each event is a block of `id: <run>:<seq>`, `event: <type>` and `data:` with the whole event as JSON. */
const events: Json = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Server-sent events. Each has `id: <run>:<seq>`, `event: <type>` and, as its `data`, one RunEvent in JSON. A comment is sent every ten seconds. The stream ends after the run’s own `run.finished`; a reader that was cut off goes on by `Last-Event-ID`.',
      contentMediaType: 'text/event-stream',
      contentSchema: ref('RunEvent'),
    },
  },
}

function json(name: string): Json {
  return { 'application/json': { schema: ref(name) } }
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}
