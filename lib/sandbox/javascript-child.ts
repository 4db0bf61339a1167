/** The child process of the JavaScript port: QuickJS in WebAssembly of bounded memory, for one execution; then it ends. */
import readline from 'node:readline'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { Execution } from './javascript-execution'
import { say } from './javascript-say'
import type { ToChild } from './javascript-wire'

const pageBytes = 65_536
/** QuickJS can not bound its own memory in WebAssembly, where it is not told how large a piece is: the memory is the bound. */
const memory = { initial: (16 * 1024 * 1024) / pageBytes, maximum: (128 * 1024 * 1024) / pageBytes }
/** Of QuickJS; each byte takes some four of the process's own stack. */
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
