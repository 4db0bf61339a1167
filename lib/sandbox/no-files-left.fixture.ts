/** A program that has opened every file it may, and then asks each wall for a process. Prints what they answer. */
import { closeSync, openSync } from 'node:fs'
import { answerOfChild } from './child-answer'
import { createJavascript } from './javascript'
import { createSql } from './sql'
import { runBoxed } from './walls/bubblewrap-run'
import { createJustBash } from './walls/just-bash'

const [folder = ''] = process.argv.slice(2)
const { signal } = new AbortController()
const limits = { timeoutMs: 5_000, memoryMiB: 128, processes: 4, outputBytes: 1_000, diskMiB: 1 }
const job = { kind: 'shell', source: 'true', folder, scratch: folder, limits, output: () => {} } as const
const files = {
  read: () => Promise.reject(new Error('No file is read.')),
  write: () => Promise.reject(new Error('No file is written.')),
}

const held: number[] = []
try {
  for (;;) held.push(openSync('/dev/null', 'r'))
} catch {
  // There are no more.
}

const ask = { program: 'page-child', input: '', timeoutMs: 5_000, maxOutputBytes: 1_000 }
const bounds = { memoryMiB: 128, heapMiB: 64, cpuSeconds: 5, fileMiB: 1 }
const box = { program: '/usr/bin/bwrap', hardening: [], hidden: [] }
const answers = await Promise.all([
  answerOfChild({ ...ask, bounds }, signal),
  createJavascript(async () => undefined).run(
    { source: 'return 1', args: {}, timeoutMs: 5_000, files, log: () => {} },
    signal,
  ),
  createSql(() => new Map([['main', process.execPath]])).query({ database: 'main', sql: 'SELECT 1' }, signal),
  createJustBash({ installed: folder, temporary: folder, hidden: [] }).run(job, signal),
  runBoxed(box, { command: ['true'] }, { job, running: new Set(), signal }),
])
// What the system says of each comes as an event after this.
await new Promise((resolve) => setTimeout(resolve, 50))
for (const each of held) closeSync(each)
console.log(JSON.stringify(answers.map((each) => ('code' in each ? each.code : each))))
