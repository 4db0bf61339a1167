import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { type InstallProgress, installPackage, isInstalled, removePackage } from './wall-install'
import { packageFor, type WallPackage, wallNames } from './wall-packages'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walls-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

interface Entry {
  readonly name: string
  readonly content?: string
  readonly type?: string
}

/** An archive as npm has them. */
function archive(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ name, content = '', type = '0' }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000755\0', 100)
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124)
    header.write(type, 156)
    header.write('ustar\0', 257)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

let serial = 0

function put(content: Buffer) {
  serial += 1
  const file = path.join(folder, `package-${serial}.tgz`)
  fs.writeFileSync(file, content)
  const wanted: WallPackage = {
    name: 'pyodide',
    version: '1.2.3',
    npm: 'pyodide',
    integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    downloadBytes: content.length,
    unpackedBytes: 10_000,
    program: 'pyodide.mjs',
  }
  return { file, wanted, installed: path.join(folder, `walls-${serial}`) }
}

const signal = new AbortController().signal
const good = [
  { name: 'package/pyodide.mjs', content: 'export {}' },
  { name: 'package/lib/', type: '5' },
  { name: 'package/lib/more.zip', content: 'x'.repeat(2_000) },
]

describe('installing a package of the sandbox', () => {
  it('unpacks a checked archive into a folder with its version, and removes older ones', async () => {
    const { file, wanted, installed } = put(archive(good))
    fs.mkdirSync(path.join(installed, 'pyodide-1.0.0'), { recursive: true })
    const seen: InstallProgress['phase'][] = []
    const progress = ({ phase }: InstallProgress) => void seen.push(phase)
    expect(await installPackage(wanted, { installed, from: file, signal, progress })).toEqual({ ok: true })
    expect(seen).toEqual(['checking', 'unpacking'])
    expect(fs.readdirSync(installed)).toEqual(['pyodide-1.2.3'])
    expect(fs.readFileSync(path.join(installed, 'pyodide-1.2.3/lib/more.zip'), 'utf8')).toHaveLength(2_000)
    expect(isInstalled(installed, wanted)).toBe(true)
    expect(await removePackage(installed, 'pyodide')).toBe(true)
    expect(isInstalled(installed, wanted)).toBe(false)
  })

  it('T10 takes nothing whose checksum differs', async () => {
    const { wanted, installed } = put(archive(good))
    const other = put(archive([...good, { name: 'package/evil', content: 'x' }]))
    const answer = await installPackage(wanted, { installed, from: other.file, signal })
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('checksum differs') })
    expect(fs.readdirSync(installed)).toEqual([])
  })

  it.each<[string, Entry[]]>([
    ['a path that climbs out', [{ name: 'package/../../out', content: 'x' }]],
    ['an absolute path', [{ name: '/package/out', content: 'x' }]],
    ['a link', [{ name: 'package/link', type: '2' }]],
    ['a hard link', [{ name: 'package/link', type: '1' }]],
    ['a device', [{ name: 'package/null', type: '3' }]],
    ['a path of Windows', [{ name: 'package/a\\..\\b', content: 'x' }]],
    ['more than it should hold', [{ name: 'package/big', content: 'x'.repeat(30_000) }]],
    ['no program', [{ name: 'package/other', content: 'x' }]],
    ['the same file twice', [...good, { name: 'package/pyodide.mjs', content: 'x' }]],
  ])('T33 refuses an archive with %s', async (_, entries) => {
    const { file, wanted, installed } = put(archive(entries))
    expect(await installPackage(wanted, { installed, from: file, signal })).toMatchObject({ ok: false })
    expect(fs.readdirSync(installed)).toEqual([])
    expect(fs.existsSync(path.join(folder, 'out'))).toBe(false)
  })

  it('refuses what is no archive, and a file that is not there', async () => {
    const { file, wanted, installed } = put(Buffer.from('no archive'))
    expect(await installPackage(wanted, { installed, from: file, signal })).toEqual({
      ok: false,
      message: 'The archive is damaged.',
    })
    const from = path.join(folder, 'missing.tgz')
    expect(await installPackage(wanted, { installed, from, signal })).toMatchObject({ ok: false })
  })

  it('leaves nothing when it is cancelled', async () => {
    const { file, wanted, installed } = put(archive(good))
    const answer = await installPackage(wanted, { installed, from: file, signal: AbortSignal.abort() })
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('cancelled') })
    expect(fs.readdirSync(installed)).toEqual([])
  })

  it('knows a package for each system that Node supports, and none elsewhere', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const arch of ['x64', 'arm64'])
        for (const name of wallNames)
          expect(packageFor(name, { platform, arch })?.integrity).toMatch(/^sha512-[\w+/]{86}==$/)
    expect(packageFor('deno', { platform: 'sunos', arch: 'x64' })).toBeUndefined()
  })
})
