import { describe, expect, test } from 'vitest'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolContext } from '#lib/spec/tool'
import type { ScriptAnswer, ScriptRequest, WallFacts } from '#lib/spec/walls'
import { shellRun } from './shell-run'
import { context } from './tools.fixture'

const wall: WallFacts = { id: 'w', name: 'a wall', strength: 'system', promises: ['no network'], gaps: [] }
const usage = { wallMs: 1_500, cpuSeconds: 0.25, peakMemoryBytes: 4_096 }
const about = { usage, wall, output: { stdout: 'out\n', stderr: '', dropped: 0 } }
const done: ScriptAnswer = { ok: true, exitCode: 0, changed: [], removed: [], ignored: 0, ...about }

/** Runs the tool with a sandbox that gives this answer, and records what was asked of it. */
async function run(answer: ScriptAnswer, args: object = {}, isReading = false) {
  const asked: ScriptRequest[] = []
  const created: string[] = []
  let progress = ''
  const given: ToolContext = {
    ...context(),
    progress: (text) => {
      progress += String(text)
    },
    created: ({ name }) => created.push(name),
    ports: {
      ...closedPorts,
      files: {
        ...closedPorts.files,
        keep: async (path) => ({
          ok: true,
          value: { id: path, name: path, path, mediaType: 'text/plain', bytes: 1 },
        }),
      },
      sandbox: {
        ...closedPorts.sandbox,
        async run(request) {
          asked.push(request)
          request.output('live\n', 'stdout')
          return answer
        },
      },
    },
  }
  const body = isReading ? shellRun.reading : shellRun
  if (body === undefined) throw new Error('a body')
  const output = await body.run({ script: 'ls', ...args }, given)
  return { output, asked, created, progress }
}

describe('shell.run', () => {
  test('S1-07 gives output, exit code and files, streams what is printed, and reports what it used', async () => {
    const { output, created, progress, asked } = await run(
      {
        ...done,
        exitCode: 2,
        changed: ['a.txt', 'b/c.txt'],
        removed: ['old.txt'],
        ignored: 1,
        output: { stdout: 'out\n', stderr: 'oops\n', dropped: 9 },
      },
      { files: ['a.txt'] },
    )
    expect(output).toEqual({
      ok: true,
      blocks: [
        {
          type: 'text',
          text: 'Exit code 2. Files made or changed: a.txt, b/c.txt. Removed: old.txt. 1 links or special files were not kept.\nout\nErrors:\noops\n(9 more bytes were printed and not kept.)',
        },
      ],
      metadata: { exitCode: 2, seconds: 1.5, cpuSeconds: 0.25, peakMemoryBytes: 4_096, wall },
    })
    expect(created).toEqual(['a.txt', 'b/c.txt'])
    expect(progress).toBe('live\n')
    expect(asked[0]).toMatchObject({ kind: 'shell', source: 'ls', mayWrite: true, only: ['a.txt'] })
  })

  test('tells the model what was printed before the script was stopped', async () => {
    const { output } = await run({ ok: false, code: 'timeout', message: 'Too long.', ...about })
    expect(output).toMatchObject({
      ok: false,
      code: 'timeout',
      message: 'Too long.\nIt had printed:\nout',
      metadata: { wall: { name: 'a wall' } },
    })
  })

  test('may be tried again when every sandbox was busy', async () => {
    const { output } = await run({ ok: false, code: 'busy', message: 'Busy.' })
    expect(output).toEqual({ ok: false, code: 'busy', message: 'Busy.', retryable: true, metadata: {} })
  })

  test('changes nothing under an entry that limits it to reading', async () => {
    const { asked } = await run(done, {}, true)
    expect(asked[0]).toMatchObject({ mayWrite: false })
  })

  test('asks a person in a drawing, and counts as an effect', () => {
    expect(shellRun).toMatchObject({ risk: 'write', effect: 'effect', asksFirst: true, walled: 'shell' })
    expect(shellRun.aliases).toContain('execute_bash')
  })
})
