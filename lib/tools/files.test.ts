import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace, filesPort } from '#lib/sandbox/workspace'
import type { Artifact } from '#lib/spec/artifact'
import type { JsonObject } from '#lib/spec/json'
import type { Tool, ToolContext } from '#lib/spec/tool'
import { filesCreate } from './files-create'
import { filesDelete } from './files-delete'
import { filesGet } from './files-get'
import { filesInsert } from './files-insert'
import { filesList } from './files-list'
import { filesMkdir } from './files-mkdir'
import { filesSearch } from './files-search'
import { filesStrReplace } from './files-str-replace'
import { filesUpload } from './files-upload'
import { filesView } from './files-view'
import { context as plainContext } from './tools.fixture'

let folder = ''
let context: ToolContext
let created: Artifact[] = []

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-files-'))
  created = []
  context = contextOver(folder)
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function contextOver(root: string): ToolContext {
  const files = filesPort(
    createWorkspace(root),
    async ({ path: at, bytes }, { name = path.basename(at) }) => ({
      ok: true,
      value: { id: 'artifact_1', name, path: at, mediaType: 'text/plain', bytes },
    }),
  )
  const plain = plainContext()
  return { ...plain, ports: { ...plain.ports, files }, created: (artifact) => created.push(artifact) }
}

const put = (name: string, content: string | Buffer) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  fs.writeFileSync(path.join(folder, name), content)
}
const stored = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8')

/** What the model reads: the text, or the refusal with its code. */
async function said(tool: Tool, args: JsonObject): Promise<string> {
  const output = await tool.run(args, context)
  if (output.ok === 'rests') return 'rests'
  if (output.ok === 'asks') return `asks ${output.questions.length} questions`
  if (!output.ok) return `${output.code}: ${output.message}`
  return output.blocks.map((each) => (each.type === 'text' ? each.text : each.type)).join('\n')
}

describe('files.create', () => {
  it('writes a file, keeps it and says so', async () => {
    expect(await said(filesCreate, { path: 'notes/a.md', content: 'hé' })).toBe(
      'Created notes/a.md (3 bytes).',
    )
    expect(stored('notes/a.md')).toBe('hé')
    expect(created.map((each) => each.path)).toEqual(['notes/a.md'])
  })

  it('S0-25 makes an empty file', async () => {
    expect(await said(filesCreate, { path: 'empty', content: '' })).toBe('Created empty (0 bytes).')
    expect(stored('empty')).toBe('')
    expect(await said(filesCreate, { path: 'x' })).toMatch(/^args_schema: /)
  })

  it('replaces a file only when asked to, and takes the same again for done', async () => {
    put('a', 'old')
    expect(await said(filesCreate, { path: 'a', content: 'new' })).toMatch(/^exists: a exists already/)
    expect(stored('a')).toBe('old')
    expect(await said(filesCreate, { path: 'a', content: 'old' })).toMatch(/with exactly this content/)
    expect(await said(filesCreate, { path: 'a', content: 'new', overwrite: true })).toBe(
      'Overwrote a (3 bytes).',
    )
  })

  it('E-50 refuses a path that leads outside', async () => {
    for (const name of ['../x', '/etc/x', 'a/../../x', '~/.bashrc'])
      expect(await said(filesCreate, { path: name, content: '' })).toMatch(/^outside: /)
  })

  it('tells of a file that could not be kept', async () => {
    const full = { ok: false, code: 'quota', message: 'No more is kept.' } as const
    const files = { ...context.ports.files, keep: async () => full }
    context = { ...context, ports: { ...context.ports, files } }
    expect(await said(filesCreate, { path: 'a', content: '' })).toBe(
      'Created a (0 bytes). It was not kept for download: No more is kept.',
    )
    expect(created).toEqual([])
  })
})

describe('files.view', () => {
  it('numbers the lines of the whole or of a part', async () => {
    put('a.txt', 'one\ntwo\r\nthree')
    expect(await said(filesView, { path: 'a.txt' })).toBe('a.txt has 3 lines:\n1  one\n2  two\n3  three')
    expect(await said(filesView, { path: 'a.txt', start_line: 2, end_line: 2 })).toBe(
      'a.txt has 3 lines; these are 2 to 2:\n2  two',
    )
    expect(await said(filesView, { path: 'a.txt', start_line: 4 })).toMatch(/^bad_range: a.txt has 3 lines/)
    expect(await said(filesView, { path: 'a.txt', start_line: 3, end_line: 2 })).toMatch(/^bad_range: /)
  })

  it('shows 2,000 lines at most, and cuts long ones', async () => {
    put('long', `${'x'.repeat(5_000)}\n${'y\n'.repeat(2_500)}`)
    const shown = (await said(filesView, { path: 'long' })).split('\n')
    expect(shown).toHaveLength(2_001)
    expect(shown[0]).toBe('long has 2,501 lines; these are 1 to 2000:')
    expect(shown[1]).toMatch(/x … \(5000 characters\)$/)
  })

  it('says what is empty, missing, a folder or no text', async () => {
    put('empty', '')
    put('data', Buffer.from([0x50, 0x4b, 0, 1]))
    put('latin', Buffer.from([0x66, 0xfc, 0x72]))
    expect(await said(filesView, { path: 'empty' })).toBe('empty is empty.')
    expect(await said(filesView, { path: 'none' })).toMatch(/^not_found: /)
    expect(await said(filesView, { path: '.' })).toMatch(/^not_a_file: /)
    expect(await said(filesView, { path: 'data' })).toBe(
      'not_text: "data" is not UTF-8 text, but 4 bytes of other data.',
    )
    expect(await said(filesView, { path: 'latin' })).toBe('latin has 1 line. Text in Latin-1.\n1  für')
  })
})

describe('files.get', () => {
  it('S1-06 gives the content, cut at 30,000 characters and never inside one', async () => {
    put('a', '\ufeffone\ntwo\n')
    expect(await said(filesGet, { path: 'a' })).toBe('\ufeffone\ntwo\n')
    put('b', '🚀'.repeat(30_000))
    expect(await said(filesGet, { path: 'b' })).toBe('🚀'.repeat(30_000))
    put('c', '🚀'.repeat(30_001))
    expect(await said(filesGet, { path: 'c' })).toBe(
      `${'🚀'.repeat(30_000)}\n… (1 more character cut; read them with files.view)`,
    )
  })
})

describe('files.str_replace', () => {
  it('S0-24 replaces the one passage, and names the file', async () => {
    put('a.md', 'one\ntwo\nthree\n')
    expect(await said(filesStrReplace, { path: 'a.md', old_text: 'two', new_text: 'zwei\nzwo' })).toBe(
      'Replaced 1 passage in a.md, at line 2; it has 4 lines now.\n1  one\n2  zwei\n3  zwo\n4  three',
    )
    expect(stored('a.md')).toBe('one\nzwei\nzwo\nthree\n')
    expect(created).toHaveLength(1)
  })

  it('S0-24 a passage that is not there leaves the file as it was', async () => {
    put('a', 'one\r\n\ufeff')
    expect(await said(filesStrReplace, { path: 'a', old_text: 'two', new_text: '' })).toMatch(
      /^no_match: .* a\. /,
    )
    expect(stored('a')).toBe('one\r\n\ufeff')
  })

  it('D-08 several matches are refused with their number and lines', async () => {
    put('a', 'x = 1\ny = 2\nx = 1\nx = 1')
    expect(await said(filesStrReplace, { path: 'a', old_text: 'x = 1', new_text: 'x = 2' })).toBe(
      'several_matches: The old_text occurs in a 3 times (at lines 1, 3, 4), so nothing was changed. Add lines around the occurrence you mean.',
    )
    expect(stored('a')).toBe('x = 1\ny = 2\nx = 1\nx = 1')
  })

  it('D-08 a passage that overlaps with itself stands there more than once', async () => {
    put('a', 'one\n\n\ntwo')
    expect(await said(filesStrReplace, { path: 'a', old_text: '\n\n', new_text: '-' })).toMatch(
      /^several_matches: .* 2 times \(at lines 1, 2\)/,
    )
    expect(stored('a')).toBe('one\n\n\ntwo')
  })

  it('puts in the text as it is, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('$&', '$1', '$$', "$'", '$`', '\\n', '$<a>'),
        fc.string(),
        async (sign, more) => {
          put('a', 'before|HERE|after')
          await said(filesStrReplace, { path: 'a', old_text: 'HERE', new_text: sign + more })
          expect(stored('a')).toBe(`before|${sign}${Buffer.from(more).toString()}|after`)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('finds a passage over lines that end as on Windows, and keeps those ends', async () => {
    put('a', 'one\r\ntwo\r\nthree\r\n')
    await said(filesStrReplace, { path: 'a', old_text: 'one\ntwo', new_text: '1\n2' })
    expect(stored('a')).toBe('1\r\n2\r\nthree\r\n')
  })

  it('calls side by side lose none of their changes', async () => {
    const letters = [...'abcdefghij']
    put('a', letters.join('\n'))
    await Promise.all(
      letters.map((each) =>
        said(filesStrReplace, { path: 'a', old_text: each, new_text: each.toUpperCase() }),
      ),
    )
    expect(stored('a')).toBe(letters.join('\n').toUpperCase())
  })
})

describe('files.insert', () => {
  it.each([
    ['one\ntwo\n', 0, 'new', 'new\none\ntwo\n'],
    ['one\ntwo\n', 1, 'new', 'one\nnew\ntwo\n'],
    ['one\ntwo\n', 2, 'new\n', 'one\ntwo\nnew\n'],
    ['one\ntwo', 2, 'new', 'one\ntwo\nnew\n'],
    ['one\r\ntwo', 1, 'new', 'one\r\nnew\r\ntwo'],
    ['', 0, 'new', 'new\n'],
    ['\ufeffone', 0, 'new', '\ufeffnew\none'],
    ['one\n', 1, '', 'one\n\n'],
  ])('%j after line %d', async (before, line, content, after) => {
    put('a', before)
    expect(await said(filesInsert, { path: 'a', line, content })).toMatch(/^Inserted 1 line into a, /)
    expect(stored('a')).toBe(after)
  })

  it('refuses a line that is not there', async () => {
    put('a', 'one\n')
    expect(await said(filesInsert, { path: 'a', line: 2, content: 'x' })).toBe(
      'bad_range: a has 1 line: there is no line 2.',
    )
  })
})

describe('folders', () => {
  it('are made, listed and deleted', async () => {
    expect(await said(filesList, {})).toBe('The workspace is empty.')
    expect(await said(filesMkdir, { path: 'a/b' })).toBe('Made the folder a/b.')
    expect(await said(filesMkdir, { path: 'a/b' })).toBe('The folder a/b exists already.')
    put('a/c.txt', 'x')
    expect(await said(filesList, {})).toBe('a/')
    expect(await said(filesList, { deep: true })).toBe('a/\na/b/\na/c.txt (1 byte)')
    expect(await said(filesList, { path: 'a/b' })).toBe('The folder a/b is empty.')
    expect(await said(filesDelete, { path: 'a' })).toMatch(/^not_empty: /)
    expect(await said(filesDelete, { path: 'a/b' })).toBe('Deleted the folder a/b.')
    expect(await said(filesDelete, { path: 'a/c.txt' })).toBe('Deleted the file a/c.txt.')
    expect(await said(filesDelete, { path: 'a/c.txt' })).toMatch(/^not_found: /)
  })

  it('of many files are listed in part', async () => {
    for (let index = 0; index < 502; index++) put(`${index}`, '')
    const lines = (await said(filesList, {})).split('\n')
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)).toBe('… (2 more; list one of the folders)')
  })
})

describe('files.search', () => {
  it('finds lines in the files that fit', async () => {
    put('a.csv', 'Name,City\nAda,LONDON\n')
    put('notes/b.md', 'london calling\nnothing\n')
    put('data', Buffer.from([0, 1, 2]))
    expect(await said(filesSearch, { query: 'London' })).toBe(
      'a.csv:2: Ada,LONDON\nnotes/b.md:1: london calling\n(1 file of 3 could not be read as text.)',
    )
    expect(await said(filesSearch, { query: 'London', glob: '*.md' })).toBe('notes/b.md:1: london calling')
    expect(await said(filesSearch, { query: 'London', glob: 'notes/*' })).toBe('notes/b.md:1: london calling')
    expect(await said(filesSearch, { query: 'London', path: 'notes' })).toBe('notes/b.md:1: london calling')
    expect(await said(filesSearch, { query: '.*', glob: '*.csv' })).toBe('No line of 1 file contains ".*".')
  })

  it('S3-13 shows 100 results at most, each of them short', async () => {
    put('many', `${'needle\n'.repeat(150)}`)
    const lines = (await said(filesSearch, { query: 'needle' })).split('\n')
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toBe('(Only the first 100 lines are shown; there are more.)')
    put('many', `${'🚀'.repeat(2_000)}needle${'🚀'.repeat(2_000)}`)
    const [line = ''] = (await said(filesSearch, { query: 'needle' })).split('\n')
    expect(line).toContain('needle')
    expect([line.length < 250, !/\p{Surrogate}/u.test(line)]).toEqual([true, true])
  })

  it('stops when it is aborted', async () => {
    put('a', 'x')
    context = { ...context, signal: AbortSignal.abort() }
    expect(await said(filesSearch, { query: 'x' })).toBe('aborted: The search was stopped.')
  })
})

describe('files.upload', () => {
  it('S1-06 S1-26 hands over what another tool has written, by its name alone', async () => {
    await said(filesCreate, { path: 'report.md', content: '# Report' })
    expect(await said(filesUpload, { path: 'report.md', name: 'Q3 [final].md' })).toBe(
      'The person can download [Q3 \\[final\\].md](/api/artifacts/artifact_1) (text/plain, 8 bytes).',
    )
    expect(created.map((each) => each.name)).toEqual(['report.md', 'Q3 [final].md'])
    expect(await said(filesGet, { path: 'report.md' })).toBe('# Report')
    expect(await said(filesUpload, { path: 'none' })).toMatch(/^not_found: /)
  })
})

describe('S3-15 two roots', () => {
  it('the same tool writes where its own ports lead', async () => {
    const other = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-files-'))
    await filesCreate.run({ path: 'a', content: 'first' }, context)
    await filesCreate.run({ path: 'a', content: 'second' }, contextOver(other))
    expect([stored('a'), fs.readFileSync(path.join(other, 'a'), 'utf8')]).toEqual(['first', 'second'])
    fs.rmSync(other, { recursive: true })
  })
})
