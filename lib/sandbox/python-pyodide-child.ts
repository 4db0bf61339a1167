/**
 * The program that runs Python in Pyodide. Deno runs it with every permission denied but reading its own files, so
 * code that gets out of Pyodide is in a JavaScript without files, network, processes and variables.
 * It reads and writes with blocking calls, because Python calls are blocking too.
 */
import { type ChildFrame, FrameReader, frameLimits, frameOf } from './frames'
import { pythonGuest } from './python-guest'

/** The part of Deno that this program uses. */
interface DenoHost {
  readonly args: readonly string[]
  readonly stdin: { readSync(into: Uint8Array): number | null }
  readonly stdout: { writeSync(bytes: Uint8Array): number }
  exit(code: number): never
}
declare const Deno: DenoHost

interface PyCallable {
  (...values: unknown[]): unknown
  destroy(): void
}
interface Pyodide {
  setStdin(options: { stdin: () => null }): void
  setStdout(options: { write(bytes: Uint8Array): number }): void
  setStderr(options: { write(bytes: Uint8Array): number }): void
  runPython(source: string): unknown
  globals: { get(name: string): PyCallable }
}

const [folder = '', memoryMiB = '1024'] = Deno.args
const work = '/work'
const reader = new FrameReader(frameLimits)
const waiting: ChildFrame[] = []
const buffer = new Uint8Array(1024 * 1024)

function send(header: Readonly<Record<string, unknown>>, body?: Uint8Array): void {
  let bytes = frameOf(header, body)
  while (bytes.byteLength > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes))
}

function receive(): ChildFrame {
  while (waiting.length === 0) {
    const count = Deno.stdin.readSync(buffer)
    const frames = count === null ? undefined : reader.add(buffer.slice(0, count))
    if (frames === undefined) Deno.exit(0)
    waiting.push(...frames)
  }
  return waiting.shift() ?? Deno.exit(0)
}

/**
 * Pyodide asks for more memory by growing that of its WebAssembly. A refusal becomes a MemoryError in Python, which
 * the code can read. The kernel's limit on the process is for code that gets out of Pyodide.
 */
function limitMemory(mebibytes: number): void {
  const pages = mebibytes * 16
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (more: number) {
    if (this.buffer.byteLength / 65_536 + more > pages) throw new RangeError('out of memory')
    return grow.call(this, more)
  }
}

/** Files between the workspace and Pyodide, and the call itself. All paths are relative to the workspace. */
const calls = `
import shutil, sys, os, json
known = {}

def add_wheel(name, content):
    os.makedirs('/wheels', exist_ok=True)
    with open('/wheels/' + name, 'wb') as file:
        file.write(content.to_bytes())
    sys.path.append('/wheels/' + name)

readable = set()

def put_readable(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(content.to_bytes())
    readable.add('/' + path.split('/')[1])

def clear():
    os.chdir('/')
    for folder in readable:
        shutil.rmtree(folder, ignore_errors=True)
    readable.clear()
    shutil.rmtree('${work}', ignore_errors=True)
    shutil.rmtree('/tmp', ignore_errors=True)
    os.makedirs('${work}', exist_ok=True)
    os.makedirs('/tmp', exist_ok=True)
    known.clear()

def put(path, content):
    place = os.path.join('${work}', path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    data = content.to_bytes()
    with open(place, 'wb') as file:
        file.write(data)
    known[path] = data

def changes():
    left = set(known)
    for folder, _, names in os.walk('${work}'):
        for name in names:
            place = os.path.join(folder, name)
            if os.path.islink(place) or not os.path.isfile(place):
                continue
            path = os.path.relpath(place, '${work}')
            with open(place, 'rb') as file:
                data = file.read()
            left.discard(path)
            if known.get(path) != data:
                yield path, data
    for path in left:
        yield path, None

def call(text, exchange, give):
    def ask(header, body=b''):
        answer = exchange(json.dumps(header), body)
        return json.loads(answer[0]), answer[1].to_bytes()
    os.chdir('${work}')
    code, result = execute(json.loads(text), ask)
    os.chdir('/')
    for path, data in changes():
        give(path, data)
    clear()
    return code, result
`

/** A value of Python as bytes; its proxy is destroyed. */
function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  const proxy = value as { toJs(): Uint8Array; destroy(): void } // cast: Python gives bytes, which are a proxy here
  const bytes = proxy.toJs()
  proxy.destroy()
  return bytes
}

async function open(): Promise<Pyodide> {
  limitMemory(Number(memoryMiB))
  const quiet = () => undefined
  Object.assign(console, { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet })
  const { loadPyodide } = await import(`file://${folder}/pyodide.mjs`)
  const pyodide: Pyodide = await loadPyodide({ indexURL: `${folder}/` })
  const output = (from: string) => ({
    write(bytes: Uint8Array) {
      send({ type: 'out', from }, bytes)
      return bytes.byteLength
    },
  })
  pyodide.setStdin({ stdin: () => null })
  pyodide.setStdout(output('stdout'))
  pyodide.setStderr(output('stderr'))
  pyodide.runPython(pythonGuest)
  pyodide.runPython(calls)
  return pyodide
}

function exchange(header: string, body: unknown): [string, Uint8Array] {
  send(JSON.parse(header), bytesOf(body))
  const answer = receive()
  return [JSON.stringify(answer.header), answer.body]
}

function give(path: string, data: unknown): void {
  if (data === null || data === undefined) send({ type: 'removed', path })
  else send({ type: 'file', path }, bytesOf(data))
}

async function main(): Promise<void> {
  const pyodide = await open()
  const [clear, put, putReadable, call, addWheel] = ['clear', 'put', 'put_readable', 'call', 'add_wheel'].map(
    (name) => pyodide.globals.get(name),
  )
  clear?.()
  send({ type: 'ready' })
  for (;;) {
    const { header, body } = receive()
    if (header.type === 'file') put?.(header.path, body)
    else if (header.type === 'readable') putReadable?.(header.path, body)
    else if (header.type === 'wheel') addWheel?.(header.name, body)
    else if (header.type === 'run') {
      const answer = call?.(new TextDecoder().decode(body), exchange, give)
      const pair = answer as { get(index: number): unknown; destroy(): void } // cast: Python gives a tuple of two
      send({ type: 'done', exit: pair.get(0) }, bytesOf(pair.get(1)))
      pair.destroy()
    }
  }
}

await main()
