/** The agent config, version 1: its fixed part, and how the parts' own schemas complete it. */
import { z } from 'zod'
import { type Canvas, canvas } from './canvas'
import { overweight, type PatternList } from './glob'
import { basicGroup, type GroupSettings, group, groupFaults, groupKey, groupName } from './group'
import { atMost, type JsonObject, type JsonValue, jsonObject } from './json'
import type { Provider } from './model'
import type { Policy } from './policy'
import type { Locale, Protocol } from './protocol'
import { mostSkills, type SkillSettings, skill, skillFaults } from './skill'
import { type Effect, effect, type Risk, risk, type Tool, type ToolRetry } from './tool'
import type { OnDuplicate } from './tool-names'
import { toolViewKeys } from './tool-view'
import type { Toolkit } from './toolkit'

export {
  type Canvas,
  canvas,
  entryPath,
  frame,
  look,
  type Note,
  nodeTitle,
  note,
  type Parked,
  parked,
  position,
} from './canvas'

export const schemaUrn = 'urn:loopwright:agent:1'

/** Written even when it equals its default. */
const always = { always: true }

const agentNameForm = 'lowercase letters, digits and single hyphens, as in "retail-analyst"'

export const agentName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, agentNameForm)

/** A glob over tool names: `*` matches any run of characters, every other character only itself. */
export const glob = z.string().min(1).max(256)

/** The most globs in one list. */
export const mostGlobs = 500
/** The most tools with preset arguments, in one entry and in all entries together. */
const mostPresets = 500
const mostPresetsInAll = 5_000

/** The agent node's own keys, in order. */
export const agentKeys = {
  name: agentName.meta({
    title: 'Name',
    description:
      'Unique on a server. It follows the title until it is changed here or a version is published.',
    // What the pattern asks for, in words; used in diagnostics.
    form: agentNameForm,
  }),
  title: z.string().max(200).default('').meta({ title: 'Title' }),
  description: z.string().max(1024).default('').meta({ title: 'Description', format: 'multiline' }),
  instructions: z.string().max(262_144).default('').meta({
    title: 'Instructions',
    description: 'Sent to the model first. Only {{date}} and {{name}} are replaced.',
    format: 'multiline',
  }),
  nextStepPrompt: z.string().max(65_536).default('').meta({
    title: 'Next-step prompt',
    description: 'Sent to the model before each further step, after the results. Nothing is sent when empty.',
    format: 'multiline',
  }),
  interruptReply: z.string().max(4_096).default('').meta({
    title: 'Reply when cancelled',
    description:
      'Ends the answer when a person cancels a run, after what the model had written. The next question of the thread includes it. Nothing is added when empty.',
    format: 'multiline',
  }),
}

/** Keys that any entry of `tools` may have in addition to its own. */
export const commonToolKeys = {
  preset: atMost(z.record(z.string().max(256), jsonObject), mostPresets)
    .default({})
    .meta({
      title: 'Preset arguments',
      description: 'By tool name: values the model neither sees nor can change.',
      format: 'preset',
    }),
  timeoutSeconds: z.number().positive().max(86_400).optional().meta({
    title: 'Time limit',
    unit: 's',
    description: 'Replaces the tool’s own; the timeout policy caps both.',
  }),
  cache: z.boolean().default(false).meta({
    title: 'Cache',
    description:
      'An equal call in the same run gets the result of the first. Applies to tools that only read, until one that may change something has run.',
  }),
  risk: risk.optional().meta({
    title: 'Risk',
    description:
      'Raises how much harm the tools can do. JavaScript tools may also be lowered to read: then they cannot write files. Of the tools of an MCP server nothing is known, so any risk may be set.',
  }),
  effect: effect.optional().meta({
    title: 'Effect',
    description:
      'What a call does: read changes nothing, idempotent may run twice, effect must not run twice. Follows the risk unless set.',
  }),
  ...toolViewKeys,
}

/** The most groups of one agent. */
const mostGroups = 50

/** What the answer must fit. */
export const output = z
  .strictObject({
    schema: jsonObject.meta({
      title: 'Schema',
      description:
        'A JSON Schema. The answer is JSON that fits it; one that does not is asked for again, three times at most.',
      format: 'schema',
    }),
  })
  .meta({ title: 'Output' })

export const appliesTo = z.array(glob).min(1).max(mostGlobs).optional().meta({
  title: 'Applies to',
  description: 'Patterns over tool names; without them, all tools.',
  format: 'globs',
})

/** Every part of a program, of each kind in the order in which it is listed. */
export interface Parts extends ConfigParts {
  readonly tools: readonly Tool[]
}

/** The parts whose settings stand in a config. */
export interface ConfigParts {
  readonly toolkits: readonly Toolkit[]
  readonly policies: readonly Policy[]
  readonly providers: readonly Provider[]
  readonly protocols: readonly Protocol[]
}

export interface ModelSettings {
  provider: string
  name: string
  [key: string]: JsonValue | undefined
}
export interface OutputSettings {
  schema: JsonObject
}
export interface ProtocolSettings {
  format: string
  resultPlacement: string
  locale: Locale
}
export interface ToolEntry {
  use: string
  preset: Record<string, JsonObject>
  timeoutSeconds?: number
  cache?: boolean
  risk?: Risk
  effect?: Effect
  /** Absent or `basic` when the entry is in no group of the config. */
  group?: string
  /** By tool name; a toolkit of a single tool may have a text of its own here. */
  description?: string | Record<string, string>
  rename?: Record<string, string>
  example?: Record<string, string>
  retry?: ToolRetry
  final?: boolean
  background?: boolean
  pick?: Record<string, string>
  xml?: Record<string, string>
  onDuplicate?: OnDuplicate
  weight?: Record<string, number>
  core?: Record<string, boolean>
  visible?: Record<string, boolean>
  [key: string]: unknown
}
export interface PolicyEntry {
  use: string
  appliesTo?: string[]
  [key: string]: unknown
}

/** A parsed config with every default filled in. The canonical form is made from the JSON, not from this. */
export interface AgentConfig {
  $schema: string
  version: 1
  name: string
  title: string
  description: string
  instructions: string
  nextStepPrompt: string
  interruptReply: string
  model?: ModelSettings
  protocol?: ProtocolSettings
  tools: ToolEntry[]
  policies: PolicyEntry[]
  groups: GroupSettings[]
  skills: SkillSettings[]
  output?: OutputSettings
  canvas: Canvas
}

/** Used when `model` is absent. */
export const defaultModel: ModelSettings = { provider: 'scripted', name: 'demo' }

/** The format of a config that names none. */
export const defaultFormat = 'native'

/** The settings of one provider's model node, `provider` first. */
export function modelSchema({ id, label, settings }: Provider): z.ZodObject {
  return z.strictObject({ provider: z.literal(id).meta(always), ...settings.shape }).meta({ title: label })
}

/** The settings of one protocol node. Its format decides which placements exist and which is the default. */
export function protocolSchema({ id, label, placements: [first, ...others] }: Protocol): z.ZodObject {
  const format = z.literal(id).meta({ title: 'Format' })
  if (first === undefined) throw new Error(`the protocol ${id} has no placement`)
  const settings = z.strictObject({
    // `protocol: {}` means this format, and so does an absent `protocol`.
    format: id === defaultFormat ? format.default(id) : format,
    resultPlacement: z
      .enum([first, ...others])
      .default(first)
      .meta({
        title: 'Results go',
        description: 'Where the model reads what its calls returned.',
      }),
    locale: z.enum(['en', 'zh']).default('en').meta({
      title: 'Language',
      description: 'The language of the format’s own text to the model; native has none.',
    }),
  })
  return settings.meta({ title: label })
}

export function toolEntrySchema(toolkit: Toolkit): z.ZodObject {
  return z.strictObject({
    use: z.literal(toolkit.id).meta(always),
    ...toolEntryShape(toolkit),
    [groupKey]: groupName.default(basicGroup),
  })
}

/** What a person sets: the toolkit's own keys, then the common ones; the group follows from the wires. A key of the toolkit takes the place of a common one. */
export function toolEntryShape({ settings }: Toolkit): z.ZodRawShape {
  const common = Object.entries(commonToolKeys).filter(([key]) => !Object.hasOwn(settings.shape, key))
  return { ...settings.shape, ...Object.fromEntries(common) }
}

export function policyEntrySchema(policy: Policy): z.ZodObject {
  const entry = z.strictObject({
    use: z.literal(policy.id).meta(always),
    ...(policy.scoped ? { appliesTo } : {}),
    ...policy.settings.shape,
  })
  if (policy.refuses === undefined) return entry
  return entry.superRefine(({ use: _, ...given }, context) => {
    const { appliesTo: globs, ...settings } = given as PolicyEntry // cast: an entry of this policy has been read
    const refusal = policy.refuses?.(settings, globs)
    if (refusal !== undefined) context.addIssue({ code: 'custom', message: refusal, path: ['appliesTo'] })
  })
}

/** Composes the one schema of a config from the parts; unknown keys are errors that name their path. */
export function configSchema(parts: ConfigParts): z.ZodType<AgentConfig> {
  const schema = z.strictObject({
    $schema: z.literal(schemaUrn).default(schemaUrn).meta(always),
    version: z.literal(1).default(1).meta(always),
    ...agentKeys,
    model: oneOf('provider', parts.providers.map(modelSchema)).optional(),
    protocol: oneOf('format', parts.protocols.map(protocolSchema)).optional(),
    tools: z
      .array(oneOf('use', parts.toolkits.map(toolEntrySchema)))
      .max(200)
      .default([]),
    policies: z
      .array(oneOf('use', parts.policies.map(policyEntrySchema)))
      .max(200)
      .default([]),
    groups: z.array(group).max(mostGroups).default([]),
    skills: z.array(skill).max(mostSkills).default([]),
    output: output.optional(),
    canvas: canvas.default({ at: {}, look: { frames: [], titles: {} }, notes: [], parked: [] }),
  })
  const listsOf = patternListsOf(parts)
  const bounded = schema.superRefine((config, context) => {
    const read = config as unknown as AgentConfig // cast: every entry has been read
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', message, path: path.split('/') })
    const heavy = overweight(listsOf(read))
    if (heavy !== undefined) refuse(heavy.list.path, heavy.message)
    const preset = presetTooMany(read)
    if (preset !== undefined)
      refuse(preset, `All entries together may preset at most ${mostPresetsInAll} tools`)
    for (const { path, message } of [...groupFaults(read), ...skillFaults(read.skills)]) refuse(path, message)
  })
  return bounded as unknown as z.ZodType<AgentConfig> // cast: the parts' own keys are known only at run time
}

/** The path of the first entry whose presets bring the total over the limit. */
function presetTooMany({ tools }: AgentConfig): string | undefined {
  let count = 0
  const index = tools.findIndex(({ preset }) => {
    count += Object.keys(preset).length
    return count > mostPresetsInAll
  })
  return index < 0 ? undefined : `tools/${index}/preset`
}

/** The lists of patterns in a config: those that the settings of its parts mark as such. */
function patternListsOf({
  toolkits,
  policies,
}: ConfigParts): (config: AgentConfig) => Generator<PatternList> {
  const keysOf = (shape: z.ZodRawShape) =>
    Object.entries(shape).flatMap(([key, each]) => (isPatterns(each) ? [key] : []))
  const keys = {
    tools: new Map(toolkits.map(({ id, settings }) => [id, keysOf(settings.shape)])),
    policies: new Map(policies.map(({ id, settings }) => [id, keysOf({ appliesTo, ...settings.shape })])),
  }
  return function* (config) {
    for (const list of ['tools', 'policies'] as const) {
      for (const [index, entry] of config[list].entries()) {
        for (const key of keys[list].get(entry.use) ?? []) {
          const globs = entry[key]
          if (Array.isArray(globs)) yield { path: `${list}/${index}/${key}`, globs }
        }
      }
    }
  }
}

function isPatterns(schema: z.core.$ZodType): boolean {
  const { format, patterns } = z.globalRegistry.get(schema) ?? {}
  return format === 'globs' || patterns === true
}

function oneOf(key: string, options: z.ZodObject[]): z.ZodType {
  const [first, ...rest] = options
  if (first === undefined) throw new Error(`no part offers a ${key}`)
  return z.discriminatedUnion(key, [first, ...rest])
}
