/** The tool `files.get`: returns the plain content of a text file of the workspace. */
import { z } from 'zod'
import { text, tool } from '#lib/spec/tool'
import { countOf, pathArgument, readText } from './files'

const maxChars = 30_000

export const filesGet = tool({
  name: 'files.get',
  label: 'Get a file',
  group: 'Files',
  keywords: ['read', 'open', 'download', 'load'],
  description: `Gives the content of a text file of the workspace as it is, without line numbers; what follows ${maxChars.toLocaleString('en')} characters is cut.`,
  icon: 'file-output',
  risk: 'read',
  input: z.object({ path: pathArgument }),
  async run({ path }, { ports }) {
    const read = await readText(ports.files, path)
    if ('refusal' in read) return read.refusal
    const { content } = read
    if (content === '') return text(`${path} is empty.`)
    const points = content.length > maxChars ? [...content] : []
    if (points.length <= maxChars) return text(content)
    const rest = countOf(points.length - maxChars, 'more character')
    return text(`${points.slice(0, maxChars).join('')}\n… (${rest} cut; read them with files.view)`)
  },
})
