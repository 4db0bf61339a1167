/** The operator's own list of MCP servers: the file named in LOOPWRIGHT_MCP_CONFIG, read once at the start. */
import fs from 'node:fs'
import type { McpReach } from '#lib/spec/mcp'
import { visible } from '#lib/spec/visible'
import { readEntries } from './import-json'

export interface FileServer {
  readonly reach: McpReach
  /** Whether the file says that its program may run without a wall. Counts at the command line. */
  readonly unwalled: boolean
}

export interface ConfigFile {
  readonly path: string
  readonly servers: ReadonlyMap<string, FileServer>
  /** What is wrong with the file or with entries of it, each in one sentence. The other entries count. */
  readonly problems: readonly string[]
}

const mostBytes = 1_000_000

export function readConfigFile(file: string): ConfigFile {
  const text = readText(file)
  if (text === undefined) return { path: file, servers: new Map(), problems: [`${file} cannot be read.`] }
  const read = readEntries(text)
  if (!read.ok) return { path: file, servers: new Map(), problems: [`${file}: ${read.error}`] }
  const servers = new Map<string, FileServer>()
  const problems: string[] = []
  const taken = new Set<string>()
  for (const { entry, result } of read.value) {
    const shown = visible(entry.slice(0, 100))
    if (!result.ok) problems.push(`${shown}: ${result.error}`)
    else if (taken.has(result.value.name.toLowerCase()))
      problems.push(`${shown}: another entry is called ${result.value.name} too.`)
    else {
      const { name, reach, unwalled } = result.value
      servers.set(name, { reach, unwalled })
      taken.add(name.toLowerCase())
    }
  }
  return { path: file, servers, problems }
}

function readText(file: string): string | undefined {
  try {
    return fs.statSync(file).size > mostBytes ? undefined : fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
