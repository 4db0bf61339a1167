/** The conformance suite of MCP against the product's own endpoint and client; only in deep runs, which install it. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { HttpHouse } from '#lib/server/outlet/http.fixture'
import { bundles, ensureBundled } from '../../lib/setup/bundle.mjs'
import { ensureConformance } from '../../lib/setup/conformance.mjs'
import { isDeep } from '../test-depth'
import { serveConformance } from './server'
import { type ConformanceSuite, knownFile, knownToFail, requiredOf, runSuite } from './suite'

describe.skipIf(!isDeep)('the conformance suite of MCP', () => {
  let place: ReturnType<typeof temporaryFolder>
  let server: HttpHouse
  let suite: ConformanceSuite
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
    ['2025-11-25', 30, 0],
  ])(
    '@deep a server passes what %s requires of one: %i scenarios, and %i that are known to fail',
    async (revision, passed, failed) => {
      const known = knownFile('server', revision)
      const { code, output } = await runSuite(suite, [
        ...['server', '--url', server.url, '--requirements', revision, '-o', place.folder],
        // The suite also fails when one of these passes.
        ...(known === undefined ? [] : ['--expected-failures', known]),
      ])
      expect(code, output).toBe(0)
      const required = new Set(requiredOf(suite, 'server', revision))
      expect(countsOf(output, required)).toEqual({ passed, failed })
    },
    180_000,
  )

  test.each([
    ['2026-07-28', 31, 1],
    ['2025-11-25', 17, 1],
  ])(
    '@deep a client passes what %s requires of one: %i scenarios, and %i that are known to fail',
    async (revision, passed, failed) => {
      await ensureBundled({ 'conformance-client': 'e2e/conformance/client.ts' })
      const required = requiredOf(suite, 'client', revision)
      const logs = new Map<string, string>()
      // The suite runs all scenarios of a revision at once, with a process for each, which a small machine
      // cannot do in time. So each is run by itself.
      await eachOf(required, async (scenario) => {
        const { code, output } = await runClient(scenario, revision)
        if (code !== 0) logs.set(scenario, output)
      })
      const known = knownToFail('client', revision)
      const unexpected = [...logs].filter(([scenario]) => !known.includes(scenario))
      expect(unexpected.map(([, output]) => output).join('\n')).toBe('')
      expect([...logs.keys()].sort()).toEqual([...known].sort())
      expect({ passed: required.length - logs.size, failed: logs.size }).toEqual({ passed, failed })
    },
    300_000,
  )

  function runClient(scenario: string, revision: string) {
    const client = path.join(bundles, 'conformance-client.mjs')
    return runSuite(suite, [
      ...['client', '--command', `"${process.execPath}" "${client}"`],
      ...['--scenario', scenario, '--spec-version', revision],
      ...['--timeout', '60000', '-o', place.folder],
    ])
  }
})

/** Works on three items at a time. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

/** Counts the required scenarios by the lines of the suite's summary. */
function countsOf(output: string, required: ReadonlySet<string>) {
  const lines = [...output.matchAll(/^(\S+) ([\w-]+): \d+ passed, \d+ failed/gm)]
  const ofRequired = lines.filter(([, , scenario = '']) => required.has(scenario))
  const passed = ofRequired.filter(([, sign]) => sign === '✓').length
  return { passed, failed: ofRequired.length - passed }
}
