/** The port to the OpenAPI documents of the server. */

/** What the server knows of the operations of its documents. */
export interface OpenapiPort {
  /** The hashes of the operations by name; the same map until the document changes. Undefined without the document. */
  hashes(document: string): ReadonlyMap<string, string> | undefined
}

export const noDocuments: OpenapiPort = { hashes: () => undefined }
