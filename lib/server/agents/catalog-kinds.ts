/** Node kinds as data, made from the parts: what can be drawn, its ports, place in the config and schema. */
import { z } from 'zod'
import {
  agentKeys,
  appliesTo,
  defaultModel,
  modelSchema,
  output,
  type Parts,
  protocolSchema,
  toolEntryShape,
} from '#lib/spec/config'
import { group } from '#lib/spec/group'
import { toJsonSchema } from '#lib/spec/json'
import type { InPort, NodeKind } from '#lib/spec/kind'
import type { Policy } from '#lib/spec/policy'
import { skill } from '#lib/spec/skill'
import type { Toolkit } from '#lib/spec/toolkit'

const policiesPort: InPort = { name: 'policies', accepts: 'policy', many: true }

/** In the order of the palette: the agent, what it needs, tools, policies. */
export function nodeKinds(parts: Parts): NodeKind[] {
  return [
    agentKind,
    modelKind(parts),
    protocolKind(parts),
    ...parts.toolkits.map(toolKind),
    ...parts.policies.map(policyKind),
    groupKind,
    skillKind,
    outputKind,
  ]
}

const agentKind: NodeKind = {
  kind: 'agent',
  label: 'Agent',
  help: 'The agent’s name and instructions. Its model, call format, tools and policies are wired to it.',
  keywords: ['assistant', 'bot', 'instructions', 'persona', 'prompt', 'system'],
  icon: 'bot',
  family: 'agent',
  place: { at: 'root' },
  in: [
    { name: 'model', accepts: 'model', many: false },
    { name: 'protocol', accepts: 'protocol', many: false },
    { name: 'tools', accepts: 'tool', many: true },
    policiesPort,
    { name: 'groups', accepts: 'group', many: true },
    { name: 'skills', accepts: 'skill', many: true },
  ],
  out: 'output',
  schema: toJsonSchema(z.strictObject(agentKeys)),
  initial: { name: 'new-agent', title: 'New agent' },
}

const groupKind: NodeKind = {
  kind: 'group',
  label: 'Tool group',
  help: 'Tools that the model switches on and off together. While the group is off, its tools take no room in the request.',
  keywords: ['group', 'set', 'equip', 'activate', 'switch', 'toolset', 'many'],
  icon: 'boxes',
  family: 'tool',
  place: { at: 'list', key: 'groups' },
  out: 'group',
  in: [{ name: 'tools', accepts: 'tool', many: true }],
  schema: toJsonSchema(group),
  initial: { name: 'more-tools' },
}

const skillKind: NodeKind = {
  kind: 'skill',
  label: 'Skill',
  help: 'Instructions for one kind of task, with files and scripts: the model reads them when a task needs them. Skills are imported under Settings → Skills.',
  keywords: ['skill', 'skill.md', 'ability', 'instructions', 'procedure', 'how-to', 'playbook', 'scripts'],
  icon: 'graduation-cap',
  family: 'memory',
  place: { at: 'list', key: 'skills' },
  out: 'skill',
  in: [],
  schema: toJsonSchema(skill),
  initial: {},
}

const outputKind: NodeKind = {
  kind: 'output',
  label: 'Output',
  help: 'The answer as JSON that fits a schema, so that a program can read it.',
  keywords: ['json', 'schema', 'structured', 'typed', 'format', 'response'],
  icon: 'braces',
  family: 'output',
  place: { at: 'object', key: 'output' },
  in: [{ name: 'output', accepts: 'output', many: false }],
  schema: toJsonSchema(output),
  initial: {
    schema: {
      type: 'object',
      properties: { answer: { type: 'string' } },
      required: ['answer'],
      additionalProperties: false,
    },
  },
}

function modelKind({ providers }: Parts): NodeKind {
  const [first, ...rest] = providers.map(modelSchema)
  if (first === undefined) throw new Error('no part offers a provider')
  return {
    kind: 'model',
    label: 'Model',
    help: 'Which model answers, and how. Without this part the scripted demo answers, which is not AI.',
    keywords: ['llm', 'ai', 'provider', ...providers.flatMap(keywordsOf)],
    icon: 'brain',
    family: 'model',
    place: { at: 'object', key: 'model' },
    out: 'model',
    in: [],
    schema: toJsonSchema(z.discriminatedUnion('provider', [first, ...rest])),
    initial: { ...defaultModel },
  }
}

function keywordsOf({ id, label, keywords = [] }: Parts['providers'][number]): string[] {
  return [id, label, ...keywords].map((each) => each.toLowerCase())
}

function protocolKind({ protocols }: Parts): NodeKind {
  const [first, ...rest] = protocols.map(protocolSchema)
  if (first === undefined) throw new Error('no part offers a protocol')
  return {
    kind: 'protocol',
    label: 'Call format',
    help: 'How tools are described to the model, and how its calls are read back.',
    keywords: ['protocol', 'function', 'calling', 'native', 'xml', 'json', 'parse'],
    icon: 'arrow-left-right',
    family: 'model',
    place: { at: 'object', key: 'protocol' },
    out: 'protocol',
    in: [],
    schema: toJsonSchema(z.discriminatedUnion('format', [first, ...rest])),
    initial: {},
  }
}

function toolKind(toolkit: Toolkit): NodeKind {
  return {
    kind: `tool:${toolkit.id}`,
    label: toolkit.label,
    help: toolkit.help,
    ...(toolkit.keywords && { keywords: toolkit.keywords }),
    ...(toolkit.group !== undefined && { group: toolkit.group }),
    icon: toolkit.icon,
    family: toolkit.family,
    place: { at: 'list', key: 'tools' },
    use: toolkit.id,
    out: 'tool',
    in: [policiesPort],
    schema: toJsonSchema(z.strictObject(toolEntryShape(toolkit))),
    initial: toolkit.initial ?? {},
    scope: toolkit.scope,
    ...(toolkit.toolClass && { toolClass: toolkit.toolClass }),
    ...(toolkit.classChoice && { classChoice: toolkit.classChoice }),
    ...(toolkit.walledBy !== undefined && { walledBy: toolkit.walledBy }),
  }
}

function policyKind(policy: Policy): NodeKind {
  return {
    kind: `policy:${policy.id}`,
    label: policy.label,
    help: policy.help,
    ...(policy.keywords && { keywords: policy.keywords }),
    icon: policy.icon,
    family: 'policy',
    place: { at: 'list', key: 'policies' },
    use: policy.id,
    out: 'policy',
    in: [],
    schema: toJsonSchema(
      z.strictObject({ ...(policy.scoped ? { appliesTo } : {}), ...policy.settings.shape }),
    ),
    initial: policy.initial ?? {},
    scoped: policy.scoped,
    ...(policy.lastWins === undefined ? {} : { lastWins: policy.lastWins }),
  }
}
