/** `loopwright skills` over folders, archives and a data folder of this machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { zipOf } from '#lib/sandbox/zip.fixture'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loopwright-cli-skills-'))
  mkdirSync(path.join(folder, 'data'))
  openStores(path.join(folder, 'data', 'loopwright.db')).close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const head = '---\nname: notes\ndescription: Writes notes.\n---\n'

function write(files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [at, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true })
    writeFileSync(path.join(folder, at), content)
  }
}

async function skills(...args: readonly string[]) {
  const terminal = testTerminal({ folder, env: { LOOPWRIGHT_DATA: path.join(folder, 'data') } })
  const code = await main(['skills', ...args], terminal)
  return { code, printed: terminal.printed, said: terminal.said }
}

test('S4-42 a folder that Python has run in and a ZIP file of it have one hash', async () => {
  const files = { 'SKILL.md': head, 'a.py': 'print(1)\n', '__pycache__/a.cpython-312.pyc': 'x' }
  const entries = Object.entries(files).map(([name, content]) => ({ name: `notes/${name}`, content }))
  write({
    ...Object.fromEntries(entries.map(({ name, content }) => [name, content])),
    'notes.zip': zipOf(entries),
  })
  const [ofFolder, ofArchive] = [await skills('check', 'notes'), await skills('check', 'notes.zip')]
  expect(ofFolder).toMatchObject({ code: 0, printed: expect.stringMatching(/"sha256:[0-9a-f]{64}"/) })
  expect(ofArchive).toEqual(ofFolder)
})

test('S4-42 a skill is added, listed, replaced only when that is said, and removed', async () => {
  write({ 'notes/SKILL.md': head })
  expect(await skills('add', 'notes')).toMatchObject({ code: 0, said: '' })
  expect((await skills('add', 'notes')).printed).toBe('notes is here already, with the same files.\n')
  write({ 'notes/more.md': 'More.' })
  const refused = await skills('add', 'notes')
  expect(refused.code).not.toBe(0)
  expect(refused.said).toContain('There is a skill “notes” with other files. Give --replace')
  expect((await skills('list')).printed).toMatch(/^notes: 1 file, sha256:/)
  expect(await skills('add', 'notes', '--replace')).toMatchObject({ code: 0 })
  expect((await skills('list')).printed).toMatch(/^notes: 2 files, sha256:/)
  expect((await skills('remove', 'notes')).printed).toBe('notes is removed.\n')
  expect(await skills('list')).toEqual({ code: 0, printed: '', said: '' })
})

test('S4-42 a folder of more than 200 files, an archive of it, and a folder of more than 20 MB are refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`notes/${at}.txt`, '']))
  const ofMany = Object.entries({ 'notes/SKILL.md': head, ...many })
  write({
    ...Object.fromEntries(ofMany),
    'many.zip': zipOf(ofMany.map(([name, content]) => ({ name, content }))),
    'large/SKILL.md': head.replace('notes', 'large'),
    'large/a.bin': new Uint8Array(20 * 1024 * 1024),
  })
  expect((await skills('add', 'notes')).said).toBe('The skill has more than 200 files.\n')
  expect((await skills('add', 'many.zip')).said).toBe(
    'The skill has 201 files, and at most 200 are allowed.\n',
  )
  expect((await skills('add', 'large')).said).toBe('The skill is larger than 20 MB.\n')
  expect((await skills('list')).printed).toBe('')
})

test('S4-42 a data folder keeps at most 200 skills, as a server does', async () => {
  const stores = openStores(path.join(folder, 'data', 'loopwright.db'))
  for (let at = 0; at < 200; at += 1) {
    const hash = `sha256:${String(at).padStart(64, '0')}`
    const facts = {
      name: `skill-${at}`,
      description: 'x',
      metadata: {},
      allowedTools: [],
      hash,
      bytes: 0,
      files: [],
    }
    stores.skills.put({ facts, files: new Map() }, { now: at, keep: 1 })
  }
  stores.close()
  write({ 'notes/SKILL.md': head, 'skill-7/SKILL.md': head.replace('notes', 'skill-7') })
  expect((await skills('add', 'notes')).said).toBe('There are 200 skills already. Remove one first.\n')
  expect(await skills('add', 'skill-7', '--replace')).toMatchObject({ code: 0, said: '' })
})
