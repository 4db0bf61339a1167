/** What went wrong with a server, in a sentence for a person or a model. */
import type { ToolOutput } from '#lib/spec/tool'
import { isTooLarge } from './content'
import { dropped } from './http-transport'
import { tooLarge } from './limits'
import type { ClientSdk } from './sdk'

const maxChars = 2_000

/** An error of the connection, the server or the package, in words. Errors of `fetch` hide their reason in `cause`. */
export function wordsOf(error: unknown): string {
  const network = networkWords(error)
  if (network !== undefined) return network
  const texts: string[] = []
  for (let each = error; each instanceof Error && texts.length < 4; each = each.cause) {
    const text = each.message.trim().replace(/^Version negotiation (probe )?failed: /, '')
    if (text !== '' && !texts.some((known) => known.includes(text))) texts.push(text)
  }
  const all = texts.length === 0 ? String(error) : texts.join(': ')
  if (isTooLarge(all)) return tooLarge
  return all.length > maxChars ? `${all.slice(0, maxChars)} …` : all
}

/** The errors of a connection that a person meets most, with what to do about them. */
function networkWords(error: unknown): string | undefined {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  // A name with several addresses fails with the errors of all of them.
  if (cause instanceof AggregateError) cause = cause.errors[0]
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  if (cause.code === 'ECONNREFUSED' && 'address' in cause && 'port' in cause)
    return `Nothing answers at ${cause.address}:${cause.port}. Start the server there, or correct its address.`
  if (cause.code === 'ENOTFOUND' && 'hostname' in cause)
    return `The name ${cause.hostname} was not found. Check the network and the address.`
  return undefined
}

/** Whether an error means that the server requires a sign-in. */
export function isUnauthorized(sdk: ClientSdk, error: unknown): boolean {
  if (error instanceof sdk.UnauthorizedError) return true
  return sdk.SdkHttpError.isInstance(error) && error.status === 401
}

/** Whether an error means that the connection, or the session behind it, is gone. */
export function isDisconnected(sdk: ClientSdk, error: unknown): boolean {
  if (sdk.SdkHttpError.isInstance(error)) return error.status === 404
  if (!sdk.SdkError.isInstance(error)) return error instanceof TypeError
  const { code } = error
  return code === sdk.SdkErrorCode.ConnectionClosed || code === sdk.SdkErrorCode.NotConnected
}

/** The output of a call that ended with an error in place of a result. */
export function failedCall(
  server: string,
  error: unknown,
  sdk: ClientSdk,
): Extract<ToolOutput, { ok: false }> {
  const words = wordsOf(error)
  if (sdk.ProtocolError.isInstance(error)) {
    if (isTooLarge(words)) return { ok: false, code: 'too_large', message: tooLarge }
    if (words.includes(dropped)) {
      const message = `${dropped} Whether the call had an effect is not known.`
      return { ok: false, code: 'mcp_disconnected', retryable: true, message }
    }
    const isArguments = error.code === sdk.ProtocolErrorCode.InvalidParams
    return { ok: false, code: isArguments ? 'args_schema' : 'mcp_error', message: words }
  }
  return { ok: false, code: 'mcp_error', message: `The call to the MCP server “${server}” failed: ${words}` }
}
