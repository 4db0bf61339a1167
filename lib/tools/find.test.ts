/** The search in tools that are held back. */
import { describe, expect, it } from 'vitest'
import type { ToolContext, ToolSummary } from '#lib/spec/tool'
import { findTools, toolsFind } from './find'

const tools: ToolSummary[] = [
  named('disk.read_file', 'Reads a text from the disk.', 'path'),
  named('disk.listDirectory', 'Lists what a folder contains.', 'path'),
  named('mail.send', 'Sends a message to somebody.', 'recipient'),
  named('wetter.天気', '東京の天気を調べる。', 'city'),
]

function named(name: string, description: string, parameter: string): ToolSummary {
  return { name, description, parameters: { type: 'object', properties: { [parameter]: {} } } }
}

const find = (query: string, limit = 5) => findTools(tools, query, limit).map(({ name }) => name)

describe('the search for tools', () => {
  it('puts a word in the name before one in the description', () => {
    expect(find('read a message')).toEqual(['disk.read_file', 'mail.send'])
  })

  it('finds a word inside a name, by its beginning, and by a parameter', () => {
    expect(find('directories')).toEqual([])
    expect(find('files')).toEqual(['disk.read_file'])
    expect(find('Directory')).toEqual(['disk.listDirectory'])
    expect(find('recipients')).toEqual(['mail.send'])
  })

  it('finds Chinese and Japanese words', () => {
    expect(find('天気')).toEqual(['wetter.天気'])
  })

  it('keeps the order of equal matches and returns at most the wanted number', () => {
    expect(find('disk path')).toEqual(['disk.read_file', 'disk.listDirectory'])
    expect(find('disk path', 1)).toEqual(['disk.read_file'])
  })
})

describe('tools.find', () => {
  const run = (query: string, hiddenTools: readonly ToolSummary[] = tools) =>
    // cast: it reads nothing else of its context
    toolsFind.run({ query }, { hiddenTools } as ToolContext)

  it('lists what it found with descriptions of one line, and reports the names', async () => {
    const long = named('mail.archive', `Archives\n\nmessages. ${'x'.repeat(1_000)}`, 'folder')
    const output = await run('archive', [...tools, long])
    expect(output).toMatchObject({ ok: true, found: ['mail.archive'] })
    const text = JSON.stringify(output)
    expect(text).toContain('- mail.archive: Archives messages. xxx')
    expect(text.length).toBeLessThan(600)
  })

  it('says how many tools there are when none matches', async () => {
    expect(await run('video')).toMatchObject({
      ok: false,
      message: expect.stringContaining('4 tools can be searched'),
    })
  })
})
