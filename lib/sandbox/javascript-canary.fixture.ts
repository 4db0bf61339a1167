/** A secret, a file and a listening port that foreign JavaScript must never reach, and one attempt to reach them. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { createJavascript } from './javascript'
import { memoryFiles, runIn, untilGone } from './javascript.fixture'
import type { Attack } from './javascript-attacks.fixture'

type Port = ReturnType<typeof createJavascript>

export interface Canary {
  readonly secret: string
  /** Runs the attack and expects its outcome, and that it learnt and reached nothing. */
  attempt(port: Port, attack: Attack, timeoutMs: number): Promise<void>
}

/** For the tests of one file: made before the first and removed after the last. */
export function plantCanary(): Canary {
  const secret = randomBytes(12).toString('hex')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'canary-'))
  const file = path.join(folder, 'canary.txt')
  let hits = 0
  const listener = net.createServer((socket) => {
    hits += 1
    socket.destroy()
  })
  beforeAll(async () => {
    fs.writeFileSync(file, secret)
    process.env.SECRET_CANARY = secret
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    delete process.env.SECRET_CANARY
    listener.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const args = () => {
    const address = listener.address()
    return { file, port: typeof address === 'object' && address !== null ? address.port : 0 }
  }
  return {
    secret,
    async attempt(port, { source, outcome }, timeoutMs) {
      const files = memoryFiles({ 'in.txt': 'inside' })
      const { answer, log } = await runIn(port, source, { args: args(), files, timeoutMs })
      const { written: _written, ...told } = answer
      if ('value' in outcome) expect(told).toEqual({ ok: true, value: outcome.value })
      else if ('code' in outcome) expect(told).toMatchObject({ ok: false, code: outcome.code })
      else {
        expect(told).toMatchObject({ ok: false, code: 'javascript_error' })
        if (!answer.ok) expect(answer.message.startsWith(outcome.error), answer.message).toBe(true)
      }
      expect(JSON.stringify(answer) + log).not.toContain(secret)
      expect(JSON.stringify(answer) + log).not.toMatch(/node_modules|file:\/\/|\.mjs/)
      expect(hits).toBe(0)
    },
  }
}

/** Nothing is left of the attacks: no process, and no mark on the program that comes after them. */
export async function expectNoTrace(port: Port, living: () => number[]): Promise<void> {
  const files = memoryFiles({ 'a.txt': 'b' })
  const after = await runIn(port, 'return [await files.read("a.txt"), typeof globalThis.a]', { files })
  expect(after.answer).toEqual({ ok: true, value: ['b', 'undefined'], written: [] })
  port.close()
  expect(await untilGone(living)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}
