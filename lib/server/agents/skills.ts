/** The skills of a config as a run uses them: the tools that read and run them, and which of them can be used now. */
import type { AgentConfig } from '#lib/spec/config'
import {
  type SkillFacts,
  type SkillLine,
  type SkillSettings,
  scriptKindOf,
  skillLoadName,
  skillRunName,
} from '#lib/spec/skill'
import { skillFault } from '#lib/spec/skill-port'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool, WithheldByToolkit } from '#lib/spec/toolkit'
import { bindTool } from '#lib/toolkits/entry'
import { skillLoad } from '#lib/tools/skill-load'
import { skillRun } from '#lib/tools/skill-run'

/** What skills give a run now; the same object while nothing has changed. */
export interface SkillsNow {
  readonly tools: readonly BoundTool[]
  readonly withheld: readonly WithheldByToolkit[]
  readonly lines: readonly SkillLine[]
  /** Why it changed last, in words for a person. */
  readonly reason: string
}

export interface BoundSkills {
  /** All tools that the skills could give. */
  readonly tools: readonly BoundTool[]
  /** For one run. Absent when the config has no skills. */
  lister?(ports: Pick<ToolPorts, 'skills' | 'sandbox'>): () => Promise<SkillsNow>
}

/** What is withheld on account of skills has this in the place of a policy. */
export const skillSource = 'skills'

export function bindSkills({ skills }: Pick<AgentConfig, 'skills'>): BoundSkills {
  if (skills.length === 0) return { tools: [] }
  const tools = [skillLoad(skills), skillRun(skills)].map((each) =>
    bindTool(each, { use: 'builtin', preset: {} }, 'agent'),
  )
  return {
    tools,
    lister: (ports) => {
      let known: { readonly key: string; readonly now: SkillsNow } | undefined
      return async () => {
        const now = await skillsNow(skills, tools, ports)
        const key = JSON.stringify([now.withheld, now.lines])
        if (known?.key !== key) known = { key, now }
        return known.now
      }
    },
  }
}

async function skillsNow(
  skills: readonly SkillSettings[],
  tools: readonly BoundTool[],
  ports: Pick<ToolPorts, 'skills' | 'sandbox'>,
): Promise<SkillsNow> {
  const withheld: WithheldByToolkit[] = []
  const usable: { readonly node: string; readonly facts: SkillFacts }[] = []
  for (const [index, entry] of skills.entries()) {
    const node = `skills/${index}`
    const reason = skillFault(ports.skills, entry)
    const facts = ports.skills.find(entry.name)
    if (reason !== undefined || facts === undefined)
      withheld.push({ name: `skill:${entry.name}`, node, source: skillSource, reason: reason ?? '' })
    else usable.push({ node, facts })
  }
  const off = new Map<string, string>()
  if (usable.length === 0) off.set(skillLoadName, 'none of the agent’s skills can be used')
  const noScripts = await scriptFault(
    usable.map(({ facts }) => facts),
    ports,
  )
  if (noScripts !== undefined) off.set(skillRunName, noScripts)
  for (const [name, reason] of off) withheld.push({ name, node: 'agent', source: skillSource, reason })
  return {
    tools: tools.filter(({ name }) => !off.has(name)),
    withheld,
    lines: usable.map(({ node, facts: { name, description } }) => ({ node, name, description })),
    reason: 'the skills of the agent, or what they need, have changed',
  }
}

/** Why no script can be run; undefined when one can. A skill without scripts tests no wall. */
async function scriptFault(
  skills: readonly SkillFacts[],
  { sandbox }: Pick<ToolPorts, 'sandbox'>,
): Promise<string | undefined> {
  const kinds = new Set(skills.flatMap(({ files }) => files.flatMap(({ path }) => scriptKindOf(path) ?? [])))
  if (kinds.size === 0) return 'no skill of the agent has a script'
  for (const kind of kinds) if ((await sandbox.wall(kind)) !== undefined) return undefined
  return 'no sandbox of this machine holds for the scripts of the skills'
}
