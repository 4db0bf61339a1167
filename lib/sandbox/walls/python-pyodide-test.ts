/** The self-test of Pyodide in Deno: Python code that leaves Pyodide and tries what Deno is to deny. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pythonValue } from '#lib/spec/python-call'
import { usualLimits, type WallTest } from '#lib/spec/walls'
import type { ScriptEnd, ScriptJob, WallContext } from './wall'

const limits = { ...usualLimits, timeoutMs: 30_000, memoryMiB: 512, diskMiB: 16 }

/** Gives a list of what it could do. `run` of the arguments names a file outside. */
const probe = `
import js
with open('given') as file, open('taken', 'w') as copy:
    copy.write(file.read())
tries = {
    'it reads files of the server': 'Deno.readTextFileSync(canary)',
    'it reads files of the server through Node’s modules': 'process.getBuiltinModule("node:fs").readFileSync(canary)',
    'it writes files of the server': 'Deno.writeTextFileSync(canary, "")',
    'it sees the environment of the server': 'if (Object.keys(Deno.env.toObject()).length === 0) throw new Error("there are none")',
    'it starts programs': 'new Deno.Command(Deno.execPath()).outputSync()',
    'it reaches the network': 'Deno.listen({ port: 0 })',
    'it loads libraries': 'Deno.dlopen("libc.so.6", {})',
    'it sees the system': 'Deno.hostname()',
}
leaks = []
for words, source in tries.items():
    try:
        js.Function.new('canary', source)(context['canary'])
        leaks.append(words)
    except Exception:
        pass
leaks
`

/** @param run runs a job behind this wall */
export async function testPyodide(
  { temporary, missing }: Pick<WallContext, 'temporary'> & { readonly missing: readonly string[] },
  run: (job: ScriptJob, signal: AbortSignal) => Promise<ScriptEnd>,
): Promise<WallTest> {
  if (missing.length > 0) return notInstalled(missing)
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const top = await mkdtemp(path.join(temporary, 'wall-'))
  const [folder, scratch, canary] = ['files', 'scratch', 'canary'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ] // cast: there are three
  try {
    const nonce = randomBytes(16).toString('hex')
    await Promise.all([mkdir(folder), mkdir(scratch), writeFile(canary, 'canary')])
    await writeFile(path.join(folder, 'given'), nonce)
    const began = performance.now()
    const args = { mode: 'script', run: { canary } }
    const job = {
      kind: 'python' as const,
      source: probe,
      args,
      folder,
      scratch,
      limits,
      output: () => undefined,
    }
    const end = await run(job, AbortSignal.timeout(90_000))
    const startMs = Math.round(performance.now() - began)
    const copied = await readFile(path.join(folder, 'taken'), 'utf8').catch(() => '')
    return judge(end, { isThrough: copied === nonce, startMs })
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

function judge(end: ScriptEnd, { isThrough, startMs }: { isThrough: boolean; startMs: number }): WallTest {
  const value = end.ended ? pythonValue.safeParse(end.value).data?.result : undefined
  if (value?.kind !== 'json' || !Array.isArray(value.value) || !isThrough) {
    const why = end.ended ? 'it did not give the expected result' : end.message
    return { holds: false, reason: `Pyodide does not run on this machine: ${why}`, remedies: [again] }
  }
  if (value.value.length === 0) return { holds: true, startMs }
  const leaks = value.value.map(String).join(', ')
  return {
    holds: false,
    reason: `The installed Deno does not confine what it runs: ${leaks}.`,
    remedies: [again],
  }
}

const again = 'Install both again: `loopwright walls install`.'

function notInstalled(missing: readonly string[]): WallTest {
  const names = missing.map((each) => (each === 'deno' ? 'Deno' : 'Pyodide')).join(' and ')
  return {
    holds: false,
    reason: `${names} ${missing.length === 1 ? 'is' : 'are'} not installed.`,
    remedies: ['Install with `loopwright walls install` or under Settings → Sandbox.'],
  }
}
