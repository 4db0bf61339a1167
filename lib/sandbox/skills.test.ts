/** Skills through the process that reads them, and back into an archive. */
import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { packSkill, readSkillArchive } from './skills'
import { zipOf } from './zip.fixture'

const head = '---\nname: notes\ndescription: Writes notes.\n---\n'
const never = new AbortController().signal

it('S4-42 reads a skill in a process of its own and gives every file back byte for byte', async () => {
  const bytes = new Uint8Array(1_000).map((_, at) => at % 251)
  const given = zipOf([
    { name: 'notes/z.bin', content: bytes },
    { name: 'notes/SKILL.md', content: head },
  ])
  const read = await readSkillArchive(given, never)
  if (!read.ok) throw new Error(read.error)
  const { facts, files } = read.value
  expect(facts.files).toMatchObject([
    { path: 'SKILL.md', isText: true },
    { path: 'z.bin', bytes: 1_000, isText: false },
  ])
  const packed = await packSkill('notes', files)
  expect(unzipSync(packed)['notes/z.bin']).toEqual(bytes)
  expect(await packSkill('notes', files)).toEqual(packed)
  const again = await readSkillArchive(packed, never)
  expect(again).toMatchObject({ ok: true, value: { facts: { hash: facts.hash } } })
})

it('S4-42 says in one sentence that an archive climbs out', async () => {
  const given = zipOf([{ name: 'notes/SKILL.md', content: head }, { name: 'notes/../../x' }])
  expect(await readSkillArchive(given, never)).toEqual({
    ok: false,
    error: '“notes/../../x” leads out of the skill’s folder. Nothing was imported.',
  })
})
