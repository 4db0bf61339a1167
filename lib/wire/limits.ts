/** The size limits of bodies by request path, shared by the server's door and the routes behind it. */
import { maxUploadBytes } from './artifacts'
import type { JsonLimits } from './json'

const mebibyte = 1024 * 1024
const usual: Required<JsonLimits> = { maxBytes: mebibyte, maxDepth: 64, maxValues: 100_000 }
const file: Required<JsonLimits> = { ...usual, maxBytes: 4 * mebibyte }
/** A drawing is larger than its config: every config that can be imported can also be saved and compiled. */
const drawing: Required<JsonLimits> = { maxBytes: 6 * mebibyte, maxDepth: 68, maxValues: 150_000 }

/** A document of 10 MB as a text in JSON, in which every quotation mark takes two bytes. */
const document: Required<JsonLimits> = { ...usual, maxBytes: 21 * mebibyte }

export function limitsOf(path: string): Required<JsonLimits> {
  if (path === '/api/agents/import') return file
  if (isUpload(path)) return { ...usual, maxBytes: maxUploadBytes }
  if (path === '/api/openapi-documents') return document
  return /^\/api\/(agents(\/[^/]+)?|compile|decompile|authority)$/.test(path) ? drawing : usual
}

/** Whether the path takes plain bytes instead of JSON: a file of a thread or of a collection, or the archive of a skill. */
export function isUpload(path: string): boolean {
  return /^\/api\/((threads|knowledge)\/[^/]+\/files|skills(\/preview)?)$/.test(path)
}
