/** File ports over a folder without kept artifacts: for the command line, and for a tool tried by hand. */
import path from 'node:path'
import { createWorkspace, filesPort } from '#lib/sandbox/workspace'
import type { ToolPorts } from '#lib/spec/tool'
import { plainName } from './file-name'
import { mediaTypeOf } from './media-type'

export function looseFiles(folder: string): Pick<ToolPorts, 'files' | 'artifacts'> {
  const files = filesPort(createWorkspace(folder), async (file, given) => {
    let head = Buffer.alloc(0)
    for await (const chunk of file.content) {
      head = chunk
      break
    }
    const name = given.name === undefined ? path.posix.basename(file.path) : plainName(given.name)
    const { path: at, bytes } = file
    return { ok: true, value: { id: at, name, path: at, mediaType: mediaTypeOf(name, head), bytes } }
  })
  return { files, artifacts: { keep: async () => undefined } }
}
