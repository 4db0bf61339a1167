/** The toolkit of a single tool that sends one HTTP request: its address, headers and body come from the entry. */
import { z } from 'zod'
import {
  type HttpMethod,
  type HttpValue,
  headerName,
  httpMethod,
  httpValue,
  methodClasses,
} from '#lib/spec/http'
import type { OpenSecret } from '#lib/spec/http-port'
import { atMost, isObject, type JsonObject, type JsonValue, jsonValue } from '#lib/spec/json'
import type { WebRequest } from '#lib/spec/sandbox'
import { refuse, type Tool, type ToolContext, type ToolOutput } from '#lib/spec/tool'
import type { EntryFault, NamedSecret, Toolkit } from '#lib/spec/toolkit'
import { code } from './code'
import { fillAddress, marksIn, textOf } from './http-address'
import { readAnswer } from './http-answer'
import {
  addToQuery,
  argumentOf,
  fillBody,
  fillValue,
  headerText,
  referencesIn,
  writeBody,
} from './http-values'

const addressForm = 'an http or https address such as "https://api.example.com/weather/{city}"'
const mostValues = 100
export const mostBytes = 10 * 1024 * 1024
/** The longest that the client itself waits; the call's own time limit ends it before. */
export const longestMs = 3_600_000
export const usualBytes = 2 * 1024 * 1024

/** Sent unless the entry says otherwise. */
export const usualHeaders = {
  accept: 'application/json, text/*;q=0.9, */*;q=0.5',
  'user-agent': 'Loopwright',
}

const { name, description, parameters } = code.settings.shape

export const maxBytesSetting = z
  .int()
  .min(1)
  .max(mostBytes)
  .default(usualBytes)
  .meta({ title: 'Largest answer', description: 'A larger answer is an error.', unit: 'bytes' })

const settings = z.object({
  name,
  description,
  method: httpMethod.default('GET').meta({
    title: 'Method',
    description: 'GET and HEAD only read. PUT and DELETE may run twice, POST and PATCH must not.',
  }),
  url: z
    .string()
    .max(4_096)
    // The marks may not choose the host.
    .regex(/^https?:\/\/[^\s/?#{}@\\]+([/?#][^\s\\]*)?$/, addressForm)
    .meta({
      title: 'Address',
      description: 'Parameters go into it as {name}. Private addresses need LOOPWRIGHT_ALLOW_HOSTS.',
      form: addressForm,
      format: 'http-url',
    }),
  parameters,
  query: atMost(z.record(z.string().min(1).max(256), httpValue), mostValues)
    .default({})
    .meta({
      title: 'Query',
      description: 'Added to the address. A parameter that is not given is left out; a list is repeated.',
    }),
  headers: atMost(z.record(headerName, httpValue), mostValues).default({}).meta({
    title: 'Headers',
    description: 'A secret goes only to the origins that it lists.',
  }),
  body: jsonValue.optional().meta({
    title: 'Body',
    description:
      'JSON in which {"param": "name"} is a parameter, and {"secret": "NAME"} a secret. A parameter that is not given is left out.',
    format: 'http-body',
  }),
  bodyFormat: z.enum(['json', 'form', 'text']).default('json').meta({
    title: 'Body is sent as',
    description: 'form takes an object of fields, text a single text.',
  }),
  maxBytes: maxBytesSetting,
})

type Entry = z.output<typeof settings>

export const http: Toolkit<typeof settings> = {
  id: 'http',
  label: 'HTTP request',
  group: 'Web',
  help: 'A tool of your own that sends one request to an API: an address with parameters, headers with secrets, and a body.',
  keywords: ['http', 'rest', 'api', 'request', 'fetch', 'curl', 'webhook', 'json', 'endpoint', 'post', 'get'],
  icon: 'send',
  family: 'tool',
  settings,
  scope: { name: 'name' },
  classChoice: { key: 'method', fallback: 'GET', classes: methodClasses },
  initial: {
    name: 'get_weather',
    description: 'Returns the current weather of a city.',
    url: 'https://api.example.com/weather/{city}',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', description: 'The name of the city.' } },
      required: ['city'],
    },
  },
  check: checkEntry,
  secrets: (entry) => secretsOf(entry),
  open: async (entry) => [toolOf(entry)],
}

function toolOf(entry: Entry): Tool {
  const { name, description, method, parameters } = entry
  return {
    name,
    label: name,
    description,
    icon: 'send',
    ...methodClasses[method],
    timeoutSeconds: 30,
    parameters,
    run: (args, context) => send(entry, args, context),
  }
}

async function send(entry: Entry, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const { method } = entry
  const address = fillAddress(entry.url, (name) => argumentOf(args, name))
  if (!address.ok) return refuse(address.error, 'bad_argument')
  const fault = headerFault(entry.headers, args)
  if (fault !== undefined) return refuse(fault, 'bad_argument')
  const url = address.value
  const answer = await context.ports.http.send(
    {
      url,
      secrets: [...new Set(secretsOf(entry).map((each) => each.name))],
      build: (open) => requestOf(entry, { url, args, open }),
    },
    context.signal,
  )
  return readAnswer(answer, { method, address: url.split(/[?#]/, 1)[0] ?? '' }, context)
}

/** Headers from parameters are checked before the request, since a model can correct them. */
function headerFault(headers: Entry['headers'], args: JsonObject): string | undefined {
  return Object.entries(headers)
    .map(([name, value]) =>
      typeof value === 'object' && 'param' in value
        ? headerText(name, argumentOf(args, value.param)).fault
        : undefined,
    )
    .find((fault) => fault !== undefined)
}

function requestOf(
  { method, query, headers, body, bodyFormat, maxBytes }: Entry,
  { url, ...filling }: { url: string; args: JsonObject; open: OpenSecret },
): WebRequest {
  const target = new URL(url)
  for (const [key, value] of Object.entries(query))
    addToQuery(target.searchParams, key, fillValue(value, filling))
  const sent = new Map<string, string>(Object.entries(usualHeaders))
  const written = writeBody(body === undefined ? undefined : fillBody(body, filling), bodyFormat)
  if (written !== undefined) sent.set('content-type', written.mediaType)
  for (const [key, value] of Object.entries(headers)) {
    const text = textOf(fillValue(value, filling))
    if (text !== undefined) sent.set(key.toLowerCase(), text)
  }
  return {
    url: target.href,
    method,
    headers: Object.fromEntries(sent),
    ...(written !== undefined && { body: written.text }),
    maxBytes,
    timeoutMs: longestMs,
    ...(!isReading(method) && { staysAtOrigin: true }),
  }
}

export function isReading(method: HttpMethod): boolean {
  return methodClasses[method].effect === 'read'
}

type Reference = { readonly reference: Exclude<HttpValue, string>; readonly path: string }

function referencesOf({ query, headers, body }: Pick<Entry, 'query' | 'headers' | 'body'>): Reference[] {
  const flat = (values: Readonly<Record<string, HttpValue>>, key: string): Reference[] =>
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [] : [{ reference: value, path: `${key}/${name}` }],
    )
  return [...flat(query, 'query'), ...flat(headers, 'headers'), ...referencesIn(body, 'body')]
}

function secretsOf(entry: Entry): NamedSecret[] {
  if (!URL.canParse(entry.url)) return []
  const { origin } = new URL(entry.url)
  return referencesOf(entry).flatMap(({ reference, path }) =>
    'secret' in reference ? [{ name: reference.secret, origin, path }] : [],
  )
}

/** Parameters that are named and do not exist, or exist and are used nowhere, and a body that cannot be sent. */
function checkEntry(entry: Entry): EntryFault[] {
  const { url, method, body, bodyFormat, parameters } = entry
  const known = isObject(parameters.properties) ? Object.keys(parameters.properties) : []
  const named = [
    ...marksIn(url).map((name) => ({ name, path: 'url' })),
    ...referencesOf(entry).flatMap(({ reference, path }) =>
      'param' in reference ? [{ name: reference.param, path }] : [],
    ),
  ]
  const missing = named.filter(({ name }) => !known.includes(name))
  const used = new Set(named.map(({ name }) => name))
  return [
    ...missing.map(({ name, path }): EntryFault => {
      const message = `There is no parameter “${name}”. Add it to the parameters, or take it out here.`
      return { severity: 'error', code: 'parameter_missing', message, path }
    }),
    ...known
      .filter((name) => !used.has(name))
      .map((name): EntryFault => {
        const message = `The parameter “${name}” is not used by the request. Put {${name}} into the address, or use it in the query, a header or the body.`
        return { severity: 'warning', code: 'parameter_unused', message, path: 'parameters' }
      }),
    ...bodyFaults(method, body, bodyFormat),
  ]
}

function bodyFaults(
  method: HttpMethod,
  body: JsonValue | undefined,
  format: Entry['bodyFormat'],
): EntryFault[] {
  if (body === undefined) return []
  const fault = (message: string): EntryFault[] => [
    { severity: 'error', code: 'body_invalid', message, path: 'body' },
  ]
  if (isReading(method)) return fault(`A ${method} request has no body. Remove it, or choose another method.`)
  if (format === 'form' && !isObject(body))
    return fault('A form is an object of fields, as in {"name": "value"}.')
  if (
    format === 'text' &&
    typeof body !== 'string' &&
    [...referencesIn(body, '')].every(({ path }) => path !== '')
  )
    return fault('A text body is a text, or one parameter: {"param": "name"}.')
  return []
}
