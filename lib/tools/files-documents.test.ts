import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readerWall } from '#lib/sandbox/reader-wall'
import { createWorkspace, filesPort } from '#lib/sandbox/workspace'
import type { JsonObject } from '#lib/spec/json'
import type { Tool, ToolContext } from '#lib/spec/tool'
import { filesGet } from './files-get'
import { filesList } from './files-list'
import { filesView } from './files-view'
import { context as plainContext } from './tools.fixture'
import { workspaceDescribe } from './workspace-describe'
import { workspaceView } from './workspace-view'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let folder = ''
let kept: string[] = []
let context: ToolContext

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-documents-'))
  kept = []
  const described = new Map<string, string>()
  const files = filesPort(createWorkspace(folder), async ({ path: at, bytes }, { isShown }) => {
    kept.push(`${at}${isShown ? ' (only shown)' : ''}`)
    const picture = { width: 1, height: 1 }
    return {
      ok: true,
      value: { id: 'artifact_1', name: at, path: at, mediaType: 'image/png', bytes, picture },
    }
  })
  const plain = plainContext()
  context = {
    ...plain,
    ports: {
      ...plain.ports,
      files: {
        ...files,
        descriptions: () => described,
        describe: (at, text) => void (text === '' ? described.delete(at) : described.set(at, text)),
      },
    },
  }
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const put = (name: string, content: string | Uint8Array) => fs.writeFileSync(path.join(folder, name), content)

async function said(tool: Tool, args: JsonObject): Promise<string> {
  const output = await tool.run(args, context)
  if (output.ok === 'asks' || output.ok === 'rests') throw new Error('nothing waits here')
  if (!output.ok) return `${output.code}: ${output.message}`
  return output.blocks.map((each) => (each.type === 'text' ? each.text : each.type)).join('\n')
}

describe('files.view and workspace.view', () => {
  it('shows a sheet of a workbook, or cells of it', async () => {
    put(
      'sales.xlsx',
      await writeXlsx({
        sheets: [
          {
            name: 'One',
            rows: [
              ['a', 'b'],
              [1, 2],
            ],
          },
        ],
      }),
    )
    expect(await said(filesView, { path: 'sales.xlsx' })).toBe(
      'sales.xlsx: Sheets: "One". "One" reaches to B2; this is A1:B2.\n\n|  | A | B |\n| --- | --- | --- |\n| 1 | a | b |\n| 2 | 1 | 2 |',
    )
    expect(await said(workspaceView, { path: 'sales.xlsx', range: 'B2' })).toContain('this is B2')
    expect(await said(workspaceView, { path: 'sales.xlsx', sheet: 'Two' })).toBe(
      'unknown_sheet: sales.xlsx: The file has no sheet "Two". Its sheets are: "One".',
    )
  })

  it('T8 tells the wall that a document was read behind, and none for text that needs no reader', async () => {
    put('stadt.csv', Buffer.from('Köln;1\n', 'latin1'))
    put('plain.csv', 'Bonn;1\n')
    const read = await workspaceView.run({ path: 'stadt.csv' }, context)
    expect(read.metadata?.wall).toMatchObject({
      id: (await readerWall())?.facts.id,
      promises: expect.any(Array),
    })
    expect(await workspaceView.run({ path: 'plain.csv' }, context)).not.toHaveProperty('metadata')
  })

  it('shows the lines of a text in another encoding, and names the encoding', async () => {
    put('stadt.csv', Buffer.from('Köln;1\nBonn;2\n', 'latin1'))
    expect(await said(filesView, { path: 'stadt.csv', start_line: 2 })).toBe(
      'stadt.csv has 2 lines; these are 2 to 2. Text in Latin-1.\n2  Bonn;2',
    )
  })

  it('shows the lines of a text that is larger than one read', async () => {
    put('large.csv', 'a,b\n'.repeat(400_000))
    const shown = await said(filesView, { path: 'large.csv', start_line: 399_999, end_line: 399_999 })
    expect(shown).toContain('large.csv has 400,000 lines; these are 399999 to 399999.')
  })

  it('E-46 says what a picture is, and gives it to models that see pictures', async () => {
    put('dot.png', png)
    const output = await filesView.run({ path: 'dot.png' }, context)
    expect(output).toMatchObject({
      ok: true,
      blocks: [
        { type: 'text', text: 'dot.png is a picture: image/png, 1 × 1 pixels, 70 bytes.' },
        { type: 'image', artifact: 'artifact_1', picture: { mediaType: 'image/png', width: 1, height: 1 } },
      ],
    })
    expect(kept).toEqual(['dot.png (only shown)'])
  })

  it('T33 a broken document gives one clear sentence', async () => {
    put('broken.pdf', '%PDF-1.7 nothing')
    expect(await said(filesView, { path: 'broken.pdf' })).toMatch(
      /^damaged: broken\.pdf: The file is damaged/,
    )
  })
})

describe('files.get', () => {
  it('S1-06 gives bytes that are no text in base64', async () => {
    put('dot.png', png)
    const [head, bytes] = (await said(filesGet, { path: 'dot.png' })).split('\n')
    expect(head).toContain('dot.png is not text, but 70 bytes of other data.')
    expect(bytes).toBe(png.toString('base64'))
  })
})

describe('workspace.describe', () => {
  it('S1-06 S1-26 notes what a file is, which every later listing shows', async () => {
    put('a.csv', 'x')
    expect(await said(workspaceDescribe, { path: 'a.csv', description: ' Sales of 2024. ' })).toBe(
      'a.csv is described.',
    )
    expect(await said(filesList, {})).toBe('a.csv (1 byte): Sales of 2024.')
    expect(await said(workspaceDescribe, { path: 'a.csv', description: '' })).toBe(
      'a.csv has no description now.',
    )
    expect(await said(filesList, {})).toBe('a.csv (1 byte)')
  })

  it('refuses a file that is not there, and a folder', async () => {
    fs.mkdirSync(path.join(folder, 'b'))
    expect(await said(workspaceDescribe, { path: 'no.csv', description: 'x' })).toMatch(/^not_found: /)
    expect(await said(workspaceDescribe, { path: 'b', description: 'x' })).toMatch(/^not_a_file: /)
    expect(await said(workspaceDescribe, { path: '../x', description: 'x' })).toMatch(
      /^outside: |^bad_path: /,
    )
  })
})

describe('the names that other programs have for the tools', () => {
  it('lead to ours, with the names of their arguments', async () => {
    const { tools } = await import('./index')
    const byAlias = (alias: string) => tools.find(({ aliases }) => aliases?.includes(alias))
    expect(['create_file', 'str_replace_editor', 'file_tool'].map((each) => byAlias(each)?.name)).toEqual([
      'files.create',
      'files.str_replace',
      'files.get',
    ])
    expect(byAlias('str_replace_editor')?.argumentAliases).toMatchObject({ old_str: 'old_text' })
  })
})
