/** The API reference for readers, `docs/api.md`, generated from the table of routes. */
import { z } from 'zod'
import { errorStatus } from '#lib/spec/errors'
import { bytesInWords } from '#lib/wire/json'
import { limitsOf } from '#lib/wire/limits'
import { componentSchemas, nameOfAnswer, nameOfBody } from './openapi-schemas'
import type { Content, RouteRow } from './row'
import { shapeOf } from './shape'

const intro = `# The API

<!-- Generated from the rows in \`lib/api/routes\`. The test next to \`lib/api/reference.ts\` says how to regenerate it. -->

JSON over HTTP, at the address of the server: \`http://127.0.0.1:3000\` unless it was started with another one. \`GET /api/openapi.json\` describes the same routes in OpenAPI 3.1.

- **Token.** A server with a token requires \`Authorization: Bearer <token>\` on every route that is not marked “No token is required”.
- **Agent keys** are made by the operator and let others use one agent: \`Authorization: Bearer lwk_…\`. A key reaches only the routes marked “Agent keys”, if its use is listed there, and only its own threads and runs.
- **Bodies** are JSON, sent with \`content-type: application/json\`. A body with a key that is not listed here is rejected.
- **Lists** are \`{ items, next? }\`; \`next\` is the \`cursor\` for the next page, and absent on the last one.
- **Times** are milliseconds since 1970-01-01 UTC.
- **Saving** requires the \`revision\` that the caller last read. An outdated one is rejected with \`stale_revision\`, and \`detail.current\` is the stored agent.
- **Events of a run** are server-sent events: \`id: <run>:<seq>\`, \`event: <type>\`, and \`data:\` with a \`RunEvent\`. A comment is sent every ten seconds, and the stream ends after the run's own \`run.finished\`. A client that was disconnected sends \`Last-Event-ID\` or \`?after=<seq>\` and misses no event.
`

/**
 * The text of `docs/api.md`.
 * @param providerKinds the values of a provider's `kind`, as in `openapi`
 */
export function reference(
  nouns: Readonly<Record<string, readonly RouteRow[]>>,
  providerKinds: readonly string[],
): string {
  const chapters = Object.entries(nouns)
  const contents = [...chapters.map(([noun]) => titleOf(noun)), 'Errors', 'Types']
  const parts = [
    intro,
    `${contents.map((title) => `[${title}](#${anchorOf(title)})`).join(' · ')}\n`,
    ...chapters.flatMap(([noun, rows]) => [`## ${titleOf(noun)}\n`, ...rows.map(sectionOf)]),
    errorChapter(),
    typeChapter(providerKinds),
  ]
  return parts.join('\n')
}

function titleOf(noun: string): string {
  return `${noun[0]?.toUpperCase()}${noun.slice(1)}`
}

function sectionOf(row: RouteRow): string {
  const lines = [
    ...(row.open ? ['- No token is required.'] : []),
    ...(row.keys ? [`- Agent keys: ${row.keys.uses.map((use) => `\`${use}\``).join(', ')}.`] : []),
    ...queryLines(row),
    ...bodyLines(row),
    ...Object.entries(row.gives).map(([status, content]) => `- Returns ${status}: ${answerOf(content)}`),
  ]
  return `### \`${row.method} ${plain(row.path)}\`\n\n${row.does}\n\n${lines.join('\n')}\n\n${exampleOf(row)}`
}

function plain(path: string): string {
  return path.replace('{...', '{')
}

function queryLines({ query }: RouteRow): string[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output' })
  const texts = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name) ? ', required' : ''
    return `\`${name}\` (${shapeOf(schema).replaceAll('|', 'or')}${need})`
  })
  return [`- Query: ${texts.join(', ')}.`]
}

function bodyLines({ path, body, mayBeEmpty }: RouteRow): string[] {
  if (body === undefined) return []
  const { maxBytes } = limitsOf(path)
  const most = `at most ${bytesInWords(maxBytes)}`
  if ('kind' in body) return [`- Body: the bytes of the file, ${most}.`]
  return [`- Body: ${linkTo(nameOfBody(body))}, ${most}${mayBeEmpty ? '; optional' : ''}.`]
}

function answerOf(content: Content): string {
  if (!('kind' in content)) return `${linkTo(nameOfAnswer(content))}.`
  switch (content.kind) {
    case 'nothing':
      return 'nothing.'
    case 'bytes':
      return 'the file, as a download.'
    case 'response':
      return 'an answer of the protocol, as JSON or as an event stream.'
    case 'cookie':
      return '`{}`, and a cookie for the browser.'
    case 'withCookie':
      return `${linkTo(nameOfAnswer(content.schema))}, and a cookie for the browser.`
    case 'jsonFile':
      return `${linkTo(nameOfAnswer(content.schema))}, as a download.`
    case 'events':
      return content.allAsJson
        ? `the events as they happen; with \`Accept: application/json\`, ${linkTo(nameOfAnswer(content.allAsJson))}.`
        : 'with `Accept: text/event-stream`, the events as they happen.'
    default:
      throw content satisfies never
  }
}

function linkTo(name: string): string {
  return `[\`${name}\`](#${anchorOf(name)})`
}

/**
 * The curl example; empty for a route that requires a JSON body and has no `example`, such as a whole
 * drawing.
 */
function exampleOf({ method, path, query, body, mayBeEmpty, example }: RouteRow): string {
  const isWhole = body === undefined || mayBeEmpty || example !== undefined || 'kind' in body
  if (!isWhole) return ''
  const needed = query === undefined ? [] : (z.toJSONSchema(query, { io: 'output' }).required ?? [])
  const asked = needed.length > 0 ? `?${needed.map((name) => `${name}=report.csv`).join('&')}` : ''
  const parts = ['curl', ...(method === 'GET' ? [] : [`-X ${method}`]), ...payloadOf(body, example)]
  return `\`\`\`sh\n${parts.join(' ')} 'http://127.0.0.1:3000${plain(path)}${asked}'\n\`\`\`\n`
}

function payloadOf(body: RouteRow['body'], example: unknown): string[] {
  if (body !== undefined && 'kind' in body)
    return ["-H 'content-type: application/octet-stream' --data-binary @report.csv"]
  if (example === undefined) return []
  return [`-H 'content-type: application/json' -d '${JSON.stringify(example)}'`]
}

function errorChapter(): string {
  const rows = Object.entries(errorStatus).map(([code, status]) => `| ${status} | \`${code}\` |`)
  const told =
    '`message` is one sentence for people, `path` is the place in the request that is wrong, and `detail` is data that helps a caller to continue. A 429 or 503 has the header `Retry-After`, which says when to try again. A 405 has the header `Allow`, which lists the methods of the route.'
  return `## Errors\n\nEvery failure is an [\`Error\`](#error). ${told}\n\n| status | code |\n|---|---|\n${rows.join('\n')}\n`
}

function typeChapter(providerKinds: readonly string[]): string {
  const types = Object.entries(componentSchemas({ providerKinds })).sort(([a], [b]) =>
    a.localeCompare(b, 'en'),
  )
  const texts = types.map(([name, schema]) => `### ${name}\n\n\`\`\`ts\n${shapeOf(schema)}\n\`\`\`\n`)
  return `## Types\n\nA key with \`?\` is optional; \`any\` is any JSON value.\n\n${texts.join('\n')}`
}

/** The address of a heading within the page, as the sites that show Markdown make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
