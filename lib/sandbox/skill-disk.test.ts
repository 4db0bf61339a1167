/** Folders of this machine as archives of skills. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packFolder } from './skill-disk'
import { readSkill } from './skill-read'
import { zipOf } from './zip.fixture'

let folder = ''
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'loopwright-skill-disk-')), 'notes')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>) {
  for (const [at, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true })
    writeFileSync(path.join(folder, at), content)
  }
}

const skill = {
  'SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\n',
  'scripts/go.py': 'print(1)\n',
}
const left = {
  '.git/config': 'x',
  '.DS_Store': 'x',
  'Thumbs.db': 'x',
  '__MACOSX/._SKILL.md': 'x',
  'scripts/__pycache__/go.cpython-312.pyc': 'x',
  'node_modules/left/index.js': 'x',
}

it('S4-42 a folder and an archive of it are the same skill, whatever Python and systems have left in it', async () => {
  write({ ...skill, ...left })
  const packed = await packFolder(folder)
  if (packed?.ok !== true) throw new Error(packed?.error)
  const archive = zipOf(Object.entries({ ...skill, ...left }).map(([name, content]) => ({ name, content })))
  const [ofFolder, ofArchive] = [readSkill(packed.value), readSkill(archive)]
  expect(ofFolder.files.map((each) => each.path)).toEqual(['SKILL.md', 'scripts/go.py'])
  expect(ofArchive.files).toEqual(ofFolder.files)
})

it('S4-42 a folder with more than 200 files, or a link, is refused in one sentence', async () => {
  write(skill)
  symlinkSync('/etc/passwd', path.join(folder, 'secret'))
  expect(await packFolder(folder)).toEqual({
    ok: false,
    error: '“secret” is a link or a special file. A skill may only have plain files.',
  })
  rmSync(path.join(folder, 'secret'))
  write(Object.fromEntries(Array.from({ length: 199 }, (_, at) => [`n/${at}.txt`, 'x'])))
  expect(await packFolder(folder)).toEqual({ ok: false, error: 'The skill has more than 200 files.' })
})

it('a folder without SKILL.md is no skill', async () => {
  write({ 'readme.md': 'x' })
  expect(await packFolder(folder)).toBeUndefined()
})
