/** The MCP servers of the command line: those of the file named in LOOPWRIGHT_MCP_CONFIG. */
import path from 'node:path'
import { rootOf } from '#lib/server/environment/environment'
import { programVersion } from '#lib/server/environment/program-version'
import { type FileServers, openFileMcp, readFileServers } from '#lib/server/mcp/file-mcp'
import { type McpPort, noServers } from '#lib/spec/mcp'
import type { createModels } from './models'
import type { Terminal } from './terminal'

/** The servers of the file; undefined if none is named. Each thing that is wrong with it is said on standard error. */
export function readMcpFile(terminal: Terminal): FileServers | undefined {
  const named = terminal.env.LOOPWRIGHT_MCP_CONFIG
  if (named === undefined || named === '') return undefined
  const file = readFileServers(path.resolve(terminal.folder, named))
  for (const problem of file.problems) terminal.err(`loopwright: ${problem}\n`)
  return file
}

interface OpenContext {
  readonly terminal: Terminal
  /** The data folder. */
  readonly data: string
  readonly models: ReturnType<typeof createModels>
  readonly allowHosts: readonly string[]
}

export function openMcpServers(
  file: FileServers | undefined,
  { terminal, data, models, allowHosts }: OpenContext,
): { mcp: McpPort; close(): void } {
  if (file === undefined) return { mcp: noServers, close: () => undefined }
  const { env, folder } = terminal
  const { connections, close } = openFileMcp({
    ...{ file, data, search: env.PATH ?? '', lang: env.LANG, noStdio: env.LOOPWRIGHT_NO_STDIO === '1' },
    ...{ allowHosts, version: programVersion(rootOf(env, folder)) },
    redact: models.surroundings.redact ?? String,
    openSecret: models.open,
  })
  return { mcp: connections, close: () => void close() }
}
