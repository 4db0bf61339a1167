/** Operations of an OpenAPI document, resolved so that a config needs no document. */
import { z } from 'zod'
import { httpMethod } from './http'
import { isParameters, jsonObject } from './json'

/** The most operations of one entry, and the most characters of all of them as JSON. */
export const mostOperations = 100
export const mostOperationChars = 256 * 1024

export const documentName = z
  .string()
  .max(64)
  .regex(
    /^[a-z0-9]+([_-][a-z0-9]+)*$/,
    'lowercase letters, digits, single hyphens and underscores, as in "pet-store"',
  )

/** How an argument is written into its place; `json` is one JSON text. */
export const inputStyle = z.enum(['plain', 'repeat', 'comma', 'space', 'pipe', 'deep', 'json'])
export type InputStyle = z.infer<typeof inputStyle>

/** Where an argument of the tool goes in the request. */
export const operationInput = z.strictObject({
  /** Its name among the tool's arguments, which differs from `name` when two places use one name. */
  argument: z.string().min(1).max(256),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  name: z.string().min(1).max(256),
  style: inputStyle.default('plain'),
})
export type OperationInput = z.infer<typeof operationInput>

export const operationBody = z.strictObject({
  argument: z.string().min(1).max(256),
  format: z.enum(['json', 'form', 'text']),
  mediaType: z.string().max(200),
})

export const operationName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, hyphens and underscores')

export const apiOperation = z.strictObject({
  name: operationName,
  method: httpMethod,
  path: z
    .string()
    .min(1)
    .max(2_048)
    .regex(/^\/[^\s?#\\]*$/, 'a path such as "/pets/{petId}"'),
  description: z.string().max(4_096).default(''),
  parameters: jsonObject.refine(isParameters, 'This must be a JSON Schema of an object'),
  inputs: z.array(operationInput).max(200).default([]),
  body: operationBody.optional(),
  /** The ways to sign a request: one of these sets of schemes. An empty set is a request without any. */
  security: z
    .array(z.array(z.string().max(128)).max(10))
    .max(20)
    .default([]),
  /** What a person has looked at: the hash of the definition in the document at that time. */
  hash: z.string().max(80),
})
export type ApiOperation = z.output<typeof apiOperation>

/** How requests are signed for one scheme; the secret is one of the server's. */
const secret = z.string().min(1).max(64)
export const apiAuth = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('apiKey'),
    in: z.enum(['header', 'query', 'cookie']),
    name: z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'the name of a key'),
    secret,
  }),
  z.strictObject({ type: z.literal('bearer'), secret }),
  z.strictObject({ type: z.literal('basic'), user: z.string().max(256), secret }),
])
export type ApiAuth = z.infer<typeof apiAuth>

/** A security scheme of a document. */
export interface ApiScheme {
  readonly name: string
  /** `unsupported`: no secret can be used for it. */
  readonly type: 'apiKey' | 'bearer' | 'basic' | 'unsupported'
  readonly in?: 'header' | 'query' | 'cookie'
  /** The name of the header, parameter or cookie. */
  readonly key?: string
  /** What an unsupported scheme is, in a word or two. */
  readonly what?: string
}

/** An operation as a document has it; with `problem` it cannot be chosen. */
export interface DocumentOperation extends ApiOperation {
  readonly summary: string
  readonly tags: readonly string[]
  readonly isDeprecated: boolean
  readonly problem?: string
}

export interface ApiDocument {
  readonly title: string
  /** The version of the API, as the document has it. */
  readonly version: string
  readonly format: '3.0' | '3.1'
  /** Addresses that the document proposes; a person chooses one, or another. */
  readonly servers: readonly string[]
  readonly schemes: readonly ApiScheme[]
  readonly operations: readonly DocumentOperation[]
}
