/** Turns the result of a call into the output of a tool: blocks for the model and files for people. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { type JsonObject, type JsonValue, jsonKey, tryParseJson } from '#lib/spec/json'
import type { McpCall } from '#lib/spec/mcp'
import type { Block } from '#lib/spec/message'
import { image, type ToolOutput } from '#lib/spec/tool'
import { cleanJson, tooLarge } from './limits'

/** The kinds of images that are shown; others are kept as files. */
const images: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

interface Reading {
  readonly call: Pick<McpCall, 'tool' | 'keep'>
  readonly blocks: Block[]
  readonly warnings: string[]
}

/** @param metadata what else the trace says of the call */
export async function outputOf(
  result: CallToolResult,
  call: Reading['call'],
  metadata: JsonObject = {},
): Promise<ToolOutput> {
  const reading: Reading = { call, blocks: [], warnings: [] }
  for (const each of result.content ?? []) await readContent(each, reading)
  const { blocks, warnings } = reading
  const { structuredContent: structured } = result
  if (structured !== undefined) {
    if (cleanJson(structured) === undefined && structured !== null)
      return {
        ok: false,
        code: 'mcp_result',
        message: 'The server sent a result that is nested too deeply.',
        metadata,
      }
    addStructured(structured as JsonValue, blocks) // cast: it was parsed from JSON
  }
  const said = { metadata: { ...metadata, ...(warnings.length > 0 && { warnings }) } }
  if (result.isError === true) return { ok: false, code: 'mcp_error', message: textOfBlocks(blocks), ...said }
  if (blocks.length === 0) blocks.push({ type: 'text', text: 'The call succeeded and returned nothing.' })
  return { ok: true, blocks, ...said }
}

async function readContent(content: ContentBlock, reading: Reading): Promise<void> {
  switch (content.type) {
    case 'text':
      reading.blocks.push({ type: 'text', text: content.text })
      return
    case 'image':
    case 'audio':
      return keepBytes({ ...content, name: `${reading.call.tool}-${content.type}` }, reading)
    case 'resource_link': {
      const { name, uri, description, mimeType } = content
      const details = [mimeType, description].filter((each) => each !== undefined && each !== '').join(', ')
      const label = details === '' ? name : `${name} (${details})`
      reading.blocks.push({ type: 'text', text: `Resource ${label}: ${uri}` })
      return
    }
    case 'resource': {
      const { resource } = content
      if ('text' in resource) {
        reading.blocks.push({ type: 'text', text: `Resource ${resource.uri}:\n${resource.text}` })
        return
      }
      const { blob: data, mimeType = 'application/octet-stream', uri } = resource
      return keepBytes({ data, mimeType, name: nameIn(uri) }, reading)
    }
    default: {
      // A server may send kinds that the package does not know yet.
      const { type } = content as { readonly type?: unknown } // cast: the other kinds are handled above
      reading.warnings.push(`Content of the kind ${JSON.stringify(type) ?? 'unknown'} was left out.`)
    }
  }
}

interface Bytes {
  readonly data: string
  readonly mimeType: string
  readonly name: string
}

async function keepBytes(
  { data, mimeType, name }: Bytes,
  { call, blocks, warnings }: Reading,
): Promise<void> {
  const content = Buffer.from(data, 'base64')
  if (content.length === 0) {
    warnings.push(`${name} (${mimeType}) was left out, since it is empty or not valid base64.`)
    return
  }
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType)
    ? mimeType.toLowerCase()
    : 'application/octet-stream'
  const extension = Object.hasOwn(images, mediaType) ? images[mediaType] : undefined
  const fileName = extension === undefined || name.includes('.') ? name : `${name}.${extension}`
  const kept = await call.keep({ name: fileName, mediaType, content })
  const what = `${fileName}, ${mediaType}, ${content.length} bytes`
  if (kept !== undefined && extension !== undefined) blocks.push(image(kept))
  else if (kept !== undefined) blocks.push({ type: 'text', text: `File kept for the user: ${what}.` })
  else blocks.push({ type: 'text', text: `A file that could not be kept: ${what}.` })
}

/** The last part of an address, as a file name. */
function nameIn(uri: string): string {
  const last =
    uri
      .split(/[/\\?#:]/)
      .filter((each) => each !== '')
      .at(-1) ?? ''
  return last.replace(/[^\w.-]+/g, '_').slice(-100) || 'resource'
}

/** Servers repeat a structured result as text for older clients: the text is then left out. */
function addStructured(value: JsonValue, blocks: Block[]): void {
  const key = jsonKey(value)
  const isRepeated = (block: Block) => {
    if (block.type !== 'text') return false
    const parsed = tryParseJson(block.text)
    return parsed !== undefined && cleanJson(parsed) !== undefined && jsonKey(parsed) === key
  }
  const at = blocks.findIndex(isRepeated)
  if (at === -1) blocks.push({ type: 'json', value })
  else blocks[at] = { type: 'json', value }
}

function textOfBlocks(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'json' ? [JSON.stringify(block.value)] : []
  })
  return texts.join('\n').trim() || 'The tool failed and did not say why.'
}

/** Whether an error of the package is one of ours about the size of a message. */
export function isTooLarge(message: string): boolean {
  return message.includes(tooLarge)
}
