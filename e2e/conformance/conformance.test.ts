/** The conformance suite of MCP against the product's own endpoint; only in deep runs, which install the suite. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { HttpHouse } from '#lib/server/outlet/http.fixture'
import { ensureConformance } from '../../lib/setup/conformance.mjs'
import { isDeep } from '../test-depth'
import { serveConformance } from './server'

describe.skipIf(!isDeep)('the conformance suite of MCP', () => {
  let place: ReturnType<typeof temporaryFolder>
  let server: HttpHouse
  let suite: Awaited<ReturnType<typeof ensureConformance>>
  beforeAll(async () => {
    place = temporaryFolder()
    server = await serveConformance()
    suite = await ensureConformance()
  }, 120_000)
  afterAll(async () => {
    await server?.close()
    place?.remove()
  })

  test.each([
    ['2026-07-28', 37, 0],
    ['2025-11-25', 24, 6],
  ])(
    '@deep a server passes what %s requires of one: %i scenarios, and %i that are known to fail',
    async (revision, passed, failed) => {
      const known = path.join(import.meta.dirname, `server-${revision}.yaml`)
      const { code, output } = await run([
        'server',
        '--url',
        server.url,
        '--requirements',
        revision,
        '-o',
        place.folder,
        // The suite also fails when one of these passes.
        ...(fs.existsSync(known) ? ['--expected-failures', known] : []),
      ])
      expect(code, output).toBe(0)
      expect(countsOf(output, suite.program, revision)).toEqual({ passed, failed })
    },
    180_000,
  )

  function run(args: readonly string[]): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const options = { maxBuffer: 64 * 1024 * 1024 }
      execFile(suite.node, [suite.program, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
      )
    })
  }
})

/** Counts the scenarios that the revision requires of a server, by the lines of the suite's summary. */
function countsOf(output: string, program: string, revision: string) {
  const file = path.join(path.dirname(program), `../requirements/${revision}.yaml`)
  const [, list = ''] = /^server:\n((?: {2}- .*\n)+)/m.exec(fs.readFileSync(file, 'utf8')) ?? []
  const required = new Set(list.split('\n').map((line) => line.replace(/^ {2}- /, '')))
  const lines = [...output.matchAll(/^(\S+) ([\w-]+): \d+ passed, \d+ failed/gm)]
  const ofRequired = lines.filter(([, , scenario = '']) => required.has(scenario))
  const passed = ofRequired.filter(([, sign]) => sign === '✓').length
  return { passed, failed: ofRequired.length - passed }
}
