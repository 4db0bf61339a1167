/** One operation of an OpenAPI document as a tool: its name, its arguments in one schema, and where each goes. */
import { headerName, httpMethod } from '#lib/spec/http'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { ApiOperation, DocumentOperation, InputStyle, OperationInput } from '#lib/spec/openapi'
import { type DocumentReferences, Unusable } from './references'
import { readSchema } from './schemas'
import { cleanText } from './texts'

/** The most characters of the arguments of one operation as JSON. */
const mostChars = 48 * 1024
const mostInputs = 100
/** How many values reading one operation may visit, references followed. */
const mostWork = 30_000
const deepest = 24

/** An operation before it is hashed. */
export type ReadOperation = Omit<DocumentOperation, 'hash'>

interface Source {
  readonly path: string
  readonly method: string
  /** What stands at the path, with parameters that all its operations share. */
  readonly shared: JsonObject
  readonly operation: JsonObject
  /** The security of the document, for operations without their own. */
  readonly security: JsonValue | undefined
}

/** An operation that cannot be used has its `problem`, and no arguments. */
export function readOperation(source: Source, references: DocumentReferences): ReadOperation {
  const { path, method, operation } = source
  const known = httpMethod.safeParse(method.toUpperCase())
  const face = {
    name: operationNameOf(source),
    path,
    summary: cleanText(operation.summary, 200),
    description: textOf(operation),
    tags: textsIn(operation.tags),
    isDeprecated: operation.deprecated === true,
    security: securityIn(operation.security ?? source.security),
  }
  const none = { parameters: { type: 'object' }, inputs: [] }
  if (!known.success)
    return {
      ...face,
      ...none,
      method: 'GET',
      problem: `Requests with the method ${method.toUpperCase()} are not sent.`,
    }
  references.begin(mostWork)
  try {
    if (!/^\/[^\s?#\\]*$/.test(path) || path.length > 2_048)
      throw new Unusable('Its path cannot be an address.')
    return { ...face, method: known.data, ...argumentsOf(source, references) }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { ...face, ...none, method: known.data, problem: error.message }
  }
}

/** The operation's id, or its method and path, as far as they can be in the name of a tool. */
function operationNameOf({ operation, method, path }: Source): string {
  const given = typeof operation.operationId === 'string' ? operation.operationId : ''
  const own = wordsOf(given)
  return (own === '' ? wordsOf(`${method.toLowerCase()} ${path}`) : own) || 'operation'
}

function wordsOf(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
}

function textOf({ summary, description }: JsonObject): string {
  const [first, second] = [cleanText(summary, 400), cleanText(description, 1_600)]
  return first === '' || second.startsWith(first)
    ? second || first
    : `${first}${second === '' ? '' : `\n${second}`}`
}

function textsIn(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : []
  return list
    .map((each) => cleanText(each, 80))
    .filter((each) => each !== '')
    .slice(0, 20)
}

/** Each requirement is a set of schemes; none at all means that nothing is needed. */
function securityIn(value: JsonValue | undefined): string[][] {
  if (!Array.isArray(value)) return []
  return value
    .filter(isObject)
    .slice(0, 20)
    .map((each) => Object.keys(each).slice(0, 10))
}

interface Parameter {
  readonly in: OperationInput['in']
  readonly name: string
  readonly style: InputStyle
  readonly schema: JsonObject
  readonly isRequired: boolean
}

/** Reads all arguments; a second time without inner descriptions if they are too long. */
function argumentsOf(
  source: Source,
  references: DocumentReferences,
): Pick<ApiOperation, 'parameters' | 'inputs' | 'body'> {
  for (const textDepth of [deepest, 1]) {
    const made = makeArguments(source, references, textDepth)
    if (JSON.stringify(made).length <= mostChars) return made
  }
  throw new Unusable(`The description of its arguments is larger than ${mostChars / 1_024} KiB.`)
}

function makeArguments(
  { path, shared, operation }: Source,
  references: DocumentReferences,
  textDepth: number,
) {
  const parameters = parametersOf([shared.parameters, operation.parameters], references, textDepth)
  const body = bodyOf(operation.requestBody, references, textDepth)
  const marks = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  for (const name of marks)
    if (!parameters.some((each) => each.in === 'path' && each.name === name))
      throw new Unusable(`Its path contains {${name.slice(0, 80)}}, which is not among its parameters.`)
  const names = argumentNames([...parameters, ...(body ? [{ in: 'body', name: 'body' }] : [])])
  const inputs = parameters
    .map(
      (each, index): OperationInput => ({
        argument: names[index] ?? each.name,
        in: each.in,
        name: each.name,
        style: each.style,
      }),
    )
    // A parameter of the path that the path does not contain goes nowhere.
    .filter((each) => each.in !== 'path' || marks.includes(each.name))
  const byArgument = new Map(parameters.map((each, index) => [names[index], each]))
  const properties: JsonObject = {}
  const required: string[] = []
  for (const { argument } of inputs) {
    const parameter = byArgument.get(argument)
    properties[argument] = parameter?.schema ?? {}
    if (parameter?.isRequired) required.push(argument)
  }
  const bodyName = names.at(-1) ?? 'body'
  if (body !== undefined) {
    properties[bodyName] = body.schema
    if (body.isRequired) required.push(bodyName)
  }
  return {
    parameters: {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    inputs,
    ...(body !== undefined && {
      body: { argument: bodyName, format: body.format, mediaType: body.mediaType },
    }),
  }
}

/** Two places with one name both say their place: `path_id` and `query_id`. */
function argumentNames(all: readonly { readonly in: string; readonly name: string }[]): string[] {
  const counts = new Map<string, number>()
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1)
  const taken = new Set(all.filter(({ name }) => counts.get(name) === 1).map(({ name }) => name))
  return all.map(({ in: place, name }) => {
    if (counts.get(name) === 1) return name
    let free = `${place}_${name}`
    for (let number = 2; taken.has(free); number++) free = `${place}_${name}_${number}`
    taken.add(free)
    return free
  })
}

/** Parameters of the operation replace those of its path. */
function parametersOf(
  lists: readonly (JsonValue | undefined)[],
  references: DocumentReferences,
  textDepth: number,
): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const list of lists) {
    for (const each of Array.isArray(list) ? list : []) {
      const read = parameterOf(references.follow(each), references, textDepth)
      if (read !== undefined) found.set(`${read.in} ${read.name}`, read)
    }
  }
  if (found.size > mostInputs) throw new Unusable(`It has more than ${mostInputs} parameters.`)
  return [...found.values()]
}

/** Headers that OpenAPI describes elsewhere. */
const notParameters = new Set(['accept', 'content-type', 'authorization'])

function parameterOf(
  value: JsonValue | undefined,
  references: DocumentReferences,
  textDepth: number,
): Parameter | undefined {
  if (!isObject(value)) return undefined
  const { in: place, name, required, description, schema, content } = value
  if (typeof name !== 'string' || name === '' || name.length > 256) return undefined
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie') return undefined
  const isHeader = place === 'header' || place === 'cookie'
  if (isHeader && (notParameters.has(name.toLowerCase()) || !headerName.safeParse(name).success))
    return undefined
  const [asJson] = isObject(content) ? Object.values(content) : []
  const read = readSchema(isObject(asJson) ? asJson.schema : schema, references, textDepth)
  const text = cleanText(description, 1_000)
  return {
    in: place,
    name,
    style: asJson === undefined ? styleOf(value, place, name) : 'json',
    schema: text === '' ? read : { ...read, description: text },
    isRequired: required === true || place === 'path',
  }
}

function styleOf({ style, explode }: JsonObject, place: Parameter['in'], name: string): InputStyle {
  const isKnown = (usual: string) => style === undefined || style === usual
  if (place === 'path' || place === 'header') {
    if (isKnown('simple')) return 'plain'
    throw new Unusable(
      `Its parameter “${name.slice(0, 80)}” has the style ${String(style)}, which is not supported.`,
    )
  }
  if (isKnown('form')) return explode === false ? 'comma' : 'repeat'
  if (style === 'spaceDelimited') return 'space'
  if (style === 'pipeDelimited') return 'pipe'
  if (style === 'deepObject') return 'deep'
  throw new Unusable(
    `Its parameter “${name.slice(0, 80)}” has the style ${String(style)}, which is not supported.`,
  )
}

type BodyFormat = 'json' | 'form' | 'text'
interface Body {
  readonly format: BodyFormat
  readonly mediaType: string
  readonly schema: JsonObject
  readonly isRequired: boolean
}

function bodyOf(
  given: JsonValue | undefined,
  references: DocumentReferences,
  textDepth: number,
): Body | undefined {
  if (given === undefined) return undefined
  const value = references.follow(given)
  const content = isObject(value) && isObject(value.content) ? Object.entries(value.content) : []
  if (!isObject(value) || content.length === 0) return undefined
  const found = (
    [
      ['json', isJson],
      ['form', isForm],
      ['text', isText],
    ] as const
  ).flatMap(([format, fits]) => {
    const [entry] = content.filter(([type]) => fits(plainType(type)))
    return entry === undefined ? [] : [{ format, mediaType: entry[0], media: entry[1] }]
  })[0]
  if (found === undefined)
    throw new Unusable(
      `It takes a body of ${content.map(([type]) => type.slice(0, 60)).join(' or ')}, which cannot be sent.`,
    )
  const schema = readSchema(isObject(found.media) ? found.media.schema : undefined, references, textDepth)
  const text = cleanText(value.description, 1_000)
  return {
    format: found.format,
    mediaType: found.mediaType.includes('*') ? 'application/json' : found.mediaType,
    schema: text === '' || schema.description !== undefined ? schema : { description: text, ...schema },
    isRequired: value.required === true,
  }
}

const plainType = (type: string) => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
const isJson = (type: string) =>
  /^(application\/([a-z0-9.+-]+\+)?json|text\/json|\*\/\*|application\/\*)$/.test(type)
const isForm = (type: string) => type === 'application/x-www-form-urlencoded'
const isText = (type: string) => type.startsWith('text/') || /^application\/([a-z0-9.-]+\+)?xml$/.test(type)
