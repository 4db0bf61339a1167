/** The toolkit of an API: operations of an OpenAPI document, kept in the entry so that a run needs no document. */
import { z } from 'zod'
import { fixedValue, headerName, methodClasses } from '#lib/spec/http'
import type { OpenSecret } from '#lib/spec/http-port'
import { atMost, type JsonObject, type JsonValue } from '#lib/spec/json'
import {
  type ApiAuth,
  type ApiOperation,
  apiAuth,
  apiOperation,
  documentName,
  mostOperationChars,
  mostOperations,
} from '#lib/spec/openapi'
import type { WebRequest } from '#lib/spec/sandbox'
import { refuse, type Tool, type ToolContext, type ToolOutput } from '#lib/spec/tool'
import type { EntryListing, NamedSecret, Toolkit } from '#lib/spec/toolkit'
import { isReading, longestMs, maxBytesSetting, usualHeaders } from './http'
import { fillAddress } from './http-address'
import { readAnswer } from './http-answer'
import { argumentOf, fillValue, writeBody } from './http-values'
import { placeInputs } from './openapi-inputs'

const nameForm = 'up to 32 letters, digits, hyphens and underscores, as in "pets"'
const addressForm = 'an http or https address without a query, such as "https://api.example.com/v1"'

const settings = z.object({
  name: z
    .string()
    .max(32)
    .regex(/^[A-Za-z0-9_-]+$/, nameForm)
    .meta({ title: 'Name', description: 'The names of its tools begin with it.', form: nameForm }),
  document: z
    .strictObject({ name: documentName, hash: z.string().max(80) })
    .optional()
    .meta({
      title: 'Document',
      description: 'An OpenAPI document of Settings → APIs.',
      format: 'openapi-document',
    }),
  baseUrl: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s/?#{}@\\]+(\/[^\s?#{}\\]*)?$/, addressForm)
    .meta({
      title: 'Base address',
      description: 'Where the requests go. Private addresses need LOOPWRIGHT_ALLOW_HOSTS.',
      form: addressForm,
      format: 'openapi-address',
    }),
  operations: z
    .array(apiOperation)
    .max(mostOperations)
    .default([])
    .refine(
      (list) => new Set(list.map(({ name }) => name)).size === list.length,
      'Two operations have one name',
    )
    .refine(
      (list) => JSON.stringify(list).length <= mostOperationChars,
      'All operations together may be at most 256 KiB. Choose fewer.',
    )
    .meta({
      title: 'Operations',
      description: 'The operations that become tools.',
      format: 'openapi-operations',
    }),
  auth: atMost(z.record(z.string().min(1).max(128), apiAuth), 50)
    .default({})
    .meta({
      title: 'Signing requests',
      description: 'A secret for each way that the operations need. OAuth 2.0 is not supported.',
      format: 'openapi-auth',
    }),
  headers: atMost(z.record(headerName, fixedValue), 100)
    .default({})
    .meta({ title: 'Headers', description: 'Sent with every request.' }),
  maxBytes: maxBytesSetting,
})

type Entry = z.output<typeof settings>

export const openapi: Toolkit<typeof settings> = {
  id: 'openapi',
  label: 'API (OpenAPI)',
  group: 'Web',
  help: 'Operations of an API, chosen from its OpenAPI document in Settings. Each becomes a tool.',
  keywords: ['openapi', 'swagger', 'rest', 'api', 'http', 'operations', 'endpoint', 'integration'],
  icon: 'list-tree',
  family: 'tool',
  settings,
  scope: { prefix: 'name', list: 'operations', itemName: 'name' },
  classChoice: { list: 'operations', key: 'method', fallback: 'GET', classes: methodClasses },
  initial: { name: 'api', baseUrl: 'https://api.example.com' },
  check: (entry) =>
    unsignedOperations(entry).map(({ index, message }) => {
      return { severity: 'warning', code: 'auth_missing', message, path: `operations/${index}/security` }
    }),
  secrets: secretsOf,
  open: async (entry) => toolsOf(entry),
  now: async (entry, ports) => {
    const hashes = entry.document && ports.openapi.hashes(entry.document.name)
    return hashes === undefined ? undefined : listEntry(entry, hashes)
  },
}

function toolsOf(entry: Entry): Tool[] {
  return entry.operations.map((operation): Tool => {
    const { name, description, method, parameters } = operation
    return {
      name: `${entry.name}.${name}`,
      label: name,
      description,
      icon: 'list-tree',
      ...methodClasses[method],
      timeoutSeconds: 30,
      parameters,
      run: (args, context) => send(entry, operation, args, context),
    }
  })
}

/** Operations that differ in the document from what a person has looked at, with the reason why they are off. */
export function changedOperations(
  operations: readonly Pick<ApiOperation, 'name' | 'hash'>[],
  hashes: ReadonlyMap<string, string>,
): { readonly name: string; readonly reason: string }[] {
  return operations.flatMap(({ name, hash }) => {
    const now = hashes.get(name)
    if (now === hash) return []
    const reason =
      now === undefined
        ? 'the document no longer has it'
        : 'it has changed in the document since a person looked at it'
    return [{ name, reason }]
  })
}

/** By the operations of the entry: the same listing while the document is the same. */
const listed = new WeakMap<
  readonly ApiOperation[],
  { readonly hashes: ReadonlyMap<string, string>; readonly listing: EntryListing | undefined }
>()

function listEntry(entry: Entry, hashes: ReadonlyMap<string, string>): EntryListing | undefined {
  const known = listed.get(entry.operations)
  if (known?.hashes === hashes) return known.listing
  const changed = changedOperations(entry.operations, hashes)
  const listing = changed.length === 0 ? undefined : makeListing(entry, changed)
  listed.set(entry.operations, { hashes, listing })
  return listing
}

function makeListing(
  entry: Entry,
  changed: readonly { readonly name: string; readonly reason: string }[],
): EntryListing {
  const off = new Set(changed.map(({ name }) => name))
  const left = { ...entry, operations: entry.operations.filter(({ name }) => !off.has(name)) }
  return {
    tools: toolsOf(left),
    withheld: changed.map(({ name, reason }) => ({ name: `${entry.name}.${name}`, reason })),
    reason: `operations of the document “${entry.document?.name}” have changed`,
  }
}

async function send(
  entry: Entry,
  operation: ApiOperation,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutput> {
  const { method } = operation
  const base = entry.baseUrl.replace(/\/+$/, '')
  const inPath = new Map(operation.inputs.flatMap((each) => (each.in === 'path' ? [[each.name, each]] : [])))
  const path = fillAddress(`${base}${operation.path}`, (name) =>
    argumentOf(args, inPath.get(name)?.argument ?? name),
  )
  if (!path.ok) return refuse(path.error, 'bad_argument')
  const placed = placeInputs(operation.inputs, args)
  if (!placed.ok) return refuse(placed.error, 'bad_argument')
  const signing = signingOf(operation, entry.auth)
  const url = path.value
  const answer = await context.ports.http.send(
    {
      url,
      secrets: [
        ...new Set([
          ...signing.map(({ secret }) => secret),
          ...headerSecrets(entry).map((each) => each.name),
        ]),
      ],
      build: (open) => {
        const target = new URL(url)
        for (const [key, value] of placed.value.query) target.searchParams.append(key, value)
        const headers = new Map<string, string>(Object.entries(usualHeaders))
        for (const [key, value] of Object.entries(entry.headers))
          headers.set(key.toLowerCase(), String(fillValue(value, { args: {}, open })))
        for (const [key, value] of placed.value.headers) headers.set(key.toLowerCase(), value)
        const cookies = [...placed.value.cookies]
        for (const each of signing) sign(each, open, { target, headers, cookies })
        if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
        return {
          ...bodyOf(operation, args, headers),
          url: target.href,
          method,
          ...limitsOf(entry, operation),
        }
      },
    },
    context.signal,
  )
  return readAnswer(answer, { method, address: url }, context)
}

function limitsOf({ maxBytes }: Entry, { method }: ApiOperation) {
  return { maxBytes, timeoutMs: longestMs, ...(!isReading(method) && { staysAtOrigin: true }) }
}

function bodyOf(
  { body }: ApiOperation,
  args: JsonObject,
  headers: Map<string, string>,
): Pick<WebRequest, 'headers' | 'body'> {
  const value: JsonValue | undefined = body && argumentOf(args, body.argument)
  const written = body && writeBody(value, body.format)
  if (body !== undefined && written !== undefined) headers.set('content-type', body.mediaType)
  return { headers: Object.fromEntries(headers), ...(written !== undefined && { body: written.text }) }
}

/** The first way to sign whose schemes all have a secret; none when the operation needs none. */
function signingOf({ security }: Pick<ApiOperation, 'security'>, auth: Entry['auth']): ApiAuth[] {
  const way = security.find(
    (schemes) => schemes.length > 0 && schemes.every((name) => Object.hasOwn(auth, name)),
  )
  return (way ?? []).flatMap((name) => auth[name] ?? [])
}

interface Signed {
  readonly target: URL
  readonly headers: Map<string, string>
  readonly cookies: string[]
}

function sign(given: ApiAuth, open: OpenSecret, { target, headers, cookies }: Signed): void {
  const value = open(given.secret)
  switch (given.type) {
    case 'bearer':
      headers.set('authorization', `Bearer ${value}`)
      return
    case 'basic':
      headers.set('authorization', `Basic ${inBase64(`${given.user}:${value}`)}`)
      return
    case 'apiKey':
      if (given.in === 'header') headers.set(given.name.toLowerCase(), value)
      else if (given.in === 'query') target.searchParams.append(given.name, value)
      else cookies.push(`${given.name}=${encodeURIComponent(value)}`)
      return
  }
  given satisfies never
}

function inBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function headerSecrets({ headers, baseUrl }: Entry): NamedSecret[] {
  if (!URL.canParse(baseUrl)) return []
  const { origin } = new URL(baseUrl)
  return Object.entries(headers).flatMap(([key, value]) =>
    typeof value === 'string' ? [] : [{ name: value.secret, origin, path: `headers/${key}` }],
  )
}

function secretsOf(entry: Entry): NamedSecret[] {
  if (!URL.canParse(entry.baseUrl)) return []
  const { origin } = new URL(entry.baseUrl)
  const signing = Object.entries(entry.auth).map(([key, { secret: name }]) => {
    return { name, origin, path: `auth/${key}` }
  })
  return [...signing, ...headerSecrets(entry)]
}

/** Operations that need to be signed, in a way that no secret was chosen for. */
function unsignedOperations(entry: Entry): { readonly index: number; readonly message: string }[] {
  // A header of the entry's own may be what signs the requests.
  if (Object.keys(entry.headers).some((name) => name.toLowerCase() === 'authorization')) return []
  return entry.operations.flatMap(({ name, security }, index) => {
    if (security.length === 0 || security.some((schemes) => schemes.length === 0)) return []
    if (signingOf({ security }, entry.auth).length > 0) return []
    const needs = security.map((schemes) => schemes.join(' and ')).join(', or ')
    const message = `“${name}” needs to be signed (${needs}), and no secret is chosen for that. Choose one under Signing requests.`
    return [{ index, message }]
  })
}
