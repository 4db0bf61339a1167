/** What the self-test of the wall just-bash tries in the child process itself, past the interpreter. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ProbeShell } from './shell-wire'

/** What it could do although the wall forbids it, each in a few words. */
export function probeWall({ canary }: ProbeShell): string[] {
  const tries: [leak: string, work: () => unknown][] = [
    ['it reads files of the server', () => fs.readFileSync(canary)],
    ['it lists folders of the server', () => fs.readdirSync(path.dirname(canary))],
    ['it lists folders of the machine', () => fs.readdirSync(path.parse(process.execPath).root)],
    ['it writes files of the server', () => fs.writeFileSync(`${canary}-written`, '')],
    ['it writes to the machine', () => fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-probe-'))],
    ['it makes links to files of the machine', () => fs.symlinkSync('/etc/passwd', `${canary}-link`)],
    ['it starts programs', () => throwError(spawnSync(process.execPath, ['--version']).error)],
    ['it starts threads', () => new Worker('', { eval: true }).terminate()],
  ]
  const leaks = tries.flatMap(([leak, work]) => (isPossible(work) ? [leak] : []))
  const names = Object.keys(process.env).filter((name) => name !== 'PWD' && name !== 'SystemRoot')
  return names.length === 0 ? leaks : [...leaks, 'it sees the environment of the server']
}

function isPossible(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

function throwError(error: Error | undefined): void {
  if (error !== undefined) throw error
}
