import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createJavascript } from './javascript'
import { runIn } from './javascript.fixture'
import { osSandbox, sandboxKind } from './os-sandbox'

vi.setConfig({ testTimeout: 30_000 })

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const real = await osSandbox()

/** A folder with a program called bwrap in it. */
function stub(name: string, script: string): string {
  const place = path.join(folder, name)
  fs.mkdirSync(place)
  fs.writeFileSync(path.join(place, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return place
}

const passOn = 'while [ "$1" != -- ]; do shift; done; shift'

describe('the sandbox of the system', () => {
  it('T8 is none where there is no such program', async () => {
    expect(await osSandbox('/nowhere:relative:')).toBeUndefined()
  })

  it.runIf(process.platform === 'linux').each([
    ['runs the command as it is', `${passOn}; exec "$@"`],
    ['keeps only the variables out', `${passOn}; exec env -i "$@"`],
    ['says nothing', 'exit 0'],
    ['fails', 'exit 1'],
    ['says what it should', `echo '{"file":false,"network":false}'`],
  ])('T8 is none where the program %s', async (name, script) => {
    expect(await osSandbox(stub(name, script))).toBeUndefined()
  })

  it('T8 JavaScript runs all the same, in QuickJS and a process of its own', async () => {
    const port = createJavascript(() => osSandbox('/nowhere'))
    expect((await runIn(port, 'return 6 * 7')).answer).toMatchObject({ ok: true, value: 42 })
    port.close()
  })

  it.runIf(process.platform === 'linux')(
    'is tested with a file in the folder given, which is gone after it',
    async () => {
      const temporary = path.join(folder, 'data/tmp')
      const seen = path.join(folder, 'seen')
      const script = `for last in "$@"; do [ -f "$last" ] && echo "$last" >> ${seen}; done; exit 1`
      await osSandbox(stub('looks', script), temporary)
      expect(fs.readFileSync(seen, 'utf8')).toContain(`${temporary}/loopwright-sandbox-`)
      expect(fs.readdirSync(temporary)).toEqual([])
    },
  )

  it.runIf(process.platform === 'linux')(
    'is tested again when the disk took no file for the test',
    async () => {
      const blocked = path.join(folder, 'blocked')
      fs.writeFileSync(blocked, '')
      const place = stub('blocked-bwrap', 'exit 1')
      await expect(osSandbox(place, path.join(blocked, 'tmp'))).rejects.toThrow()
      const port = createJavascript(() => osSandbox(place, path.join(blocked, 'tmp')))
      expect((await runIn(port, 'return 1')).answer).toMatchObject({ ok: false, code: 'unavailable' })
      port.close()
      expect(await osSandbox(place, path.join(folder, 'data/tmp'))).toBeUndefined()
    },
  )

  it('is told by its kind', async () => {
    expect(await sandboxKind()).toBe(real === undefined ? 'process' : 'os')
  })

  it.runIf(real !== undefined)('T5 shows a program no other process and no file but the libraries', () => {
    const look = `
      const fs = require('node:fs')
      const refused = (work) => { try { work(); return false } catch { return true } }
      console.log(JSON.stringify({
        pids: fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length,
        top: fs.readdirSync('/').filter((name) => !/^(lib.*|nix|usr|proc|dev|tmp)$/.test(name)),
        own: refused(() => fs.readdirSync(${JSON.stringify(folder)})),
        passwords: refused(() => fs.readFileSync('/etc/passwd')),
        libraries: refused(() => fs.writeFileSync('/usr/lib/x', '')),
        node: refused(() => fs.appendFileSync(process.execPath, '')),
        root: refused(() => fs.readdirSync('/proc/1/root/etc')),
        kill: refused(() => process.kill(${process.pid}, 0)),
        interfaces: Object.keys(require('node:os').networkInterfaces()).filter((name) => name !== 'lo'),
      }))`
    const [program = '', ...rest] = real?.wrap([process.execPath, '-e', look], []) ?? []
    const seen = JSON.parse(execFileSync(program, rest, { encoding: 'utf8' }))
    const top = path.parse(process.execPath).root
    expect(seen).toMatchObject({
      own: true,
      passwords: true,
      libraries: true,
      node: true,
      root: true,
      kill: true,
      interfaces: [],
    })
    expect(seen.pids).toBeLessThan(4)
    // Except for the parent folders of the Node program itself.
    expect(seen.top.filter((name: string) => !process.execPath.startsWith(`${top}${name}/`))).toEqual([])
  })
})
