/** Stories: recorded conversations with a server, request by request, with the answer to each. */
import { createPlaceholders, type Json, withoutWords } from './facts'
import { type Answered, type Asked, exchange } from './http'

interface Request {
  readonly method: string
  /** `<<name>>` is replaced by a value that an earlier step kept; here, in headers and in the body. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent unchanged. */
  readonly text?: string
  /** Sends a text of this many letters. */
  readonly letters?: number
  readonly take?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  /** The lines of an answer that is not JSON. */
  readonly lines?: readonly string[]
}

export interface Step {
  readonly request: Request
  /** Repeats the request until the body has the value at the pointer. */
  readonly until?: { readonly at: string; readonly is: Json }
  /** Pointers into the body, by the names that later steps use for the values. */
  readonly keep?: Readonly<Record<string, string>>
  /** Pointers to values that differ between machines and versions. */
  readonly free?: readonly string[]
  /** Keys of sentences for people, in addition to `message` and `reason`. */
  readonly words?: readonly string[]
  readonly answer?: Answer
}

export interface Story {
  readonly about: string
  /** Which server it is played against: one that requires a token, or one that requires nothing. */
  readonly server?: 'token'
  readonly steps: readonly Step[]
}

export interface Place {
  readonly url: string
  /** Values that every story may use, with their placeholders in a record. */
  readonly known: Readonly<Record<string, string>>
}

/** Plays the story; returns the answer of each step, with placeholders. */
export async function tell({ steps }: Story, { url, known }: Place): Promise<Answer[]> {
  const names = new Map(Object.entries(known))
  const place = createPlaceholders(
    Object.fromEntries(Object.entries(known).map(([name, value]) => [value, `<${name}>`])),
  )
  const answers: Answer[] = []
  for (const step of steps) {
    const answered = await settledAnswer(url, step, names)
    for (const [name, pointer] of Object.entries(step.keep ?? {}))
      names.set(name, String(at(JSON.parse(answered.text), pointer)))
    answers.push(recordOf(answered, step, place))
  }
  return answers
}

async function settledAnswer(url: string, { request, until }: Step, names: ReadonlyMap<string, string>) {
  const asked = askedOf(request, names)
  const end = performance.now() + 20_000
  for (;;) {
    const answered = await exchange(url, asked)
    if (until === undefined || at(JSON.parse(answered.text), until.at) === until.is) return answered
    if (performance.now() > end) throw new Error(`${asked.path} never held ${until.is}: ${answered.text}`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

function askedOf(request: Request, names: ReadonlyMap<string, string>): Asked {
  const filled = JSON.stringify(request).replace(/<<(\w+)>>/g, (_, name: string) => {
    const value = names.get(name)
    if (value === undefined) throw new Error(`No step before has kept ${name}.`)
    return JSON.stringify(value).slice(1, -1)
  })
  const { method, path, headers, body, text, letters, take }: Request = JSON.parse(filled)
  const sent = body !== undefined ? JSON.stringify(body) : letters !== undefined ? 'a'.repeat(letters) : text
  const json: Record<string, string> = sent === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method,
    path,
    headers: { ...json, ...headers },
    ...(sent !== undefined && { body: sent }),
    ...(take !== undefined && { take }),
  }
}

function recordOf({ status, headers, text }: Answered, { free = [] }: Step, place: (text: string) => string) {
  const placed = place(text)
  const told = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, place(value)]))
  const isJson = (headers['content-type'] ?? '').startsWith('application/json') && placed !== ''
  const content = isJson ? { body: freed(JSON.parse(placed), free) } : { lines: placed.split('\n') }
  return { status, headers: told, ...(placed === '' ? {} : content) }
}

/** @param pointer for example `/items/0/id` */
function at(value: Json, pointer: string): Json | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((found, key) => (found as Record<string, Json> | undefined)?.[key], value) // cast: lists have their indexes as keys
}

function freed(body: Json, pointers: readonly string[]): Json {
  for (const pointer of pointers) {
    const keys = pointer.split('/')
    const last = keys.pop() ?? ''
    const holder = keys.length > 1 ? at(body, keys.join('/')) : body
    if (typeof holder === 'object' && holder !== null && !Array.isArray(holder) && holder[last] !== undefined)
      holder[last] = '<free>'
  }
  return body
}

/**
 * The answer without its sentences for people, without what depends on the sentences for models (the hashes and
 * sizes of requests, which contain tool descriptions), and without the places that the layout finds.
 */
export function formatOf({ status, headers, body, lines }: Answer, { words = [] }: Step): unknown {
  return {
    status,
    headers,
    ...(body !== undefined && {
      body: withoutFigures(withoutWords(body, ['message', 'reason', 'hash', ...words])),
    }),
    ...(lines !== undefined && { lines: lines.map(formatOfLine) }),
  }
}

function formatOfLine(line: string): string {
  return line
    .replace(/"(message|reason)":"(?:[^"\\]|\\.)+"/g, '"$1":"<words>"')
    .replace(/"bytes":\d+,"hash":/g, '"bytes":"<figure>","hash":')
    .replace(/"hash":"[0-9a-f]{64}"/g, '"hash":"<figure>"')
    .replace(/"usage":\{"input":\d+/g, '"usage":{"input":"<figure>"')
}

function withoutFigures(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => withoutFigures(each) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const isRequest = 'hash' in value && 'bytes' in value
  const isPlaced = 'kind' in value && 'x' in value && 'y' in value
  const figures = isRequest
    ? ['bytes']
    : isPlaced
      ? ['x', 'y']
      : 'observations' in value
        ? ['tools']
        : ['input']
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    typeof each === 'number' && figures.includes(key) ? '<figure>' : withoutFigures(each),
  ])
  return Object.fromEntries(entries)
}
