/** The tool `files.get`: returns the plain content of a file of the workspace; what is no text, in base64. */
import { z } from 'zod'
import { text, tool } from '#lib/spec/tool'
import { bytesInWords, countOf, decode, pathArgument, refusalOf } from './files'
import { fileToolName } from './shared-names'

const maxChars = 30_000
/** So many bytes are that many characters of base64. */
const maxBytes = (maxChars / 4) * 3

function asBase64(path: string, bytes: Uint8Array): string {
  const shown = bytes.subarray(0, maxBytes)
  const part = shown.length < bytes.length ? `the first ${bytesInWords(shown.length)}` : 'it'
  const head = `${path} is not text, but ${bytesInWords(bytes.byteLength)} of other data. This is ${part} in base64; files.view shows documents and pictures:`
  return `${head}\n${Buffer.from(shown).toString('base64')}`
}

export const filesGet = tool({
  name: 'files.get',
  label: 'Get a file',
  group: 'Files',
  keywords: ['read', 'open', 'download', 'load'],
  description: `Gives the content of a text file of the workspace as it is, without line numbers; what follows ${maxChars.toLocaleString('en')} characters is cut.`,
  icon: 'file-output',
  aliases: ['file_tool'],
  sharedNames: [fileToolName],
  argumentAliases: { file_path: 'path', file_name: 'path', filename: 'path' },
  risk: 'read',
  input: z.object({ path: pathArgument }),
  async run({ path }, { ports }) {
    const read = await ports.files.read(path)
    if (!read.ok) return refusalOf(read)
    const content = decode(read.value)
    if (content === undefined) return text(asBase64(path, read.value))
    if (content === '') return text(`${path} is empty.`)
    const points = content.length > maxChars ? [...content] : []
    if (points.length <= maxChars) return text(content)
    const rest = countOf(points.length - maxChars, 'more character')
    return text(`${points.slice(0, maxChars).join('')}\n… (${rest} cut; read them with files.view)`)
  },
})
