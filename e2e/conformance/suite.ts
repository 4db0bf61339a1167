/** Runs the conformance suite of MCP, and reads what a revision requires. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { ensureConformance } from '../../lib/setup/conformance.mjs'

export type ConformanceSuite = Awaited<ReturnType<typeof ensureConformance>>
export type ConformanceSide = 'client' | 'server'

export function runSuite(
  { node, program }: ConformanceSuite,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 }
    execFile(node, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    )
  })
}

/** The scenarios that the revision requires of this side. */
export function requiredOf({ program }: ConformanceSuite, side: ConformanceSide, revision: string): string[] {
  return listIn(path.join(path.dirname(program), `../requirements/${revision}.yaml`), side)
}

/** The file with the scenarios that are known to fail; undefined when there are none. */
export function knownFile(side: ConformanceSide, revision: string): string | undefined {
  const file = path.join(import.meta.dirname, `${side}-${revision}.yaml`)
  return fs.existsSync(file) ? file : undefined
}

export function knownToFail(side: ConformanceSide, revision: string): string[] {
  const file = knownFile(side, revision)
  return file === undefined ? [] : listIn(file, side)
}

/** The items below a key of a YAML file, without its comments. */
function listIn(file: string, key: string): string[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  const rest = lines.slice(lines.indexOf(`${key}:`) + 1)
  const end = rest.findIndex((line) => line !== '' && !line.startsWith(' '))
  const items = end === -1 ? rest : rest.slice(0, end)
  return items.flatMap((line) => /^ {2}- (\S+)/.exec(line)?.[1] ?? [])
}
