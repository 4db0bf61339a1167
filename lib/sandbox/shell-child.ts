/** The child process of the wall just-bash: runs one script over the files of a folder, and exits. */
import fs from 'node:fs'
import readline from 'node:readline'
import { Bash, type CommandName, getCommandNames, InMemoryFs } from 'just-bash'
import { codeOf } from './error-code'
import { loadFolder, storeFolder, workspace } from './shell-files'
import { type FromShell, maxOutputPiece, type RunShell, type ToShell } from './shell-wire'
import { probeWall } from './wall-probe'

/** Its engine is not installed. */
const without = new Set<string>(['sqlite3'])
/** The time limit ends loops; these only have to be out of the way of long scripts. */
const manySteps = 100_000_000
const fewSteps = 10_000_000

async function run({ source, folder, readable = [], memoryBytes }: RunShell): Promise<void> {
  const files = new InMemoryFs({}, { maxTotalBytes: memoryBytes })
  const loaded = loadFolder(folder, files)
  for (const [outside, inside] of readable) loadFolder(outside, files, inside)
  const bash = new Bash({
    fs: files,
    cwd: workspace,
    env: { HOME: workspace, TMPDIR: '/tmp', USER: 'sandbox', LANG: 'C.UTF-8', TERM: 'dumb' },
    commands: getCommandNames().filter((name) => !without.has(name)) as CommandName[], // cast: the list is of such names
    executionLimits: {
      maxCommandCount: manySteps,
      maxLoopIterations: manySteps,
      maxWorkUnits: manySteps,
      maxAwkIterations: fewSteps,
      maxSedIterations: fewSteps,
      maxJqIterations: fewSteps,
      maxFileSystemBytes: memoryBytes,
    },
  })
  files.mkdirSync('/tmp', { recursive: true })
  const { stdout, stderr, exitCode } = await bash.exec(source, { rawScript: true })
  sendOutput(Buffer.from(stdout), 'stdout')
  sendOutput(Buffer.from(stderr), 'stderr')
  await storeFolder(folder, files, loaded)
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  end({ type: 'done', exitCode, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 })
}

function sendOutput(bytes: Buffer, from: 'stdout' | 'stderr'): void {
  for (let at = 0; at < bytes.length; at += maxOutputPiece) {
    say({ type: 'output', from, base64: bytes.subarray(at, at + maxOutputPiece).toString('base64') })
  }
}

/** Blocks until the message is written, so that a slow parent slows the script down and nothing is lost at exit. */
function say(said: FromShell): void {
  let bytes = Buffer.from(`${JSON.stringify(said)}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(1, bytes))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') process.exit(1)
    }
  }
}

function end(said: FromShell): never {
  say(said)
  process.exit(0)
}

function fail(error: unknown): never {
  const code = codeOf(error)
  const isDisk = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
  const message = isDisk
    ? 'The changed files do not fit on the disk.'
    : 'The shell that ran the script failed.'
  end({
    type: 'failed',
    code: isDisk ? 'disk' : 'crashed',
    message: `${message} None of its changes were kept.`,
  })
}

/** In Deno the library says on the console what it could not patch there; the output is for messages alone. */
const quiet = () => undefined
Object.assign(console, { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet })

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
lines.once('line', (line) => {
  const asked: ToShell = JSON.parse(line)
  if (asked.type === 'probe') probeWall(asked.probe).then((leaks) => end({ type: 'probed', leaks }), fail)
  else run(asked).catch(fail)
})
lines.on('close', () => process.exit(0))
