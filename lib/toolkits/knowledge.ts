/** The toolkit of knowledge: passages of uploaded documents, found for a question and cited with their place. */
import { z } from 'zod'
import { collectionName, knowledgeSearchName } from '#lib/spec/recall'
import type { KnowledgePort } from '#lib/spec/recall-port'
import { knowledgeText } from '#lib/spec/recall-text'
import { refuse, type Tool, type ToolOutput, tool } from '#lib/spec/tool'
import type { Toolkit } from '#lib/spec/toolkit'

/** The tool of an entry; without collections, as the catalog shows it. */
function search({ collections = [], limit: usual = 5 }: { collections?: readonly string[]; limit?: number }) {
  const over = collections.length === 0 ? 'the documents of this agent' : collections.join(', ')
  return tool({
    name: knowledgeSearchName,
    label: 'Search knowledge',
    group: 'Memory and knowledge',
    keywords: ['documents', 'knowledge', 'search', 'handbook', 'citations', 'passages', 'retrieve'],
    description: `Searches ${over} for passages that fit a question. Each passage comes with its file and place; name them in your answer.`,
    icon: 'book-open',
    risk: 'read',
    aliases: ['retrieve_knowledge', 'search_knowledge'],
    argumentAliases: { question: 'query', q: 'query', top_k: 'limit' },
    input: z.object({
      query: z.string().min(1).max(1_000).describe('A question, or the words that a passage should contain.'),
      limit: z.int().min(1).max(20).optional().describe(`How many passages at most; ${usual} unless given.`),
    }),
    async run({ query, limit = usual }, { ports, signal }): Promise<ToolOutput> {
      const { passages, problem } = await find(ports.knowledge, { collections, query, limit }, signal)
      if (problem !== undefined && passages.length === 0) return refuse(problem, 'no_collection')
      const said = passages.length === 0 ? 'No passage fits this search.' : knowledgeText(passages)
      return {
        ok: true,
        blocks: [{ type: 'text', text: problem === undefined ? said : `${problem}\n\n${said}` }],
        recall: [{ type: 'knowledge.retrieved', query, passages, ...(problem !== undefined && { problem }) }],
      }
    },
  })
}

const settings = z.object({
  collections: z.array(collectionName).min(1).max(20).meta({
    title: 'Collections',
    description: 'Names of collections in Settings → Knowledge.',
    format: 'collections',
    form: 'names of collections in Settings → Knowledge, as in "handbook"',
  }),
  when: z.enum(['search', 'start', 'both']).default('search').meta({
    title: 'Used',
    description:
      'search: the model searches with a tool. start: each run starts with the passages that fit its question. both: it does both.',
  }),
  limit: z.int().min(1).max(20).default(5).meta({
    title: 'Passages at most',
    description: 'How many passages a search returns, and a run starts with.',
  }),
})

const names = [knowledgeSearchName]

export const knowledge: Toolkit<typeof settings> = {
  id: 'knowledge',
  label: 'Knowledge',
  group: 'Memory and knowledge',
  help: 'Answers from documents that you have uploaded: text, Markdown, HTML, PDF and DOCX. Passages are found by their words, and by meaning where Settings name a model for that.',
  keywords: ['knowledge', 'documents', 'rag', 'retrieval', 'handbook', 'search', 'pdf', 'citations', 'files'],
  icon: 'book-open',
  family: 'memory',
  settings,
  // A policy covers the tool in every case, so that a change of the setting leaves no policy without a tool.
  scope: { choice: { key: 'when', names: { search: names, start: names, both: names } } },
  tools: [search({})],
  initial: { collections: ['handbook'] },
  open: async ({ when, ...entry }): Promise<readonly Tool[]> => (when === 'start' ? [] : [search(entry)]),
  recall: {
    async atStart({ when = 'search', collections, limit = 5 }, { query }, ports, signal) {
      if (when === 'search') return undefined
      const found = await find(ports.knowledge, { collections, query, limit }, signal)
      return { type: 'knowledge.retrieved', query, ...found }
    },
    records: () => false,
  },
}

async function find(
  port: KnowledgePort,
  asked: { readonly collections: readonly string[]; readonly query: string; readonly limit: number },
  signal: AbortSignal,
) {
  if (asked.collections.length === 0)
    return { passages: [], problem: 'This tool has no collection to search.' }
  const { passages, missing } = await port.search(asked, signal)
  const problem = missingWords(missing)
  return { passages: [...passages], ...(problem !== undefined && { problem }) }
}

function missingWords(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined
  const named = missing.map((each) => `“${each}”`).join(', ')
  return missing.length === 1
    ? `There is no collection ${named} here, so it was not searched.`
    : `There are no collections ${named} here, so they were not searched.`
}
