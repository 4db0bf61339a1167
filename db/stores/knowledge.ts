/** The store of collections: their files, and the passages of these, found by their words. */
import type {
  CollectionFileRow,
  CollectionRow,
  KnowledgeStore,
  PassageRow,
  WordHit,
} from '#lib/spec/recall-store'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { indexedWords, matchInScopes } from '../search-words'
import { vectorStore } from './vectors'

/** The token by which the full-text index tells collections apart. */
const scopeOf = (collectionId: string) => collectionId.toLowerCase().replace(/[^a-z0-9]/g, '')

const collection = 'id, name, description, created_at as createdAt'
const file = 'id, collection_id as collectionId, name, kind, bytes, chars, passages, created_at as createdAt'

export function knowledgeStore(client: SqliteConnection): KnowledgeStore {
  const collections = client.prepare<[], CollectionRow>(`select ${collection} from collections order by name`)
  const byName = client.prepare<[string], CollectionRow>(
    `select ${collection} from collections where name = ?`,
  )
  const insert = client.prepare<CollectionRow>(
    `insert into collections (id, name, description, created_at) values (@id, @name, @description, @createdAt)
     on conflict (name) do nothing`,
  )
  const describe = client.prepare<[string, string]>('update collections set description = ? where id = ?')
  const remove = client.prepare<[string]>('delete from collections where id = ?')
  const files = client.prepare<[string], CollectionFileRow>(
    `select ${file} from collection_files where collection_id = ? and passages is not null order by name`,
  )
  const oneFile = client.prepare<[string], CollectionFileRow>(
    `select ${file} from collection_files where id = ?`,
  )
  const insertFile = client.prepare<CollectionFileRow>(
    `insert into collection_files (id, collection_id, name, kind, bytes, chars, passages, created_at)
     values (@id, @collectionId, @name, @kind, @bytes, @chars, @passages, @createdAt)`,
  )
  const insertPassage = client
    .prepare<[string, string, string], number>(
      'insert into passages (file_id, place, text) values (?, ?, ?) returning n',
    )
    .pluck()
  const index = client.prepare<[number, string, string]>(
    'insert into passage_words (rowid, scope, words) values (?, ?, ?)',
  )
  const addPassages = client.transaction(
    (
      { id, collectionId }: Pick<CollectionFileRow, 'id' | 'collectionId'>,
      added: readonly { readonly place: string; readonly text: string }[],
    ) => {
      for (const each of added) {
        const [place, text] = [each.place.toWellFormed(), each.text.toWellFormed()]
        const n = insertPassage.get(id, place, text)
        if (n !== undefined) index.run(n, scopeOf(collectionId), indexedWords(`${place}\n${text}`))
      }
    },
  ).immediate
  // One that is still being added replaces this one when it is complete.
  const removeOthers = client.prepare<[string, string, string]>(
    'delete from collection_files where collection_id = ? and name = ? and id <> ? and passages is not null',
  )
  const complete = client.prepare<[number, string]>('update collection_files set passages = ? where id = ?')
  const finishFile = client.transaction((id: string, count: number) => {
    const row = oneFile.get(id)
    if (row === undefined) return false
    removeOthers.run(row.collectionId, row.name, id)
    complete.run(count, id)
    return true
  }).immediate
  const removeFile = client.prepare<[string]>('delete from collection_files where id = ?')
  const removeUnfinished = client.prepare('delete from collection_files where passages is null')
  // Passages of files that are still being added would take the places of others among the first ones.
  const find = client.prepare<[string, string, number], WordHit>(
    `select rowid as n, -bm25(passage_words, 0.0, 1.0) as words from passage_words
     where passage_words match ? and rowid not in
       (select p.n from collection_files f join passages p on p.file_id = f.id
        where f.collection_id in (select value from json_each(?)) and f.passages is null)
     order by words desc, rowid limit ?`,
  )
  const byNumbers = client.prepare<[string], PassageRow>(
    `select p.n, c.name as collection, f.name as file, p.place, p.text
     from passages p join collection_files f on f.id = p.file_id join collections c on c.id = f.collection_id
     where p.n in (select value from json_each(?)) and f.passages is not null`,
  )
  return {
    ...vectorStore(client, {
      table: 'passages',
      vectors: 'passage_vectors',
      inScopes:
        'r.file_id in (select id from collection_files where collection_id in (select value from json_each(@scopes)) and passages is not null)',
    }),
    collections: () => collections.all(),
    byName: (name) => byName.get(name),
    insert: (row) => insert.run(row).changes === 1,
    describe: (id, description) => {
      describe.run(description, id)
    },
    remove: (id) => {
      remove.run(id)
    },
    files: (collectionId) => files.all(collectionId),
    file: (id) => oneFile.get(id),
    insertFile: (row) => {
      insertFile.run(row)
    },
    addPassages: (of, added) => addPassages(of, added),
    finishFile: (id, count) => finishFile(id, count),
    removeFile: (id) => removeFile.run(id).changes === 1,
    removeUnfinished: () => {
      removeUnfinished.run()
    },
    find: (ids, terms, limit) =>
      ids.length === 0 || terms.length === 0
        ? []
        : find.all(matchInScopes(terms, ids.map(scopeOf)), JSON.stringify(ids), limit),
    rows: (numbers) => byNumbers.all(JSON.stringify(numbers)),
  }
}
