/** What `skill.load` gives of a skill: its paths, and texts of any length. */
import { describe, expect, it } from 'vitest'
import type { SkillFacts } from '#lib/spec/skill'
import type { ToolOutput } from '#lib/spec/tool'
import { skillLoad } from './skill-load'
import { context } from './tools.fixture'

const hash = `sha256:${'a'.repeat(64)}`
const files = new Map([
  ['SKILL.md', '---\nname: notes\ndescription: Writes notes.\n---\nWrite well.\n'],
  ['references/format.md', 'Decisions first.\n'],
  ['notes/own.md', 'A folder of the skill’s own name.\n'],
])
const secret = 'The secret of another skill.'

function load(args: { file?: string; fromLine?: number; toLine?: number }, more: [string, string][] = []) {
  const all = new Map([...files, ...more])
  const facts: SkillFacts = {
    name: 'notes',
    description: 'Writes notes.',
    metadata: {},
    allowedTools: [],
    hash,
    bytes: 1,
    files: [...all].map(([path, text]) => ({ path, bytes: text.length, sha256: 'b', isText: true })),
  }
  const known = context()
  const skills = {
    find: (name: string) => (name === 'notes' ? facts : undefined),
    // A store that is asked for a path that the skill does not have would give it away.
    read: (_: string, path: string) => new TextEncoder().encode(all.get(path) ?? secret),
  }
  const tool = skillLoad([{ name: 'notes', hash }])
  return tool.run({ skill: 'notes', ...args }, { ...known, ports: { ...known.ports, skills } })
}

function textIn(output: ToolOutput): string {
  if (output.ok !== true) throw new Error('It gave no text.')
  return output.blocks.map((each) => (each.type === 'text' ? each.text : '')).join('\n')
}

describe('paths of a skill’s files', () => {
  it.each([
    ['references/format.md', 'Decisions first.'],
    ['./references/format.md', 'Decisions first.'],
    ['notes/references/format.md', 'Decisions first.'],
    ['/skills/notes/references/format.md', 'Decisions first.'],
    ['notes/own.md', 'A folder of the skill’s own name.'],
  ])('S4-42 %s is found', async (file, said) => {
    expect(textIn(await load({ file }))).toContain(said)
  })

  it.each([
    '../other/SKILL.md',
    'references/../../other/SKILL.md',
    'references/../SKILL.md',
    '/etc/passwd',
    '/skills/other/SKILL.md',
    './../notes/SKILL.md',
    '/skills/notes/../other/SKILL.md',
    'References/Format.md',
    'skill.md',
    'references',
    'references\\format.md',
    'references/format.md\u0000',
  ])('S4-42 %j is not a file of the skill, and nothing is read', async (file) => {
    const output = await load({ file })
    expect(output).toMatchObject({ ok: false, code: 'not_found' })
    expect(JSON.stringify(output)).toContain('It has: SKILL.md, references/format.md, notes/own.md.')
  })
})

describe('long texts', () => {
  it('S4-42 a long file is given in whole lines, and every line can be read once', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `${at} ${'ä😀'.repeat(330)}`)
    const read: string[] = []
    let fromLine: number | undefined = 1
    for (let calls = 0; fromLine !== undefined && calls < 10; calls += 1) {
      const text = textIn(await load({ file: 'long.txt', fromLine }, [['long.txt', lines.join('\n')]]))
      const more = /\n\(These are lines (\d+) to (\d+) of 300\. Read on with fromLine (\d+)\.\)$/.exec(text)
      expect(text.length).toBeLessThan(101_000)
      read.push(...(more === null ? text : text.slice(0, more.index)).split('\n'))
      expect(more === null || Number(more[3]) === read.length + 1).toBe(true)
      fromLine = more === null ? undefined : Number(more[3])
    }
    expect(read).toEqual(lines)
  })

  it('S4-42 a line of more than 100,000 characters is given whole, and the lines after it can be read', async () => {
    const long = `${'x'.repeat(99_999)}😀${'y'.repeat(50_000)}`
    const more: [string, string][] = [['data.json', `first\n${long}\nlast`]]
    expect(textIn(await load({ file: 'data.json' }, more))).toBe(
      'first\n(These are lines 1 to 1 of 3. Read on with fromLine 2.)',
    )
    expect(textIn(await load({ file: 'data.json', fromLine: 2 }, more))).toBe(
      `${long}\n(These are lines 2 to 2 of 3. Read on with fromLine 3.)`,
    )
    expect(textIn(await load({ file: 'data.json', fromLine: 3 }, more))).toBe('last')
  })

  it('lines that are not there are named', async () => {
    expect(textIn(await load({ file: 'references/format.md', fromLine: 9 }))).toBe(
      'There is no line 9: the text has 2 lines.',
    )
    expect(textIn(await load({ file: 'references/format.md', fromLine: 2, toLine: 1 }))).toBe(
      'Line 1 comes before line 2. Give toLine as 2 or more.',
    )
  })
})
