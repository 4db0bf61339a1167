/** What a model reads of the answer to an HTTP request. */
import type { HttpAnswer } from '#lib/spec/http-port'
import { type JsonObject, tryParseJson } from '#lib/spec/json'
import { retryAfterMs } from '#lib/spec/retry-after'
import { json, type ToolContext, type ToolOutput, text } from '#lib/spec/tool'

type Answered = Extract<HttpAnswer, { ok: true }>['value']

/** The bytes of a failed answer that the model reads. */
const shownOfFailure = 2_048
/** What a person sees in the metadata. */
const shownHeaders = ['content-type', 'content-length', 'retry-after', 'location', 'x-request-id']

export interface SentRequest {
  readonly method: string
  /** Without its query, which may contain a secret. */
  readonly address: string
}

export async function readAnswer(
  answer: HttpAnswer,
  asked: SentRequest,
  context: Pick<ToolContext, 'ports' | 'created' | 'now'>,
): Promise<ToolOutput> {
  if (!answer.ok)
    return { ok: false, code: answer.code, message: answer.message, retryable: answer.retryable }
  const { value } = answer
  const isGood = value.status >= 200 && value.status < 300
  const output = isGood ? await readGood(value, asked, context) : readFailed(value, asked, context.now())
  return { ...output, metadata: metadataOf(value, asked) }
}

async function readGood(
  answered: Answered,
  { method }: SentRequest,
  { ports, created }: Pick<ToolContext, 'ports' | 'created'>,
): Promise<ToolOutput> {
  const { status, headers, body } = answered
  if (method === 'HEAD') return json({ status, headers: { ...headers } })
  if (body.byteLength === 0) return text(`(The answer has the status ${status} and no content.)`)
  const type = mediaTypeOf(headers)
  const said = textIn(headers, body)
  if (said !== undefined) {
    const value = isJson(type) ? tryParseJson(said) : undefined
    return value === undefined ? text(said) : json(value)
  }
  const kept = await ports.artifacts.keep({ name: fileNameOf(answered), mediaType: type, content: body })
  if (kept !== undefined) created(kept)
  const what = `The answer is not text, but ${type || 'data'} of ${body.byteLength} bytes.`
  return text(kept === undefined ? what : `${what} It was kept as the file ${kept.name}.`)
}

function readFailed(
  { status, headers, body }: Answered,
  { method, address }: SentRequest,
  now: number,
): ToolOutput {
  const said =
    textIn(headers, body.subarray(0, shownOfFailure))
      ?.replace(/\uFFFD$/, '')
      .trim() ?? ''
  const rest = body.byteLength > shownOfFailure ? '\n(Only the beginning of the answer is shown.)' : ''
  const waitMs = retryAfterMs({ get: (name) => headers[name] ?? null }, now)
  return {
    ok: false,
    code: 'http_status',
    message: `${method} ${address} answered with status ${status}${said === '' ? '.' : `: ${said}${rest}`}`,
    retryable: status === 408 || status === 425 || status === 429 || status >= 500,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  }
}

function metadataOf({ status, headers, body }: Answered, { method, address }: SentRequest): JsonObject {
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { method, address, status, bytes: body.byteLength, headers: Object.fromEntries(shown) }
}

function mediaTypeOf(headers: Answered['headers']): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function isJson(type: string): boolean {
  return type === '' || /[/+]json$/.test(type) || type === 'text/json'
}

/** Text in its declared charset; undefined for other data, whatever its media type is. */
function textIn(headers: Answered['headers'], body: Uint8Array): string | undefined {
  const type = mediaTypeOf(headers)
  if (/^(image|audio|video|font)\//.test(type) && type !== 'image/svg+xml') return undefined
  const said = decode(body, /charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1])
  return said.includes('\0') ? undefined : said
}

function decode(body: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

/** The last part of the path, as far as it is a plain file name. */
function fileNameOf({ url }: Answered): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : undefined
  return last !== undefined && /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(last) ? last : 'answer.bin'
}
