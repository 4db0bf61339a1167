/** Archives of skills: what is read of good ones, and one sentence for each kind of bad one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSkill } from './skill-read'
import { type GivenEntry, zipOf } from './zip.fixture'

const head = '---\nname: notes\ndescription: Writes notes.\n---\n\n# Notes\n'
const good: GivenEntry = { name: 'notes/SKILL.md', content: head }

function read(...entries: readonly GivenEntry[]) {
  return readSkill(zipOf(entries))
}

describe('reading a skill', () => {
  it('S4-42 takes the front matter and every file byte for byte, sorted by path', () => {
    const bytes = new Uint8Array([0, 255, 1, 128])
    const front =
      '\uFEFF---\r\nname: notes\r\ndescription: >\r\n  Writes\r\n  notes.\r\nlicense: MIT\r\ncompatibility: Needs Python 3\r\nmetadata:\r\n  author: ann\r\n  version: 1.2\r\nallowed-tools: Bash(git add *) Read\r\nother: [1, 2]\r\n---\r\nBody'
    const { head: taken, files } = read(
      { name: 'notes/', mode: 0o040755 },
      { name: 'notes/scripts/b.py', content: 'print(1)' },
      { name: 'notes/SKILL.md', content: front, isPacked: false },
      { name: 'notes/assets/a.bin', content: bytes },
    )
    expect(taken).toEqual({
      name: 'notes',
      description: 'Writes notes.',
      license: 'MIT',
      compatibility: 'Needs Python 3',
      metadata: { author: 'ann', version: '1.2' },
      allowedTools: ['Bash(git add *)', 'Read'],
    })
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'assets/a.bin', 'scripts/b.py'])
    expect(files[1]?.content).toEqual(bytes)
    expect(Buffer.from(files[0]?.content ?? []).toString('utf8')).toBe(front)
  })

  it('takes an archive of the folder’s contents, and leaves out what systems leave behind', () => {
    const { files } = read(
      { name: 'SKILL.md', content: head },
      { name: '__MACOSX/._SKILL.md', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: '.git/config', content: 'x' },
      { name: 'scripts/__pycache__/a.cpython-312.pyc', content: 'x' },
      { name: 'node_modules/left/index.js', content: 'x' },
      { name: 'a.txt', content: 'a' },
    )
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'a.txt'])
  })

  const bad: [what: string, entries: GivenEntry[], said: RegExp][] = [
    ['a path that climbs', [good, { name: 'notes/../../etc/passwd' }], /leads out of the skill’s folder/],
    ['a path that climbs at once', [good, { name: '../x' }], /“\.\.\/x” leads out/],
    ['an absolute path', [good, { name: '/etc/passwd' }], /is an absolute path/],
    ['an absolute path of Windows', [good, { name: 'C:\\x' }], /is an absolute path/],
    ['backslashes', [good, { name: 'notes/..\\x' }], /has a backslash/],
    ['a link', [good, { name: 'notes/l', content: '/etc/passwd', mode: 0o120777 }], /is a link or a special/],
    ['a device', [good, { name: 'notes/d', mode: 0o020666 }], /is a link or a special file/],
    [
      'two names by letter case',
      [good, { name: 'notes/a' }, { name: 'notes/A' }],
      /are the same name on many/,
    ],
    ['folders by letter case', [good, { name: 'notes/a/x' }, { name: 'notes/A/y' }], /are the same name/],
    ['a file and a folder', [good, { name: 'notes/a' }, { name: 'notes/a/y' }], /are the same name/],
    ['one name twice', [good, { name: 'notes/a' }, { name: 'notes/a' }], /is in the archive twice/],
    ['a control character', [good, { name: 'notes/a\u0007' }], /cannot be seen/],
    ['a direction mark', [good, { name: 'notes/a\u202Etxt.exe' }], /cannot be seen/],
    ['a password', [good, { name: 'notes/a', flags: 0x801 }], /protected by a password/],
    ['two names of an entry', [good, { name: 'notes/a', ownName: 'notes/b' }], /contradicts itself/],
    ['a wrong checksum', [good, { name: 'notes/a', content: 'x', crc: 1 }], /is damaged/],
    ['a deep path', [good, { name: `notes/${'d/'.repeat(12)}x` }], /folders deep/],
    ['no SKILL.md', [{ name: 'notes/skill.txt' }], /There is no SKILL\.md/],
    ['SKILL.md below', [{ name: 'a/b/SKILL.md', content: head }], /There is no SKILL\.md/],
    ['another folder name', [{ ...good, name: 'other/SKILL.md' }], /named “other”.*“notes”/],
    ['no front matter', [{ ...good, content: '# Notes' }], /must begin with its front matter/],
    ['broken YAML', [{ ...good, content: '---\nname: [\n---\n' }], /not valid YAML/],
    ['a list', [{ ...good, content: '---\n- a\n---\n' }], /it has no keys/],
    ['aliases', [{ ...good, content: '---\nname: &a x\ndescription: *a\n---\n' }], /uses aliases/],
    ['a bad name', [{ ...good, content: '---\nname: My Notes\n---\n' }], /not “My Notes”/],
    ['no description', [{ ...good, content: '---\nname: notes\n---\n' }], /needs a description/],
    [
      'a long description',
      [{ ...good, content: `---\nname: notes\ndescription: ${'x'.repeat(1_025)}\n---\n` }],
      /has 1,025 characters/,
    ],
    ['bytes that are no text', [{ ...good, content: new Uint8Array([255, 254, 0]) }], /is not UTF-8/],
    [
      'too many files',
      [good, ...Array.from({ length: 200 }, (_, at) => ({ name: `notes/${at}` }))],
      /has 201 files, and at most 200/,
    ],
    ['too many bytes', [good, { name: 'notes/a', bytes: 21 * 1024 * 1024 }], /at most 20 MB/],
  ]
  it.each(bad)('S4-42 refuses %s with one sentence', (_, entries, said) => {
    expect(() => read(...entries)).toThrow(said)
  })

  it('stops unpacking where an entry is larger than the archive says', () => {
    const bomb = { name: 'notes/a', content: Buffer.alloc(2 * 1024 * 1024), bytes: 10 }
    expect(() => read(good, bomb)).toThrow(/unpacks to another size/)
  })

  it('never throws anything but a sentence, whatever the bytes are', () => {
    const whole = zipOf([good, { name: 'notes/a', content: 'abc' }])
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(),
        (edits, cut) => {
          const broken = whole.slice(0, cut % 3 === 0 ? cut % whole.length : whole.length)
          for (const [at, byte] of edits) broken[at] = byte
          try {
            readSkill(broken)
          } catch (error) {
            expect((error as Error).message).toMatch(/[.!]$/)
            expect((error as Error).constructor.name).toBe('BadZip')
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
