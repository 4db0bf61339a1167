/** The server's one door: requests are checked and limited, and get a policy, before Next sees them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { bytesInWords } from '#lib/wire/json'
import { isUpload, limitsOf } from '#lib/wire/limits'
import { dataPolicy, newNonce, policyOf, securityHeaders } from './csp'
import { type Guard, isApi, type Knock } from './guard'
import { type DoorRefusal, refusalAsJson, refusalAsPage } from './refusal'
import { hasBody, readBody, withBody } from './request-body'

interface DoorContext {
  readonly guard: Guard
  readonly dev: boolean
  /** The address of the font of the door's own pages. */
  readonly font?: string | undefined
  /** The handlers of Next. */
  readonly pass: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export interface Door {
  /** `expecting` is true when the sender waits for permission (100 Continue) to send its body. */
  enter(request: IncomingMessage, response: ServerResponse, expecting?: boolean): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** From now on every request gets the answer to try again later. */
  shut(): void
}

/** Headers that Next uses internally, or that a proxy sends to a server: none may come from outside. */
const internal =
  /^(x-middleware-|x-invoke-|x-now-|x-matched-|x-forwarded-|next-resume$|next-action$|forwarded$|x-nonce$|content-security-policy)/
/**
 * How long a refused sender may continue to send before it is cut off, ms: enough time to read the answer.
 */
const linger = 2_000

export function createDoor(context: DoorContext): Door {
  const { guard, dev, font, upgrade } = context
  let shut = false
  return {
    enter(request, response, expecting = false) {
      const isData = isApi(request.url ?? '')
      // Only pages have scripts, and random bytes take longer than the rest of this function.
      const nonce = isData ? '' : newNonce()
      const policy = isData ? dataPolicy : policyOf(nonce, { dev })
      response.setHeader('content-security-policy', policy)
      for (const [name, value] of headersOfAll) response.setHeader(name, value)
      const verdict = guard(knockOf(request))
      const refusal: DoorRefusal | undefined = !verdict.ok ? verdict : shut ? closed : undefined
      if (refusal !== undefined) return refuse({ request, response, nonce, font }, refusal)
      for (const name of Object.keys(request.headers)) if (internal.test(name)) delete request.headers[name]
      // Next reads the nonce for its own scripts from this header.
      if (!isData) request.headers['content-security-policy'] = policy
      if (isPage(request.url ?? '')) response.setHeader('cache-control', 'no-store')
      if (expecting) response.writeContinue()
      void letIn(context, { request, response, nonce, font })
    },
    upgrade(request, socket, head) {
      socket.on('error', () => undefined)
      if (!dev || shut || !guard(knockOf(request)).ok) return void socket.destroy()
      upgrade(request, socket, head)
    },
    shut() {
      shut = true
    },
  }
}

const headersOfAll = Object.entries(securityHeaders)

const closed: DoorRefusal = {
  code: 'unavailable',
  message: 'The server is stopping. Try again after it has restarted.',
}

interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly nonce: string
  readonly font: string | undefined
}

async function letIn({ pass }: DoorContext, visit: Visit): Promise<void> {
  const { request, response } = visit
  try {
    if (!hasBody(request)) return await pass(request, response)
    const { maxBytes } = limitsOf(pathOf(request))
    const tooLarge: DoorRefusal = {
      code: 'too_large',
      message: `The body is larger than ${bytesInWords(maxBytes)}.`,
    }
    if (isUpload(pathOf(request))) {
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refuse(visit, tooLarge)
      // The code that writes the upload to the disk limits its size.
      response.once('finish', () => part(request))
      return await pass(request, response)
    }
    const body = await readBody(request, maxBytes)
    if (body === 'gone') return
    if (body !== 'too_large') return await pass(withBody(request, body), response)
    refuse(visit, tooLarge)
  } catch (error) {
    console.error(error)
    if (response.headersSent) response.destroy()
    else
      refuse(visit, {
        code: 'internal',
        message: 'An internal error occurred. The server’s log has the details.',
      })
  }
}

function refuse({ request, response, nonce, font }: Visit, refusal: DoorRefusal): void {
  const wantsPage = !isApi(request.url ?? '') && (request.headers.accept ?? '').includes('text/html')
  const { status, headers, body } = wantsPage ? refusalAsPage(refusal, nonce, font) : refusalAsJson(refusal)
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
  response.end(request.method === 'HEAD' ? undefined : body)
  part(request)
}

/** Ends the request of a sender that has its answer and still sends. */
function part(request: IncomingMessage): void {
  if (request.complete) return
  // Closing at once could reset the connection before the answer is read, so the remaining data is discarded.
  request.resume()
  setTimeout(() => request.complete || request.destroy(), linger).unref()
}

/** Responses of the API and static files set their own cache headers. */
function isPage(target: string): boolean {
  return !isApi(target) && !target.startsWith('/_next/static/')
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

/** Keeps both values of a repeated header: choosing one would let an attacker decide which of them counts. */
function knockOf({ method = '', url = '', rawHeaders }: IncomingMessage): Knock {
  const byName = new Map<string, string[]>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    const values = byName.get(name)
    const value = rawHeaders[at + 1] ?? ''
    if (values === undefined) byName.set(name, [value])
    else values.push(value)
  }
  return { method, target: url, header: (name) => byName.get(name) ?? [] }
}
