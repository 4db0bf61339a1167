import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FileAnswer } from '#lib/spec/sandbox'
import { startSwapper } from './swapper.fixture'
import { createWorkspace, filesPort, type Workspace } from './workspace'

let top = ''
let root = ''
let canary = ''
let workspace: Workspace
beforeEach(() => {
  top = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-workspace-'))
  root = path.join(top, 'ws')
  canary = path.join(top, 'canary.txt')
  fs.writeFileSync(canary, secret)
  fs.mkdirSync(path.join(top, 'ws-evil'))
  fs.writeFileSync(path.join(top, 'ws-evil/canary.txt'), secret)
  workspace = createWorkspace(root)
})
afterEach(() => fs.rmSync(top, { recursive: true, force: true }))

const secret = 'FILE'

async function valueFrom<T>(answer: Promise<FileAnswer<T>>): Promise<T> {
  const given = await answer
  if (!given.ok) throw new Error(`${given.code}: ${given.message}`)
  return given.value
}
const codeOf = async (answer: Promise<FileAnswer<unknown>>) => {
  const given = await answer
  return given.ok ? 'ok' : given.code
}
const textOf = async (name: string) => Buffer.from(await valueFrom(workspace.read(name))).toString()

describe('a workspace', () => {
  it('is made by its first write, and gives back what was written', async () => {
    expect(await valueFrom(workspace.list('', { deep: true }))).toEqual({ entries: [], truncated: false })
    expect(await codeOf(workspace.read('a.txt'))).toBe('not_found')
    expect(fs.existsSync(root)).toBe(false)
    expect(await valueFrom(workspace.write('notes/für 1.txt', 'Grüße'))).toEqual({ created: true, bytes: 7 })
    expect(await valueFrom(workspace.write('./notes//für 1.txt', ''))).toEqual({ created: false, bytes: 0 })
    expect(await textOf('notes/für 1.txt')).toBe('')
    expect(fs.statSync(root).mode & 0o777).toBe(0o700)
    expect(fs.statSync(path.join(root, 'notes/für 1.txt')).mode & 0o777).toBe(0o600)
  })

  it('replaces a file only where it may', async () => {
    await valueFrom(workspace.write('a.txt', 'one', { replace: false }))
    expect(await codeOf(workspace.write('a.txt', 'two', { replace: false }))).toBe('exists')
    expect(await textOf('a.txt')).toBe('one')
  })

  it('lists by path, one level or all', async () => {
    for (const name of ['b.txt', 'a/2.txt', 'a/1.txt', '.git/config'])
      await valueFrom(workspace.write(name, 'xy'))
    const paths = async (at: string, deep: boolean) =>
      (await valueFrom(workspace.list(at, { deep }))).entries.map((each) => `${each.path} ${each.bytes}`)
    expect(await paths('', false)).toEqual(['.git 0', 'a 0', 'b.txt 2'])
    expect(await paths('', true)).toEqual([
      '.git 0',
      '.git/config 2',
      'a 0',
      'a/1.txt 2',
      'a/2.txt 2',
      'b.txt 2',
    ])
    expect(await paths('a/', false)).toEqual(['a/1.txt 2', 'a/2.txt 2'])
  })

  it('makes and removes folders and files', async () => {
    expect(await valueFrom(workspace.makeFolder('a/b'))).toEqual({ created: true })
    expect(await valueFrom(workspace.makeFolder('a/b'))).toEqual({ created: false })
    expect(await codeOf(workspace.remove('a'))).toBe('not_empty')
    expect(await valueFrom(workspace.remove('a/b'))).toEqual({ path: 'a/b', kind: 'folder', bytes: 0 })
    await valueFrom(workspace.write('a/c', 'abc'))
    expect(await valueFrom(workspace.remove('a/c'))).toEqual({ path: 'a/c', kind: 'file', bytes: 3 })
    expect(await codeOf(workspace.remove('a/c'))).toBe('not_found')
  })

  it('tells a file from a folder', async () => {
    await valueFrom(workspace.write('a/b', 'x'))
    expect(await codeOf(workspace.read('a'))).toBe('not_a_file')
    expect(await codeOf(workspace.write('a', 'x'))).toBe('not_a_file')
    expect(await codeOf(workspace.list('a/b', { deep: false }))).toBe('not_a_folder')
    expect(await codeOf(workspace.write('a/b/c', 'x'))).toBe('not_a_folder')
    expect(await codeOf(workspace.makeFolder('a/b'))).toBe('not_a_folder')
    for (const self of ['', '.', './']) expect(await codeOf(workspace.read(self))).toBe('not_a_file')
  })

  it('S3-13 reads 1 MiB and writes 5 MiB at most', async () => {
    const mebibyte = 1024 * 1024
    expect(await codeOf(workspace.write('big', 'x'.repeat(5 * mebibyte)))).toBe('ok')
    expect(await codeOf(workspace.write('big', 'x'.repeat(5 * mebibyte + 1)))).toBe('too_large')
    expect(await codeOf(workspace.read('big'))).toBe('too_large')
    expect(await codeOf(workspace.write('fits', 'x'.repeat(mebibyte)))).toBe('ok')
    expect((await valueFrom(workspace.read('fits'))).byteLength).toBe(mebibyte)
  })

  it('holds 500 MiB and 10,000 entries at most, whoever wrote them', async () => {
    await valueFrom(workspace.write('small', 'x'))
    fs.truncateSync(path.join(root, 'small'), 500 * 1024 * 1024 - 10)
    const other = createWorkspace(root)
    expect(await codeOf(other.write('a', '0123456789'))).toBe('ok')
    expect(await codeOf(other.write('b', '0'))).toBe('quota')
    await valueFrom(other.remove('small'))
    expect(await codeOf(other.write('b', '0'))).toBe('ok')
    fs.mkdirSync(path.join(root, 'many'))
    for (let index = 0; index < 9_997; index++) fs.writeFileSync(path.join(root, `many/${index}`), '')
    expect(await codeOf(createWorkspace(root).write('last', ''))).toBe('quota')
    fs.unlinkSync(path.join(root, 'many/0'))
    expect(await codeOf(createWorkspace(root).write('last', ''))).toBe('ok')
  }, 20_000)

  it('writes whole or not at all, and hides what is not whole', async () => {
    await valueFrom(workspace.write('a.txt', 'whole'))
    async function* broken() {
      yield Buffer.from('half')
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    }
    const added = workspace.add({ folder: '', name: 'b.txt', bytes: 8 }, broken())
    expect(await codeOf(added)).toBe('unavailable')
    expect(fs.readdirSync(root)).toEqual(['a.txt'])
    fs.writeFileSync(path.join(root, '.~0123456789abcdef.part'), 'half')
    expect((await valueFrom(workspace.list('', { deep: true }))).entries.map((each) => each.path)).toEqual([
      'a.txt',
    ])
    expect(await codeOf(workspace.read('.~0123456789abcdef.part'))).toBe('bad_path')
    const long = Date.now() / 1_000 - 3_600
    fs.utimesSync(path.join(root, '.~0123456789abcdef.part'), long, long)
    await valueFrom(createWorkspace(root).write('c.txt', ''))
    expect(fs.readdirSync(root).sort()).toEqual(['a.txt', 'c.txt'])
  })

  it('adds a file under a name that is free', async () => {
    const add = () => workspace.add({ folder: 'uploads', name: 'sales.csv', bytes: 1 }, chunks('x'))
    const added = await Promise.all([valueFrom(add()), valueFrom(add()), valueFrom(add())])
    expect(added.map((each) => each.path)).toEqual([
      'uploads/sales.csv',
      'uploads/sales (2).csv',
      'uploads/sales (3).csv',
    ])
  })

  it('keeps a file as it is now', async () => {
    await valueFrom(workspace.write('a/b.txt', 'one'))
    const kept: string[] = []
    const port = filesPort(workspace, async ({ path: at, bytes, content }, { name = 'own' }) => {
      let text = ''
      for await (const chunk of content) text += chunk
      kept.push(`${at} ${name} ${bytes} ${text}`)
      return { ok: true, value: { id: 'x', name, path: at, mediaType: 'text/plain', bytes } }
    })
    await valueFrom(port.keep('a/b.txt'))
    await valueFrom(port.keep('a/b.txt', { name: 'other' }))
    expect(kept).toEqual(['a/b.txt own 3 one', 'a/b.txt other 3 one'])
    expect(await codeOf(port.keep('a'))).toBe('not_a_file')
  })
})

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

const attacks = (): string[] => [
  '../canary.txt',
  'a/../../canary.txt',
  'notes/../../ws-evil/canary.txt',
  '../ws-evil/canary.txt',
  '..',
  'a/..',
  canary,
  `/${canary}`,
  '//etc/passwd',
  '/etc/passwd',
  '/proc/self/environ',
  '~/.bashrc',
  '~',
  'C:\\Windows\\win.ini',
  'C:/Windows/win.ini',
  'c:canary.txt',
  '\\\\server\\share\\canary.txt',
  '..\\canary.txt',
  'a\\..\\..\\canary.txt',
  '..%2fcanary.txt',
  '..%2Fcanary.txt',
  '%2e%2e/canary.txt',
  '%2e%2e%2fcanary.txt',
  '..%5ccanary.txt',
  '..%00/canary.txt',
  '....//canary.txt',
  '...//canary.txt',
  '.../canary.txt',
  '. ./canary.txt',
  '.. /canary.txt',
  ' ../canary.txt',
  'canary.txt\0',
  '../canary.txt\0.png',
  'a\0/../canary.txt',
  '\uff0e\uff0e/canary.txt',
  '\u2025/canary.txt',
  '\u2024\u2024/canary.txt',
  '\ufe52\ufe52/canary.txt',
  '..\uff0fcanary.txt',
  '..\uff3ccanary.txt',
  'a\u202etxt.canary',
  'a\n/../canary.txt',
  '\ud800/canary.txt',
  `${'a'.repeat(5_000)}`,
  `${'a'.repeat(256)}`,
  `${'é'.repeat(128)}`,
  `${'a/'.repeat(33)}canary.txt`,
  `${'../'.repeat(40)}etc/passwd`,
  '.~0123456789abcdef.part',
  '.git/../../canary.txt',
]

/** Every file below the folder with its content; links with their target. */
function pictureOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((each) => {
      const at = path.join(each.parentPath, each.name)
      if (each.isSymbolicLink()) return `${at} -> ${fs.readlinkSync(at)}`
      return each.isFile() ? `${at} ${fs.readFileSync(at, 'utf8')}` : at
    })
    .sort()
}

describe('T29 E-50 a path that leads elsewhere', () => {
  it.each(['../canary.txt', 'a/../../canary.txt', '/etc/passwd', '.../canary.txt'])(
    '%s is refused as one outside of the workspace',
    async (attack) => {
      expect(await workspace.read(attack)).toMatchObject({ ok: false, code: 'outside' })
    },
  )

  it('is refused by every call, and nothing outside is read or changed', async () => {
    await valueFrom(workspace.write('a/inside.txt', 'inside'))
    const before = pictureOf(top)
    expect(attacks().length).toBeGreaterThan(30)
    for (const attack of attacks()) {
      const answers = await Promise.all([
        workspace.read(attack),
        workspace.open(attack),
        workspace.write(attack, 'x'),
        workspace.remove(attack),
        workspace.makeFolder(attack),
        workspace.list(attack, { deep: true }),
        workspace.add({ folder: attack, name: 'x', bytes: 1 }, chunks('x')),
      ])
      for (const answer of answers) {
        expect([attack, answer.ok ? 'ok' : answer.code]).toEqual([
          attack,
          expect.stringMatching(/^(bad_path|outside)$/),
        ])
        expect(JSON.stringify(answer)).not.toContain(secret)
      }
    }
    expect(pictureOf(top)).toEqual(before)
  })

  it('is not one with dots in its names', async () => {
    for (const name of [
      '.npmrc',
      'a..b',
      '...md',
      'v1.2.txt',
      'wait….md',
      '100%.txt',
      "it's.txt",
      '日本語.txt',
      '👩‍🔬.txt',
    ]) {
      expect([name, await codeOf(workspace.write(name, 'x'))]).toEqual([name, 'ok'])
      expect(await textOf(name)).toBe('x')
    }
  })
})

describe('T30 a link', () => {
  it('is not followed, wherever it stands and whatever it points to', async () => {
    await valueFrom(workspace.write('a/inside.txt', 'inside'))
    fs.symlinkSync(canary, path.join(root, 'file'))
    fs.symlinkSync(top, path.join(root, 'folder'))
    fs.symlinkSync('a', path.join(root, 'near'))
    fs.symlinkSync('nowhere', path.join(root, 'dangling'))
    fs.symlinkSync('loop', path.join(root, 'loop'))
    const before = pictureOf(top)
    for (const name of [
      'file',
      'folder/canary.txt',
      'folder/ws/a/inside.txt',
      'near/inside.txt',
      'dangling',
      'loop',
    ]) {
      expect([name, await codeOf(workspace.read(name))]).toEqual([name, 'outside'])
      expect([name, await codeOf(workspace.open(name))]).toEqual([name, 'outside'])
      expect([name, await codeOf(workspace.write(name, 'x'))]).toEqual([name, 'outside'])
    }
    for (const name of ['folder', 'near']) {
      expect(await codeOf(workspace.list(name, { deep: true }))).toBe('outside')
      expect(await codeOf(workspace.makeFolder(`${name}/x`))).toBe('outside')
      expect(await codeOf(workspace.remove(`${name}/canary.txt`))).toBe('outside')
    }
    const listed = await valueFrom(workspace.list('', { deep: true }))
    expect(listed.entries.map((each) => each.path)).toEqual(['a', 'a/inside.txt'])
    expect(pictureOf(top)).toEqual(before)
    expect(await codeOf(workspace.remove('folder'))).toBe('ok')
    expect(fs.existsSync(canary)).toBe(true)
  })

  it('a workspace that is a link itself is not entered', async () => {
    fs.symlinkSync(top, root)
    expect(await codeOf(workspace.read('canary.txt'))).toBe('outside')
    expect(await codeOf(workspace.write('x', 'x'))).toBe('outside')
  })

  it('a hard link to what stands outside is not read, and a write takes its place', async () => {
    await valueFrom(workspace.write('a', 'x'))
    fs.linkSync(canary, path.join(root, 'hard'))
    expect(await codeOf(workspace.read('hard'))).toBe('outside')
    expect(await codeOf(workspace.open('hard'))).toBe('outside')
    expect(await codeOf(workspace.write('hard', 'mine'))).toBe('ok')
    expect([await textOf('hard'), fs.readFileSync(canary, 'utf8')]).toEqual(['mine', secret])
  })

  it.skipIf(process.platform === 'win32')('a pipe keeps nobody waiting', async () => {
    await valueFrom(workspace.write('a', 'x'))
    execFileSync('mkfifo', [path.join(root, 'pipe')])
    expect(await codeOf(workspace.read('pipe'))).toBe('not_a_file')
    expect(await codeOf(workspace.write('pipe', 'x'))).toBe('not_a_file')
  })

  it.skipIf(process.platform !== 'linux')(
    'swapped in while files are read and written leads nowhere',
    async () => {
      await valueFrom(workspace.write('a/canary.txt', 'inside'))
      await valueFrom(workspace.write('b', 'inside'))
      // A separate process swaps as fast as it can, so that swaps fall between any two calls.
      const swapper = startSwapper(root, top, canary)
      let reads = 0
      try {
        await vi.waitUntil(() => swapper.swaps() > 0, { timeout: 15_000 })
        const until = Date.now() + 1_500
        for (; reads < 10_000 && Date.now() < until; reads++) {
          const answers = await Promise.all([
            workspace.read('a/canary.txt'),
            workspace.read('b'),
            workspace.write(reads % 2 === 0 ? 'a/canary.txt' : 'b', 'inside'),
          ])
          for (const answer of answers.slice(0, 2))
            if (answer.ok) expect(Buffer.from(answer.value as Uint8Array).toString()).toBe('inside') // cast: the first two read
        }
      } finally {
        await swapper.stop()
      }
      expect(reads).toBeGreaterThan(50)
      expect(swapper.swaps()).toBeGreaterThan(10)
      expect(fs.readFileSync(canary, 'utf8')).toBe(secret)
      expect(fs.readdirSync(top).sort()).toEqual(['canary.txt', 'held', 'swaps', 'ws', 'ws-evil'])
    },
  )
})
