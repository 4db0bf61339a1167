/** Test tools for Python behind walls: running code over a place, and where Deno and Pyodide are for tests. */
import path from 'node:path'
import { pythonValue } from '#lib/spec/python-call'
import { type ScriptAnswer, type ScriptRequest, usualLimits } from '#lib/spec/walls'
import { createScripts } from './scripts'
import type { Given, Place } from './scripts.fixture'
import { chooseWalls } from './walls/choose'
import { findDeno } from './walls/deno'
import { missingPackages } from './walls/python-pyodide'
import type { ScriptWall } from './walls/wall'

/** `npm run test:deep` installs Deno and Pyodide here; `npm test` fetches nothing. */
export const testPackages = path.resolve(
  import.meta.dirname,
  '../../node_modules/.cache/loopwright/sandbox/walls',
)

/** Why Pyodide cannot be tested here; undefined if it can. */
export function lackOfPyodide(): string | undefined {
  return lackOf(missingPackages({ installed: testPackages }))
}

/** Why Deno cannot be tested here; undefined if it can. */
export function lackOfDeno(): string | undefined {
  return lackOf(findDeno(testPackages) === undefined ? ['deno'] : [])
}

function lackOf(missing: readonly string[]): string | undefined {
  return missing.length === 0
    ? undefined
    : `not run: ${missing.join(' and ')} not installed; npm run test:deep installs them`
}

export interface RanPython {
  readonly answer: ScriptAnswer
  readonly result: unknown
  readonly printed: string
}

/** Runs Python over the place behind this wall, whatever its test says. */
export async function runPythonBehind(
  wall: ScriptWall,
  place: Place,
  source: string,
  { limits, signal = new AbortController().signal, ...rest }: Given = {},
): Promise<RanPython> {
  const assumed = { ...wall, test: async () => ({ holds: true, startMs: 0 }) as const }
  const choice = chooseWalls({ javascript: [], shell: [], python: [assumed], readers: [] })
  const port = createScripts({ choice, temporary: place.temporary })
  let printed = ''
  const request: ScriptRequest = {
    kind: 'python',
    source,
    files: place.workspace,
    mayWrite: true,
    output: (text) => {
      printed += text
    },
    ...rest,
    limits: { ...usualLimits, timeoutMs: 30_000, ...limits },
  }
  const answer = await port.run(request, signal)
  const value = answer.ok ? pythonValue.safeParse(answer.value).data?.result : undefined
  const result =
    value?.kind === 'json'
      ? value.value
      : value?.kind === 'text' || value?.kind === 'error'
        ? value.text
        : value
  return { answer, result, printed }
}
