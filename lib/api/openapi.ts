/** The API in OpenAPI 3.1, generated from the schemas that validate requests and answers. */
import { z } from 'zod'
import { componentSchemas, nameOfAnswer, nameOfBody } from './openapi-schemas'
import type { Content, RouteRow } from './row'

type Json = Readonly<Record<string, unknown>>

const known = new Map<string, Json>()

/**
 * The same version and provider kinds always give the same object.
 * @param providerKinds the values of a provider's `kind`: they come from the server's parts, not from a
 * schema
 */
export function openapi(
  rows: readonly RouteRow[],
  { version, providerKinds }: { version: string; providerKinds: readonly string[] },
): Json {
  const key = JSON.stringify([version, providerKinds])
  const document = known.get(key) ?? documentOf(rows, { version, providerKinds })
  known.set(key, document)
  return document
}

function documentOf(
  rows: readonly RouteRow[],
  { version, providerKinds }: { version: string; providerKinds: readonly string[] },
): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Loopwright',
      version,
      description:
        'An agent is drawn, compiled to one config, and run. A run is a stream of events. Times are milliseconds since 1970-01-01 UTC.',
    },
    servers: [{ url: '/' }],
    // Alternatives: nothing, on a person's own machine; the operator's token; a session opened with it.
    security: [{}, { token: [] }, { session: [] }],
    paths: pathsOf(rows),
    components: {
      schemas: componentSchemas({ providerKinds }),
      responses: {
        Failure: {
          description: 'What went wrong: a code for programs and a sentence for people.',
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

function pathsOf(rows: readonly RouteRow[]): Json {
  const paths: Record<string, Json> = {}
  for (const row of rows) {
    const path = plainPath(row)
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(path, row) }
  }
  return paths
}

/** The path as OpenAPI writes it; OpenAPI has no syntax for the rest of a path. */
function plainPath({ path }: RouteRow): string {
  return path.replace('{...', '{')
}

function operationOf(path: string, row: RouteRow): Json {
  const parameters = [...inPath(path), ...inQuery(row), ...positions(row)]
  const { body } = row
  return {
    operationId: [row.method.toLowerCase(), ...path.split('/').slice(2)]
      .join('_')
      .replace(/[{}]/g, '')
      .replace(/\W/g, '_'),
    tags: [path.split('/')[2]],
    summary: row.does,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: row.mayBeEmpty !== true,
        content: 'kind' in body ? plainBytes : json(nameOfBody(body)),
      },
    }),
    responses: { ...answersOf(row), default: { $ref: '#/components/responses/Failure' } },
    ...(row.open && { security: [] }),
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

function inQuery({ query }: RouteRow): Json[] {
  if (query === undefined) return []
  // Numbers arrive as text and are read as numbers, so the output schema shows what a caller may write.
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** The parameters by which a reader of events resumes. */
function positions({ gives }: RouteRow): Json[] {
  if (!isResumable(gives[200])) return []
  const schema = { type: 'string' }
  return [
    {
      name: 'after',
      in: 'query',
      required: false,
      schema,
      description: 'The number of the last event that was read; the stream continues after it.',
    },
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      schema,
      description:
        'The id of the last event that was read, `<run>:<number>`, as browsers send it when they reconnect.',
    },
  ]
}

/** Whether events are the usual answer, rather than one that a caller must ask for. */
function isResumable(content: Content | undefined): boolean {
  return content !== undefined && 'kind' in content && content.kind === 'events' && 'allAsJson' in content
}

function answersOf({ gives }: RouteRow): Json {
  return Object.fromEntries(
    Object.entries(gives).map(([status, content]) => [
      status,
      { description: descriptionOf(status, gives), ...contentOf(content) },
    ]),
  )
}

function descriptionOf(status: string, gives: RouteRow['gives']): string {
  if (status === '201') return 'Created.'
  if (status === '202') return 'The run that is under way has the message.'
  const isResumed = isResumable(gives[200])
  if (status === '204')
    return isResumed ? 'The run has finished, and all its events have been read.' : 'Done.'
  if (isResumed) return 'The events as they happen, or all events so far as JSON.'
  return gives[201] ? 'The events of the run, if the request has `Accept: text/event-stream`.' : 'Success.'
}

function contentOf(content: Content): Json {
  if (!('kind' in content)) return { content: json(nameOfAnswer(content)) }
  switch (content.kind) {
    case 'nothing':
      return {}
    case 'bytes':
      return { content: plainBytes }
    case 'response':
      return {}
    case 'cookie':
      return { content: json('Nothing') }
    case 'withCookie':
    case 'jsonFile':
      return { content: json(nameOfAnswer(content.schema)) }
    case 'events':
      return { content: { ...events, ...(content.allAsJson && json(nameOfAnswer(content.allAsJson))) } }
    default:
      throw content satisfies never
  }
}

const plainBytes: Json = { 'application/octet-stream': {} }

/** Each event is a block of `id: <run>:<seq>`, `event: <type>` and `data:` with the whole event as JSON. */
const events: Json = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Server-sent events. Each has `id: <run>:<seq>`, `event: <type>` and, as its `data`, one RunEvent in JSON. A comment is sent every ten seconds. The stream ends after the run’s own `run.finished`; a client that was disconnected resumes with `Last-Event-ID`.',
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
