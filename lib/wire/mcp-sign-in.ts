/** Signing in to MCP servers, on the wire. Tokens and client secrets never come back. */
import { z } from 'zod'

/** The client of an authorization server that registers none by itself. */
export const beginMcpSignIn = z.strictObject({
  clientId: z.string().trim().min(1).max(2_048).optional(),
  clientSecret: z.string().min(1).max(4_096).optional(),
  /** Also asks for the scopes that the sign-in has, and for those that the server named when it refused a request. */
  widen: z.boolean().optional(),
})
export type BeginMcpSignIn = z.output<typeof beginMcpSignIn>

export const begunMcpSignIn = z.strictObject({
  /** The page of the authorization server that the person opens. */
  address: z.string(),
  /** The authorization server, to which the sign-in is bound. */
  issuer: z.string(),
  /** When the sign-in must be finished, in milliseconds since 1970. */
  expiresAt: z.int(),
})
export type BegunMcpSignIn = z.infer<typeof begunMcpSignIn>

const text = z.string().max(4_096)

/** What the authorization server sent back with the person's browser. */
export const finishMcpSignIn = z.strictObject({
  state: text,
  code: text.optional(),
  iss: text.optional(),
  error: text.optional(),
  error_description: text.optional(),
})
export type FinishMcpSignIn = z.output<typeof finishMcpSignIn>

export const finishedMcpSignIn = z.strictObject({ server: z.string() })

/** `note`: what a person should know, such as that the tokens stay valid at the authorization server. */
export const mcpSignedOut = z.strictObject({ note: z.string().optional() })

/** `none`: no sign-in is known to be needed. `needed`: the server asks for one. */
export const mcpSignInView = z.strictObject({
  state: z.enum(['none', 'needed', 'signed_in']),
  /** The authorization server that the person has agreed to. */
  issuer: z.string().optional(),
  scope: z.string().optional(),
  /** Where the client comes from: a person entered it, a public document, or a registration. */
  client: z.enum(['entered', 'document', 'registration']).optional(),
  signedInAt: z.int().optional(),
  /** When the present token ends; it is renewed before that if the authorization server allows it. */
  expiresAt: z.int().optional(),
  /** Whether the token can be renewed without the person. */
  renews: z.boolean().optional(),
  /** The scopes without which the server has refused a request; empty when it did not name them. Absent if it refused none. */
  missingScopes: z.array(z.string()).optional(),
  /** Why a sign-in is needed, or why the last one ended. */
  problem: z.string().optional(),
})
export type McpSignInView = z.infer<typeof mcpSignInView>

/** What this server says of itself as a client, at a public address. */
export const mcpClientDocument = z.strictObject({
  client_id: z.string(),
  client_name: z.string(),
  client_uri: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  application_type: z.string(),
  token_endpoint_auth_method: z.literal('none'),
})
export type McpClientDocument = z.infer<typeof mcpClientDocument>

/** The page to which authorization servers send people back. */
export const mcpCallbackPath = '/settings/mcp/callback'
