/** Python of this machine inside bubblewrap: one process for each call, with the files of the script as its folder. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { WallTest } from '#lib/spec/walls'
import { type CallEnd, PythonConversation, resultIn } from '../python-conversation'
import { pythonGuest, pythonMain, wheelsInside } from '../python-guest'
import type { TableReader } from '../python-tables'
import { readAsk } from '../python-wire'
import { createBubblewrap } from './bubblewrap'
import type { Attended, BoxedProgram } from './bubblewrap-run'
import type { ScriptJob, ScriptWall, WallContext } from './wall'

/** The places that bubblewrap shows, in the order of its PATH. */
const places = ['/usr/local/bin/python3', '/usr/bin/python3', '/bin/python3']

/** @param search folders that may contain `bwrap`, in the form of PATH; default: those of the server */
export function createPythonBubblewrap(
  context: WallContext,
  readTables: TableReader,
  search?: string,
): ScriptWall {
  const conversations = new WeakMap<ScriptJob, Promise<CallEnd>>()
  const wall = createBubblewrap(context, {
    ...(search !== undefined && { search }),
    lacks,
    program: async (job) => ({
      ...pythonProgram(context),
      attend: (pipes) => void conversations.set(job, converse(pipes, { job, readTables })),
    }),
  })
  return {
    ...wall,
    async run(job, signal) {
      const end = await wall.run(job, signal)
      if (!end.ended) return end
      const call = await conversations.get(job)
      const value = call?.ended ? resultIn(call.body) : undefined
      return value === undefined ? end : { ...end, value }
    },
  }
}

/** Isolated from variables, user packages and the current folder; what the machine has of packages can be imported. */
function pythonProgram({ wheels }: WallContext): BoxedProgram {
  const python = places.find((each) => existsSync(each)) ?? 'python3'
  return {
    command: [python, '-I', '-B', '-u', '-X', 'utf8', '-c', `${pythonGuest}\n${pythonMain}`],
    readable: wheels !== undefined && existsSync(wheels) ? [[wheels, wheelsInside]] : [],
    // A thread for each processor takes memory for no use within the limits.
    env: { MPLBACKEND: 'Agg', MPLCONFIGDIR: '/tmp', OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
  }
}

interface Talk {
  readonly job: ScriptJob
  readonly readTables: TableReader
}

/** Resolves when the program has its result, or has ended without one. */
async function converse({ stdin, channel, kill }: Attended, { job, readTables }: Talk): Promise<CallEnd> {
  const conversation = new PythonConversation({ stdin, frames: channel, kill })
  const never = new AbortController().signal
  const said = await conversation.next(never)
  if (typeof said === 'string') return { ended: false, why: said }
  const end = await conversation.call(readAsk(job), { output: job.output, readTables }, never)
  stdin.end()
  return end
}

/** Python is asked for its version: a file with its name is not enough. */
async function lacks(): Promise<Extract<WallTest, { holds: false }> | undefined> {
  const python = places.find((each) => existsSync(each))
  const version = python === undefined ? undefined : await versionOf(python)
  if (version !== undefined && version >= 308) return undefined
  return {
    holds: false,
    reason:
      version === undefined
        ? `The machine has no Python 3 at ${places.slice(0, 2).join(' or ')}.`
        : 'The Python of this machine is older than 3.8.',
    remedies: [
      'Install it: `sudo apt install python3` on Debian and Ubuntu, `sudo dnf install python3` on Fedora.',
    ],
  }
}

/** For example 311 for Python 3.11. */
async function versionOf(python: string): Promise<number | undefined> {
  const ask = 'import sys; print(sys.version_info[0] * 100 + sys.version_info[1])'
  const env = {} as NodeJS.ProcessEnv // cast: Next declares NODE_ENV as always present
  const answer = await promisify(execFile)(python, ['-I', '-c', ask], { timeout: 10_000, env }).catch(
    () => undefined,
  )
  return answer === undefined ? undefined : Number.parseInt(answer.stdout, 10)
}
