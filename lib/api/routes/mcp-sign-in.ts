/** Signing in to MCP servers; what an authorization server needs of this is open, and takes no operator's cookie. */
import { AppError } from '#lib/spec/errors'
import * as wire from '#lib/wire/mcp-sign-in'
import { row, withCookie } from '../row'

export const mcpSignIn = [
  row('POST /api/mcp-servers/{name}/sign-in', {
    does: 'Begins a sign-in to an MCP server, and returns the address that the person opens in the same browser.',
    body: wire.beginMcpSignIn,
    mayBeEmpty: true,
    gives: { 200: withCookie(wire.begunMcpSignIn) },
    handle: ({ app, params, body, request }) => app.mcpSignIns.begin(params.name, body, originOf(request)),
  }),
  row('POST /api/mcp-servers/{name}/sign-out', {
    does: 'Forgets the tokens for an MCP server, and ends them at its authorization server.',
    gives: { 200: wire.mcpSignedOut },
    handle: async ({ app, params }) => {
      const note = await app.mcpSignIns.signOut(params.name)
      return note === undefined ? {} : { note }
    },
  }),
  row('POST /api/mcp-sign-in', {
    does: 'Finishes a sign-in with what the authorization server sent back. Only for the browser that began it, which has a cookie for that.',
    body: wire.finishMcpSignIn,
    example: { state: 'the-state', code: 'the-code' },
    gives: { 200: withCookie(wire.finishedMcpSignIn) },
    open: true,
    handle: async ({ app, body, request }) => {
      const { server, cookie } = await app.mcpSignIns.finish(body, request.headers.get('cookie') ?? '')
      return { value: { server }, cookie }
    },
  }),
  row('GET /api/mcp-sign-in/client', {
    does: 'Describes this server as an OAuth client, for authorization servers that read such documents.',
    gives: { 200: wire.mcpClientDocument },
    open: true,
    handle: ({ app }) => {
      const document = app.mcpSignIns.document()
      if (document !== undefined) return document
      throw new AppError(
        'not_found',
        'This server has no public https address: LOOPWRIGHT_PUBLIC_URL is not set.',
      )
    },
  }),
] as const

/** Where the browser reaches this server; the door has checked both headers. */
function originOf({ headers }: Request): string {
  return headers.get('origin') ?? `http://${headers.get('host')}`
}
