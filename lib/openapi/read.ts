/** Reads an OpenAPI document, 3.0 or 3.1, JSON or YAML, into operations without references. */
import { createHash } from 'node:crypto'
import { parseDocument } from 'yaml'
import type { Result } from '#lib/spec/errors'
import { isObject, type JsonObject, type JsonValue, jsonKey, tryParseJson } from '#lib/spec/json'
import type { ApiDocument, ApiScheme, DocumentOperation } from '#lib/spec/openapi'
import { type ReadOperation, readOperation } from './operations'
import { DocumentReferences, Unusable } from './references'
import { cleanText } from './texts'

/** How many values reading one document may visit, references followed. */
const mostWork = 3_000_000
/** Enough to find what one reference leads to. */
const mostSteps = 100
const mostListed = 3_000
/** How often one YAML document may repeat its anchors. */
const mostAliases = 1_000
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The error is one sentence for a person. */
export function readDocument(text: string): Result<ApiDocument, string> {
  const parsed = parse(text)
  if (!parsed.ok) return parsed
  const root = parsed.value
  if (!isObject(root)) return fail('This is not an OpenAPI document: it is not an object.')
  if (root.swagger !== undefined)
    return fail('This is a document of Swagger 2.0. Convert it to OpenAPI 3.0 or 3.1 and add it again.')
  const format = /^3\.([01])(\.|$)/.exec(typeof root.openapi === 'string' ? root.openapi : '')?.[1]
  if (format === undefined)
    return fail('This is not an OpenAPI document of version 3.0 or 3.1: its key “openapi” does not say so.')
  if (!isObject(root.paths)) return fail('The document has no paths, so it describes no operations.')
  const info = isObject(root.info) ? root.info : {}
  try {
    const references = new DocumentReferences(root, mostWork)
    const operations = operationsOf(root, root.paths, references)
    if (operations.length === 0) return fail('The document describes no operations.')
    const value: ApiDocument = {
      title: cleanText(info.title, 200) || 'Untitled API',
      version: cleanText(info.version, 60),
      format: format === '0' ? '3.0' : '3.1',
      servers: serversOf(root.servers),
      schemes: schemesOf(root, references),
      operations: withOwnNames(operations).map(hashed),
    }
    return { ok: true, value }
  } catch (error) {
    if (error instanceof Unusable) return fail(error.message)
    throw error
  }
}

function fail(error: string): Result<never, string> {
  return { ok: false, error }
}

/** JSON is tried first, since it is much faster to read. */
function parse(text: string): Result<JsonValue, string> {
  const plain = text.replace(/^\uFEFF/, '')
  const value = tryParseJson(plain)
  if (value !== undefined) return { ok: true, value }
  if (/^\s*[{[]/.test(plain)) {
    try {
      JSON.parse(plain)
    } catch (error) {
      // Flow style of YAML may begin like JSON, but a document that does is nearly always JSON.
      return fail(
        `The document is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
      )
    }
  }
  try {
    const document = parseDocument(plain, { merge: true, stringKeys: true, version: '1.2' })
    const [error] = document.errors
    if (error !== undefined) return fail(`The document is not valid YAML: ${error.message.split('\n', 1)[0]}`)
    // The round trip through JSON leaves plain data, without dates and other values of YAML.
    return {
      ok: true,
      value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: mostAliases })) ?? 'null'),
    }
  } catch (error) {
    return fail(
      `The document cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'it is broken'}.`,
    )
  }
}

function operationsOf(root: JsonObject, paths: JsonObject, references: DocumentReferences): ReadOperation[] {
  const found: ReadOperation[] = []
  for (const [path, given] of Object.entries(paths)) {
    const shared = followed(given, references)
    if (shared === undefined) continue
    for (const method of methods) {
      const operation = shared[method]
      if (!isObject(operation)) continue
      if (found.length === mostListed)
        throw new Unusable(`The document has more than ${mostListed} operations.`)
      found.push(readOperation({ path, method, shared, operation, security: root.security }, references))
    }
  }
  return found
}

/** Undefined for what is no object; a path that leads elsewhere is left out. */
function followed(value: JsonValue, references: DocumentReferences): JsonObject | undefined {
  references.begin(mostSteps)
  try {
    const found = references.follow(value)
    return isObject(found) ? found : undefined
  } catch (error) {
    if (error instanceof Unusable) return undefined
    throw error
  }
}

/** A name that occurs again gets a number. */
function withOwnNames(operations: readonly ReadOperation[]): ReadOperation[] {
  const given = new Set(operations.map(({ name }) => name))
  const taken = new Set<string>()
  return operations.map((each) => {
    let { name } = each
    for (let number = 2; taken.has(name); number++) {
      const free = `${each.name}_${number}`
      if (!given.has(free)) name = free
    }
    taken.add(name)
    return { ...each, name }
  })
}

/** The hash covers all that a model reads of an operation, and all that is sent. */
function hashed(operation: ReadOperation): DocumentOperation {
  const { name, method, path, description, parameters, inputs, body, security } = operation
  const face = { name, method, path, description, parameters, inputs, body: body ?? null, security }
  // cast: an operation is plain data
  const text = jsonKey(face as unknown as JsonValue)
  return { ...operation, hash: `sha256:${createHash('sha256').update(text).digest('hex')}` }
}

/** Addresses as they stand, with the variables' own values. */
function serversOf(value: JsonValue | undefined): string[] {
  const servers = (Array.isArray(value) ? value : []).filter(isObject).slice(0, 20)
  return servers.flatMap(({ url, variables }) => {
    if (typeof url !== 'string') return []
    const filled = url.replace(/\{([^{}]{1,64})\}/g, (whole, name: string) => {
      const variable = isObject(variables) ? variables[name] : undefined
      return isObject(variable) && typeof variable.default === 'string' ? variable.default : whole
    })
    return [cleanText(filled, 500)]
  })
}

function schemesOf({ components }: JsonObject, references: DocumentReferences): ApiScheme[] {
  const given = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {}
  return Object.entries(given)
    .slice(0, 50)
    .flatMap(([name, each]): ApiScheme[] => {
      const scheme = followed(each, references)
      return scheme === undefined ? [] : [schemeOf(name.slice(0, 128), scheme)]
    })
}

function schemeOf(name: string, { type, in: place, name: key, scheme }: JsonObject): ApiScheme {
  const way = typeof scheme === 'string' ? scheme.toLowerCase() : ''
  if (
    type === 'apiKey' &&
    typeof key === 'string' &&
    (place === 'header' || place === 'query' || place === 'cookie')
  )
    return { name, type: 'apiKey', in: place, key: key.slice(0, 128) }
  if (type === 'http' && (way === 'bearer' || way === 'basic')) return { name, type: way }
  const words: Readonly<Record<string, string>> = {
    oauth2: 'OAuth 2.0',
    openIdConnect: 'OpenID Connect',
    mutualTLS: 'a client certificate',
  }
  return { name, type: 'unsupported', what: words[String(type)] ?? cleanText(type ?? 'unknown', 40) }
}
