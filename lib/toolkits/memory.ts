/** The toolkit of an agent's memory: notes that last longer than a thread, kept for each user. */
import { z } from 'zod'
import { maxMemoryChars, memoryRecordName, memorySearchName } from '#lib/spec/recall'
import { memoryText } from '#lib/spec/recall-text'
import { refuse, type Tool, type ToolOutput, tool } from '#lib/spec/tool'
import type { Toolkit } from '#lib/spec/toolkit'

const look = { icon: 'brain', group: 'Memory and knowledge' }

const search = (usual: number) =>
  tool({
    ...look,
    name: memorySearchName,
    label: 'Search memory',
    keywords: ['remember', 'recall', 'memory', 'notes', 'earlier'],
    description:
      'Searches what you have noted in earlier conversations with this user. Use the words that the notes may contain.',
    risk: 'read',
    aliases: ['retrieve_from_memory', 'memory.retrieve'],
    argumentAliases: { keywords: 'query', question: 'query' },
    input: z.object({
      query: z.string().min(1).max(1_000).describe('What you look for, in a few words.'),
      limit: z.int().min(1).max(20).optional().describe(`How many notes at most; ${usual} unless given.`),
    }),
    async run({ query, limit = usual }, { ports, run, signal }): Promise<ToolOutput> {
      const { memory } = ports
      if (memory.problem !== undefined) return refuse(memory.problem, 'no_memory')
      const entries = await memory.search({ agent: run.agent.id, query, limit }, signal)
      const said = entries.length === 0 ? 'No note fits this search.' : memoryText(entries)
      return {
        ok: true,
        blocks: [{ type: 'text', text: said }],
        recall: [{ type: 'memory.retrieved', query, entries }],
      }
    },
  })

const record = tool({
  ...look,
  name: memoryRecordName,
  label: 'Record in memory',
  keywords: ['remember', 'memorize', 'memory', 'note', 'store', 'save', 'learn'],
  description:
    'Notes facts for later conversations with this user: preferences, names, decisions. Write each so that it can be understood alone. Never note passwords or other secrets.',
  risk: 'write',
  // What is recorded is an event of the run, once for each call; the policy `taint` counts it as an effect.
  effect: 'idempotent',
  aliases: ['record_to_memory'],
  argumentAliases: { content: 'notes', entries: 'notes', facts: 'notes' },
  input: z.object({
    notes: z
      .array(z.string().min(1).max(maxMemoryChars))
      .min(1)
      .max(20)
      .describe('One fact each, as a whole sentence.'),
  }),
  async run({ notes }, { ports }): Promise<ToolOutput> {
    const { problem } = ports.memory
    if (problem !== undefined) return refuse(problem, 'no_memory')
    const texts = [...new Set(notes.map((each) => each.trim()))].filter((each) => each !== '')
    if (texts.length === 0) return refuse('There is nothing to record: every note is empty.', 'empty')
    const said = texts.length === 1 ? 'Recorded 1 note.' : `Recorded ${texts.length} notes.`
    return { ok: true, blocks: [{ type: 'text', text: said }], recall: [{ type: 'memory.recorded', texts }] }
  },
})

const settings = z.object({
  mode: z.enum(['both', 'agent', 'static']).default('both').meta({
    title: 'Works',
    description:
      'agent: the model records and searches with two tools. static: each run starts with the notes that fit its question, and its question and answer are recorded at its end. both: all of that.',
  }),
  limit: z.int().min(1).max(20).default(5).meta({
    title: 'Notes at most',
    description: 'How many notes a run starts with, and a search returns.',
  }),
})

const names = [memorySearchName, memoryRecordName]

export const memory: Toolkit<typeof settings> = {
  id: 'memory',
  label: 'Memory',
  group: 'Memory and knowledge',
  help: 'What the agent remembers from one conversation to the next, kept for each user. People can see, change and forget it on the agent’s memory page.',
  keywords: ['memory', 'remember', 'long-term', 'notes', 'personal', 'user', 'recall', 'forget'],
  icon: 'brain',
  family: 'memory',
  settings,
  // A policy covers both tools in every mode, so that a change of the mode leaves no policy without a tool.
  scope: { choice: { key: 'mode', names: { both: names, agent: names, static: names } } },
  tools: [search(5), record],
  open: async ({ mode, limit = 5 }): Promise<readonly Tool[]> =>
    mode === 'static' ? [] : [search(limit), record],
  recall: {
    async atStart({ mode, limit = 5 }, { query, agent }, { memory: port }, signal) {
      if (mode === 'agent') return undefined
      const { problem } = port
      if (problem !== undefined) return { type: 'memory.retrieved', query, entries: [], problem }
      const entries = await port.search({ agent, query, limit }, signal)
      return { type: 'memory.retrieved', query, entries: [...entries] }
    },
    records: ({ mode }) => mode !== 'agent',
  },
}
