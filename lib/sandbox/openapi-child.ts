/** The child process that reads OpenAPI documents: takes the text, and returns its operations or what is wrong. */
import { readDocument } from '#lib/openapi/read'

const parts: Buffer[] = []
process.stdin.on('data', (part) => parts.push(part))
process.stdin.on('end', () => {
  process.stdout.write(JSON.stringify(readDocument(Buffer.concat(parts).toString('utf8'))))
})
