/** The toolkit of a single tool that gives a task to another agent, which works on it in a run inside the call. */
import { z } from 'zod'
import type { AgentVersion, CallableAgent, NamedAgent } from '#lib/spec/agents-port'
import { agentName } from '#lib/spec/config'
import { type Tool, tool } from '#lib/spec/tool'
import type { ToolClass } from '#lib/spec/tool-class'
import type { EntryListing, Toolkit } from '#lib/spec/toolkit'

/** Until a run begins, nothing is known of what the agent can do. */
const toolClass: ToolClass = { risk: 'write', effect: 'effect', isAssumed: true }

const timeoutSeconds = 3_600

const settings = z.object({
  agent: agentName.meta({
    title: 'Agent',
    description: 'The agent that gets the task, by its name.',
    format: 'agent',
    form: 'the name of an agent, as in "researcher"',
  }),
  version: z
    .union([z.enum(['published', 'draft']), z.int().positive()])
    .default('published')
    .meta({
      title: 'Version',
      description:
        'published is the newest published version, draft the agent as it is drawn now, and a number one published version.',
      format: 'agent-version',
    }),
  workspace: z.enum(['own', 'shared']).default('own').meta({
    title: 'Works in',
    description:
      'own: a folder of its own inside the files of the thread, one for each call. shared: the files of the thread themselves.',
  }),
})

type Entry = z.output<typeof settings>

export const agent: Toolkit<typeof settings> = {
  id: 'agent',
  label: 'Another agent',
  group: 'Agents',
  help: 'Gives tasks to another agent, as a tool of this one. It works with its own model, tools and rules, inside the call, and its answer is the result.',
  keywords: [
    'agent',
    'sub-agent',
    'subagent',
    'delegate',
    'team',
    'worker',
    'handoff',
    'multi',
    'orchestrate',
  ],
  icon: 'bot',
  family: 'tool',
  settings,
  scope: { name: 'agent' },
  toolClass,
  initial: { agent: 'researcher' },
  open: async (entry) => [toolOf(entry)],
  now: async ({ version = 'published', workspace = 'own', ...entry }, ports) => {
    const found = await ports.agents.find({ agent: entry.agent, version })
    return typeof found === 'string'
      ? lacking(entry.agent, found)
      : listed({ ...entry, version, workspace }, found)
  },
}

/** The agents that a config names, with the place of each. */
export function agentsNamedIn(config: {
  readonly tools?: readonly { readonly use?: unknown }[] | undefined
}): (NamedAgent & { readonly path: string })[] {
  return (config.tools ?? []).flatMap((entry, index) => {
    const read = entry.use === agent.id ? settings.safeParse(entry).data : undefined
    return read === undefined ? [] : [{ agent: read.agent, version: read.version, path: `tools/${index}` }]
  })
}

/** The key of an agent among those that a run may call. */
export function agentKey({ agent: name, version }: { agent: string; version: AgentVersion }): string {
  return `${name}@${version}`
}

/** By the reason, so that the same listing is given as long as nothing has changed. */
const lacks = new Map<string, EntryListing>()
const mostLacks = 200

function lacking(name: string, reason: string): EntryListing {
  const key = `${name}\n${reason}`
  const known = lacks.get(key)
  if (known !== undefined) return known
  const made = { tools: [], withheld: [{ name, reason }], reason }
  const [oldest] = lacks.keys()
  if (lacks.size >= mostLacks && oldest !== undefined) lacks.delete(oldest)
  lacks.set(key, made)
  return made
}

const listings = new WeakMap<CallableAgent, Map<string, EntryListing>>()

function listed(entry: Entry, found: CallableAgent): EntryListing {
  const made = listings.get(found) ?? new Map<string, EntryListing>()
  listings.set(found, made)
  const key = JSON.stringify(entry)
  const known = made.get(key) ?? {
    tools: [toolOf(entry, found)],
    withheld: [],
    reason: `${found.name} can be called`,
  }
  made.set(key, known)
  return known
}

/** The arguments of a call of an agent. */
export const agentInput = z.object({
  task: z
    .string()
    .min(1)
    .max(100_000)
    .describe(
      'What to do, with everything that is needed for it. The agent sees nothing else of this dialogue.',
    ),
  files: z
    .array(z.string().min(1).max(1_024))
    .max(20)
    .optional()
    .describe('Paths of files to give with the task. The agent gets copies.'),
})

function toolOf(
  { agent: name, version = 'published', workspace = 'own' }: Pick<Entry, 'agent'> & Partial<Entry>,
  found?: CallableAgent,
): Tool {
  return {
    ...tool({
      name,
      label: name,
      description: descriptionOf(name, found),
      icon: 'bot',
      risk: found?.risk ?? toolClass.risk,
      effect: found?.effect ?? toolClass.effect,
      timeoutSeconds,
      input: agentInput,
      run: ({ task, files = [] }, context) =>
        context.ports.agents.run({ agent: name, version, workspace, task, files }, context),
    }),
    isAssumed: true,
    resumable: true,
  }
}

function descriptionOf(name: string, found: CallableAgent | undefined): string {
  const said = found?.description.trim() || `Gives a task to the agent ${name}.`
  const form = found?.output === undefined ? 'text' : 'JSON'
  return `${said}\n\nThis is another agent. It works on the task by itself and answers in ${form}.`
}
