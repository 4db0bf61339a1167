/**
 * A program for the kill test of knowledge: one life adds a file, or gives texts their vectors, and kills itself in the
 * middle; the last life prints what is there.
 */
import { writeSync } from 'node:fs'
import path from 'node:path'
import { openStores } from '#db/open'
import type { Provider } from '#lib/spec/model'
import type { KnowledgeStore } from '#lib/spec/recall-store'
import { createEmbeddings } from './embeddings'
import { createKnowledge } from './knowledge'

const [folder = '', life = '', place = ''] = process.argv.slice(2)
const stores = openStores(path.join(folder, 'loopwright.db'))
const signal = new AbortController().signal
const die = () => process.kill(process.pid, 'SIGKILL')
const agents = { heads: () => [], get: () => undefined }
const knowledgeOver = (store: KnowledgeStore) => createKnowledge({ store, agents, now: Date.now })

async function* pages(word: string, count: number) {
  yield Buffer.from(Array.from({ length: count }, (_, at) => `# Page ${at}\n\n${word} ${at}.`).join('\n\n'))
}
const add = (store: KnowledgeStore, word: string, count: number) =>
  knowledgeOver(store).addFile('handbook', { name: 'a.md', content: pages(word, count) }, signal)

/** Ends the program at this place of an upload. */
function dying(at: string): KnowledgeStore {
  let slices = 0
  return {
    ...stores.knowledge,
    addPassages: (...given) => {
      stores.knowledge.addPassages(...given)
      slices += 1
      if (at === `slice ${slices}`) die()
    },
    finishFile: (...given) => {
      if (at === 'before the end') die()
      const isFinished = stores.knowledge.finishFile(...given)
      if (at === 'after the end') die()
      return isFinished
    },
  }
}

/** A model whose program ends at this request. */
function embeddingsDying(at: number) {
  let requests = 0
  const embed: Provider['embed'] = async (_, { texts }) => {
    requests += 1
    if (requests === at) die()
    return { ok: true, vectors: texts.map(() => [1, 0]) }
  }
  const embeddings = createEmbeddings({
    settings: stores.settings,
    stores: [stores.memories, stores.knowledge],
    parts: [{ id: 'openai', embed } as Provider], // cast: only these two are used here
    providers: () => [{ name: 'vectors', kind: 'openai' }],
    endpoint: (name) => ({ name, baseUrl: 'http://127.0.0.1:1' }),
    fetch,
    report: (error) => console.error(error),
  })
  return { embeddings, requests: () => requests }
}

switch (life) {
  case 'first':
    knowledgeOver(stores.knowledge).create({ name: 'handbook' })
    await add(stores.knowledge, 'Soup', 300)
    break
  case 'upload':
    await add(dying(place), 'Tea', 800)
    break
  case 'reindex': {
    const { embeddings } = embeddingsDying(Number(place))
    await embeddings.save({ model: { provider: 'vectors', name: 'small' } }, signal)
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    break
  }
  default: {
    stores.knowledge.removeUnfinished()
    const { embeddings, requests } = embeddingsDying(0)
    embeddings.wake()
    const isDone = () => embeddings.view().done === embeddings.view().texts
    while (embeddings.view().model !== null && !isDone())
      await new Promise((resolve) => setTimeout(resolve, 5))
    const { list } = knowledgeOver(stores.knowledge).get('handbook')
    const found = async (query: string) => {
      const { passages } = await knowledgeOver(stores.knowledge).look(
        { query, collections: ['handbook'], limit: 20 },
        signal,
      )
      return passages.length
    }
    const ids = stores.knowledge.collections().map(({ id }) => id)
    const said = {
      files: list.map(({ name, passages }) => `${name} ${passages}`),
      soup: await found('soup'),
      tea: await found('tea'),
      passages: stores.knowledge.numbers(ids).length,
      waiting: stores.knowledge.unembedded('vectors/small', 10_000).length,
      requests: requests(),
    }
    writeSync(1, JSON.stringify(said))
    embeddings.close()
  }
}
stores.close()
