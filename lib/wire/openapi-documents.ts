/** OpenAPI documents on the wire: what a person adds, and the operations that can be chosen. */
import { z } from 'zod'
import { httpMethod } from '#lib/spec/http'
import { apiOperation, documentName, mostOperations, operationName } from '#lib/spec/openapi'

/** The most bytes of one document. */
export const mostDocumentBytes = 10 * 1024 * 1024

/** Adds a document, or reads the one of this name again. It comes as text, or is fetched from an address. */
export const addOpenapiDocument = z
  .strictObject({
    name: documentName,
    text: z.string().min(1).max(mostDocumentBytes).optional(),
    url: z.string().max(2_048).optional(),
  })
  .refine(({ text, url }) => (text === undefined) !== (url === undefined), {
    message: 'Give either the text of the document or its address',
    path: ['text'],
  })
export type AddOpenapiDocument = z.output<typeof addOpenapiDocument>

const scheme = z.strictObject({
  name: z.string(),
  /** `unsupported`: no secret can be used for it, and `what` says what it is. */
  type: z.enum(['apiKey', 'bearer', 'basic', 'unsupported']),
  in: z.enum(['header', 'query', 'cookie']).optional(),
  /** The name of the header, parameter or cookie. */
  key: z.string().optional(),
  what: z.string().optional(),
})

const documentFacts = {
  name: z.string(),
  title: z.string(),
  /** The version of the API, as the document has it. */
  version: z.string(),
  format: z.enum(['3.0', '3.1']),
  /** The hash of the document's text. */
  hash: z.string(),
  /** Where it was fetched from; null if it was given as text. */
  url: z.string().nullable(),
  operations: z.int().nonnegative(),
  /** How many of them cannot be used. */
  unusable: z.int().nonnegative(),
  updatedAt: z.int().nonnegative(),
  /** The agents whose drafts use it. */
  usedBy: z.array(z.strictObject({ id: z.string(), name: z.string(), title: z.string() })),
}

export const openapiDocumentView = z.strictObject(documentFacts)
export type OpenapiDocumentView = z.infer<typeof openapiDocumentView>
export const openapiDocumentList = z.strictObject({ items: z.array(openapiDocumentView) })
export type OpenapiDocumentList = z.infer<typeof openapiDocumentList>

/** An operation in the list to choose from. All texts come from the document and are untrusted. */
const operationFace = z.strictObject({
  name: z.string(),
  method: httpMethod,
  path: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  isDeprecated: z.boolean(),
  security: z.array(z.array(z.string())),
  hash: z.string(),
  /** Why it cannot be chosen; absent if it can. */
  problem: z.string().optional(),
})
export type OperationFace = z.infer<typeof operationFace>

export const openapiDocumentDetail = z.strictObject({
  ...documentFacts,
  /** Addresses that the document proposes. */
  servers: z.array(z.string()),
  schemes: z.array(scheme),
  list: z.array(operationFace),
})
export type OpenapiDocumentDetail = z.infer<typeof openapiDocumentDetail>

/** A document after it was read, and how it differs from the one of this name before. */
export const addedOpenapiDocument = z.strictObject({
  document: openapiDocumentView,
  /** Null for a new document. Names of operations. */
  changes: z
    .strictObject({ added: z.array(z.string()), changed: z.array(z.string()), removed: z.array(z.string()) })
    .nullable(),
})
export type AddedOpenapiDocument = z.infer<typeof addedOpenapiDocument>

/** Asks for the definitions of operations, which an entry of a config holds. */
export const resolveOperations = z.strictObject({ names: z.array(operationName).max(mostOperations) })

export const resolvedOperations = z.strictObject({
  /** The hash of the document. */
  hash: z.string(),
  /** In the order of the names; those that cannot be used or do not exist are left out. */
  items: z.array(apiOperation),
})
export type ResolvedOperations = z.output<typeof resolvedOperations>
