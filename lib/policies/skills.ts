/** The policy `skills`: which tools an agent may use, by allowed and denied names; a denial always wins. */
import { z } from 'zod'
import { glob, mostGlobs } from '#lib/spec/config'
import { matchesAny, matchesGlob } from '#lib/spec/glob'
import type { Policy, Ruling, Stage } from '#lib/spec/policy'
import { equipName, findToolsName, getBackName } from '#lib/spec/tool'

const settings = z.object({
  allow: z.array(glob).max(mostGlobs).default([]).meta({
    title: 'Allow',
    description: 'Patterns over tool names. With any here, only these tools may be used.',
    format: 'globs',
  }),
  deny: z.array(glob).max(mostGlobs).default([]).meta({
    title: 'Deny',
    description: 'Patterns over tool names that may never be used, allowed or not.',
    format: 'globs',
  }),
})

export const skills: Policy<typeof settings> = {
  id: 'skills',
  label: 'Allow or deny tools',
  help: 'Says which tools the agent may use. A denied tool is hidden from the model, and refused if the model calls it anyway.',
  keywords: [
    'skills',
    'block',
    'deny',
    'allow',
    'forbid',
    'permission',
    'permit',
    'guard',
    'restrict',
    'disable',
    'blacklist',
    'whitelist',
    'never',
  ],
  icon: 'shield',
  settings,
  scoped: false,
  inside: (settings) => (settings.deny.length === 0 ? undefined : { ...settings, allow: [] }),
  stages: ['skills.deny', 'skills.allow'],
  says({ allow, deny }) {
    const only = allow.length > 0 && `Only ${listGlobs(allow)} may be used`
    const never = deny.length > 0 && `${listGlobs(deny)} never`
    if (only !== false) return never === false ? only : `${only}, ${never}`
    return never === false ? undefined : `${listGlobs(deny)} may never be used`
  },
  rule({ allow, deny }, stage, question) {
    const name = question.tool.scopeName
    return stage === 'skills.deny' ? denialOf(deny, name) : notAllowed(allow, stage, name)
  },
}

function denialOf(deny: readonly string[], name: string): Ruling | undefined {
  // This runs for every tool in every step. `matchesAny` caches its result for each name; the list is
  // searched again only for the reason.
  if (!matchesAny(deny, name)) return undefined
  return { verdict: 'deny', reason: `skills denies ${deny.find((each) => matchesGlob(each, name))}` }
}

function notAllowed(allow: readonly string[], stage: Stage, name: string): Ruling | undefined {
  // These give nothing that is not allowed, so only a denial takes them away.
  const isFree = name === equipName || name === getBackName || name === findToolsName
  if (stage !== 'skills.allow' || allow.length === 0 || isFree || matchesAny(allow, name)) return undefined
  return { verdict: 'deny', reason: `skills allows only ${listGlobs(allow)}` }
}

/** The reason is stored with every denied call, so a long list is shortened. */
function listGlobs(globs: readonly string[]): string {
  const shown = globs.slice(0, 5).join(', ')
  return globs.length > 5 ? `${shown} and ${globs.length - 5} more` : shown
}
