/**
 * The child process of the JavaScript port: runs one execution in QuickJS, compiled to WebAssembly with
 * limited memory, and exits.
 */
import readline from 'node:readline'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { Execution } from './javascript-execution'
import { say } from './javascript-say'
import type { ToChild } from './javascript-wire'

const pageBytes = 65_536
/**
 * QuickJS cannot limit its own memory in WebAssembly, because it does not learn the size of an allocation
 * there. So the WebAssembly memory is the limit.
 */
const memory = { initial: (16 * 1024 * 1024) / pageBytes, maximum: (128 * 1024 * 1024) / pageBytes }
/** QuickJS's stack; each byte of it takes about four bytes of the process's own stack. */
const stackBytes = (process.platform === 'win32' ? 256 : 1024) * 1024

async function main(): Promise<void> {
  const wasmMemory = new WebAssembly.Memory(memory)
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }))
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(stackBytes)
  const isFull = () => wasmMemory.buffer.byteLength > memory.maximum * pageBytes * 0.9
  const execution = new Execution(runtime, runtime.newContext(), isFull)
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', (line) => {
    const asked: ToChild = JSON.parse(line)
    if (asked.type === 'run') execution.begin(asked)
    else execution.answer(asked)
  })
  lines.on('close', () => process.exit(0))
  say({ type: 'ready' })
}

await main()
