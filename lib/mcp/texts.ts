/** Reads texts of a server for a model: what it says of how it is used, and resources. */
import { isObject } from '#lib/spec/json'
import type { McpText, McpTextRequest } from '#lib/spec/mcp'
import { wordsOf } from './faults'
import type { McpServerInfo } from './servers'

/** What a server gives for a resource, unchecked. */
export interface ResourceContents {
  readonly contents?: unknown
}

/** The connection as it is used here. */
interface Reader {
  readonly info: McpServerInfo
  readResource(uri: string, signal: AbortSignal): Promise<ResourceContents>
  redact(text: string): string
}

/** Of one text. All of them are part of every request of the run. */
const mostChars = 10_000

/** Never rejects. */
export function readTexts(
  reader: Reader,
  { server, instructions, resources }: McpTextRequest,
  signal: AbortSignal,
): Promise<McpText[]> {
  const read = resources.map((uri) => readResource(reader, { server, name: uri }, signal))
  const own = instructions ? [readInstructions(reader, server)] : []
  return Promise.all([...own, ...read])
}

type Named = Pick<McpText, 'server' | 'name'>

function readInstructions(reader: Reader, server: string): McpText {
  const named = { server, name: 'instructions' }
  const { instructions = '' } = reader.info
  if (instructions.trim() === '') return { ...named, problem: 'The server has none.' }
  return { ...named, text: shorten(reader.redact(instructions)) }
}

async function readResource(reader: Reader, named: Named, signal: AbortSignal): Promise<McpText> {
  try {
    const { contents } = await reader.readResource(named.name, signal)
    const texts = (Array.isArray(contents) ? contents : []).flatMap((each) =>
      isObject(each) && typeof each.text === 'string' ? [each.text] : [],
    )
    if (texts.length === 0) return { ...named, problem: 'It is no text.' }
    return { ...named, text: shorten(reader.redact(texts.join('\n\n'))) }
  } catch (error) {
    return { ...named, problem: reader.redact(signal.aborted ? 'It was not read in time.' : wordsOf(error)) }
  }
}

function shorten(text: string): string {
  if (text.length <= mostChars) return text
  return `${text.slice(0, mostChars)}\n[${text.length - mostChars} more characters were left out.]`
}
