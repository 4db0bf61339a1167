import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkspace, filesPort } from '#lib/sandbox/workspace'
import { describedFiles } from './described-files'

let folder = ''
let said = new Map<string, string>()
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-described-'))
  said = new Map()
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const store = {
  descriptions: () => said,
  describe: (_: string, at: string, text: string) =>
    void (text === '' ? said.delete(at) : said.set(at, text)),
}

function files(above = '') {
  const port = filesPort(createWorkspace(path.join(folder, above)), async (file, { name, isShown }) => {
    const at = isShown ? null : above + file.path
    const kept = { id: 'artifact_1', name: name ?? file.path, path: at, mediaType: 'text/plain', bytes: 1 }
    return { ok: true, value: kept }
  })
  return describedFiles(port, store, { threadId: 't', above })
}

test('S1-06 a description belongs to its file, however the path is written', () => {
  files().describe?.('./notes//a.md', 'Notes.')
  files().describe?.('../a.md', 'Outside.')
  expect([...said]).toEqual([['notes/a.md', 'Notes.']])
})

test('S1-06 a file that is removed takes its description along', async () => {
  const port = files()
  for (const name of ['a.md', 'b.md', 'c.md']) {
    await port.write(name, 'x')
    port.describe?.(name, name)
  }
  expect((await port.remove('./a.md')).ok).toBe(true)
  const change = fs.mkdtempSync(path.join(folder, 'changed-'))
  expect((await port.takeFrom(change, { files: [], folders: [], removed: ['b.md'] })).ok).toBe(true)
  expect((await port.remove('gone.md')).ok).toBe(false)
  expect([...said]).toEqual([['c.md', 'c.md']])
})

test('S1-06 a file in a folder that an agent works in is described in the whole workspace', async () => {
  const inner = files('helper/')
  inner.describe?.('a.md', 'By the helper.')
  said.set('b.md', 'Of nobody here.')
  expect([...said.keys()]).toEqual(['helper/a.md', 'b.md'])
  expect([...(inner.descriptions?.() ?? [])]).toEqual([['a.md', 'By the helper.']])
})

test('S1-06 a kept file says what was said of it, also under another name', async () => {
  for (const port of [files(), files('helper/')]) {
    await port.write('a.md', 'x')
    await port.write('b.md', 'x')
    port.describe?.('a.md', 'Notes.')
    expect(await port.keep('./a.md', { name: 'notes.md' })).toMatchObject({
      value: { name: 'notes.md', description: 'Notes.' },
    })
    for (const kept of [await port.keep('b.md'), await port.keep('a.md', { isShown: true })])
      expect(kept.ok && 'description' in kept.value).toBe(false)
    expect(await port.keep('gone.md')).toMatchObject({ ok: false })
  }
})
