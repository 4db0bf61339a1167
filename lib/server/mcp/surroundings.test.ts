import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { osSandbox } from '#lib/sandbox/os-sandbox'
import type { McpProgram } from '#lib/spec/mcp'
import { createSurroundings, type ProgramSurroundings } from './surroundings'

vi.setConfig({ testTimeout: 30_000 })

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-surroundings-')))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

const data = path.join(folder, 'data')
fs.mkdirSync(data)
fs.writeFileSync(path.join(data, 'loopwright.db'), 'CANARY')
const outside = path.join(folder, 'notes')
fs.mkdirSync(outside)
fs.writeFileSync(path.join(outside, 'note.txt'), 'a note')

const search = process.env.PATH ?? ''
const hasWall = (await osSandbox(search)) !== undefined
const onLinux = process.platform === 'linux'

const program = (more: Partial<McpProgram> = {}): McpProgram => ({
  transport: 'stdio',
  command: 'node',
  args: [],
  env: {},
  network: false,
  read: [],
  write: [],
  ...more,
})
const node = { file: process.execPath, target: fs.realpathSync(process.execPath) }

/** Runs a script as the program of a server, and reads what it prints. */
async function look(
  surroundings: ProgramSurroundings,
  script: string,
  more: Partial<McpProgram> = {},
  unwalled = false,
) {
  const child = await startScript(surroundings, script, more, unwalled)
  const [out, err] = [child.stdout, child.stderr]
  if (out === null || err === null) throw new Error('the program has no pipes')
  child.stdin?.end()
  const [printed, faults] = await Promise.all([text(out), text(err)])
  if (printed === '') throw new Error(faults)
  return JSON.parse(printed)
}

function startScript(
  surroundings: ProgramSurroundings,
  script: string,
  more: Partial<McpProgram>,
  unwalled: boolean,
): Promise<ChildProcess> {
  const given = program({ ...more, args: ['-e', script, ...(more.args ?? [])] })
  return surroundings.start({ name: 'it', program: given, binary: node, unwalled })
}

const environment = `
  const fs = require('node:fs')
  const raw = fs.existsSync('/proc/self/environ') ? fs.readFileSync('/proc/self/environ', 'utf8') : ''
  console.log(JSON.stringify({ env: process.env, raw, cwd: process.cwd() }))`

/** A folder with a program called bwrap in it. */
function stub(name: string, script: string): string {
  const place = path.join(folder, name)
  fs.mkdirSync(place)
  fs.writeFileSync(path.join(place, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return place
}

const places: readonly (readonly [string, string, boolean])[] = [
  ['without a wall', '/nowhere', true],
  ...(hasWall ? ([['inside bubblewrap', search, false]] as const) : []),
]

describe.each(places)('the program of an MCP server %s', (_, where, unwalled) => {
  const surroundings = createSurroundings({ data, search: where, lang: 'de_DE.UTF-8' })

  test('T43 gets PATH, a HOME of its own, LANG and its declared variables, and nothing else', async () => {
    vi.stubEnv('PLANTED_SECRET', 'SEC-of-the-server')
    const seen = await look(surroundings, environment, { env: { API_KEY: 'abc' } }, unwalled)
    const { PWD, ...env } = seen.env
    const home = path.join(data, 'mcp/it')
    expect(env).toEqual({ PATH: where, HOME: home, LANG: 'de_DE.UTF-8', API_KEY: 'abc' })
    expect(PWD ?? home).toBe(home)
    expect(seen.cwd).toBe(home)
    expect(seen.raw).not.toContain('SEC-of-the-server')
  })

  test('writes into its HOME, which only this user can read and which goes with the server', async () => {
    const home = surroundings.homeOf('it')
    await look(surroundings, `require('node:fs').writeFileSync('kept', 'x'); console.log('{}')`, {}, unwalled)
    expect(fs.readFileSync(path.join(home, 'kept'), 'utf8')).toBe('x')
    if (process.platform !== 'win32') expect(fs.statSync(home).mode & 0o077).toBe(0)
    surroundings.forget('it')
    expect(fs.existsSync(home)).toBe(false)
  })

  test('cannot be started with an argument that no program can be given', async () => {
    const start = startScript(surroundings, '', { args: ['a\0b'] }, unwalled)
    await expect(start).rejects.toThrow(/could not be started/)
  })
})

describe('without a wall', () => {
  test.each([
    ['where bubblewrap is missing', '/nowhere'],
    ['where bubblewrap fails', stub('fails', 'exit 1')],
    [
      'where bubblewrap only runs the command',
      stub('runs', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'),
    ],
  ])('T8 no program starts %s before a person has agreed', async (_, where) => {
    const mark = path.join(folder, 'MARK')
    const surroundings = createSurroundings({ data, search: where })
    const script = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`
    await expect(startScript(surroundings, script, {}, false)).rejects.toThrow(/rights of this server/)
    expect(fs.existsSync(mark)).toBe(false)
    expect(await look(surroundings, `console.log('{"ran":true}')`, {}, true)).toEqual({ ran: true })
  })
})

describe('the folders that a server declares', () => {
  const surroundings = createSurroundings({ data, search: '/nowhere' })
  const link = path.join(folder, 'link')
  fs.symlinkSync(data, link)

  test.each([
    ['the data folder', data],
    ['a folder inside of it', path.join(data, 'mcp')],
    ['a folder around it', folder],
    ['the root', path.parse(folder).root],
    ['a link to it', link],
  ])('are never %s', async (_, declared) => {
    fs.mkdirSync(path.join(data, 'mcp'), { recursive: true })
    expect(surroundings.folderFault(program({ read: [declared] }))).toContain('data folder')
    await expect(startScript(surroundings, '', { write: [declared] }, true)).rejects.toThrow('data folder')
  })

  test('must exist', () => {
    expect(surroundings.folderFault(program({ read: [path.join(folder, 'none')] }))).toContain(
      'does not exist',
    )
    expect(surroundings.folderFault(program({ read: [outside] }))).toBeUndefined()
  })
})

describe.runIf(onLinux && hasWall)('inside bubblewrap', () => {
  const surroundings = createSurroundings({ data, search })

  const files = (paths: string[]) => `
    const fs = require('node:fs')
    const can = (work) => { try { work(); return true } catch { return false } }
    const paths = ${JSON.stringify(paths)}
    console.log(JSON.stringify({
      reads: paths.filter((file) => can(() => fs.statSync(file).isDirectory() ? fs.readdirSync(file) : fs.readFileSync(file))),
      writes: paths.filter((file) => can(() => fs.writeFileSync(fs.statSync(file).isDirectory() ? file + '/new' : file, 'x'))),
      homes: can(() => fs.readdirSync(process.env.HOME)),
      pids: fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length,
      data: can(() => fs.readdirSync(${JSON.stringify(data)})) ? fs.readdirSync(${JSON.stringify(data)}) : [],
    }))`
  const note = path.join(outside, 'note.txt')
  const own = path.join(data, 'loopwright.db')

  test('a program sees no file of the data folder, no other folder and no other process', async () => {
    fs.mkdirSync(path.join(data, 'mcp/other'), { recursive: true })
    const other = path.join(data, 'mcp/other')
    const seen = await look(surroundings, files([own, note, outside, other, '/etc/shadow', os.homedir()]))
    expect(seen).toMatchObject({ reads: [], writes: [], homes: true, data: ['mcp'] })
    expect(seen.pids).toBeLessThan(4)
  })

  test('a program reads the folders that it may read, and writes those that it may write', async () => {
    const writable = path.join(folder, 'writable')
    fs.mkdirSync(writable, { recursive: true })
    const bounds = { read: [outside], write: [writable] }
    const seen = await look(surroundings, files([note, outside, writable, own]), bounds)
    expect(seen).toMatchObject({ reads: [note, outside, writable], writes: [writable] })
    expect(fs.readFileSync(note, 'utf8')).toBe('a note')
  })

  test('a program reaches the network only if it may', async () => {
    const server = net.createServer((socket) => socket.destroy())
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    const script = `
      const socket = require('node:net').connect(${port}, '127.0.0.1')
      const end = (reached) => { console.log(JSON.stringify({ reached })); process.exit(0) }
      socket.on('connect', () => end(true)).on('error', () => end(false))`
    expect(await look(surroundings, script)).toEqual({ reached: false })
    expect(await look(surroundings, script, { network: true })).toEqual({ reached: true })
    server.close()
  })

  test('T54 a program ends with its sandbox, and so do the programs that it has started', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      setInterval(() => require('node:fs').writeFileSync('alive', String(Date.now())), 20)
      console.log('started')`
    const child = await startScript(surroundings, script, {}, false)
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    const file = path.join(surroundings.homeOf('it'), 'alive')
    await vi.waitFor(() => expect(fs.existsSync(file)).toBe(true))
    const closed = new Promise((resolve) => child.once('close', resolve))
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    // The pipes close only when nobody holds them any more: no process of the sandbox is left.
    await closed
    const before = fs.readFileSync(file, 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
  })

  test('T42 no value of a variable is in the arguments that other users of the machine can see', async () => {
    const script = `process.stdin.resume(); console.log('up')`
    const child = await startScript(
      surroundings,
      script,
      { env: { API_KEY: 'SEC-in-the-environment' } },
      false,
    )
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    const shown = fs.readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
    expect(shown).toContain('bwrap')
    expect(shown).not.toContain('SEC-in-the-environment')
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  })
})
