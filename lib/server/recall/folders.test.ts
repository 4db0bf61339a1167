/** Folders as collections: what cannot be read is left out with the reason, and the rest is there. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { Passage } from '#lib/spec/recall'
import { type KnowledgePort, noKnowledge } from '#lib/spec/recall-port'
import { openFolders } from './folders'

let place: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())

const write = (name: string, text: string) => {
  const file = path.join(place.folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}
async function open(beside: KnowledgePort = noKnowledge) {
  const warnings: string[] = []
  const opened = await openFolders(['docs=pages'], {
    from: place.folder,
    beside,
    warn: (each) => warnings.push(each),
  })
  if (!opened.ok) throw new Error(opened.error)
  return { warnings, ...opened.value }
}
const search = (port: KnowledgePort, collections: readonly string[]) =>
  port.search({ collections, query: 'soup', limit: 5 }, new AbortController().signal)

it('S4-07 a file that cannot be read is left out with the reason, and the others are found', async () => {
  write('pages/a.md', 'Soup on Mondays.')
  write('pages/within/b.txt', 'Soup on Fridays.')
  write('pages/empty.txt', '')
  write('pages/picture.png', 'no document')
  fs.mkdirSync(path.join(place.folder, 'pages/folder.md'))
  fs.symlinkSync('nowhere.md', path.join(place.folder, 'pages/gone.md'))
  const { warnings, port, close } = await open()
  try {
    expect(warnings).toEqual([
      '“empty.txt” is empty. It was left out.',
      '“gone.md” cannot be read (ENOENT), so it was left out.',
    ])
    const { passages, missing } = await search(port, ['docs', 'other'])
    expect(passages.map(({ file }) => file).sort()).toEqual(['a.md', 'within/b.txt'])
    expect(missing).toEqual(['other'])
  } finally {
    close()
  }
})

it('S4-07 a folder takes the place of a collection of its name, and the others are searched with it', async () => {
  write('pages/a.md', 'Soup on Mondays.')
  const of = (collection: string): Passage => {
    return { collection, file: 'own.md', place: '', text: 'Soup.', score: 99 }
  }
  const { port, close } = await open({
    names: () => ['docs', 'own'],
    search: async ({ collections }) => ({ passages: collections.map(of), missing: [] }),
  })
  try {
    expect([...port.names()].sort()).toEqual(['docs', 'own'])
    const { passages } = await search(port, ['docs', 'own'])
    expect(passages.map(({ collection, file }) => `${collection}/${file}`)).toEqual([
      'docs/a.md',
      'own/own.md',
    ])
  } finally {
    close()
  }
})
