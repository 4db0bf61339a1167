/** The tool `skill.load`: reads the instructions of a skill of the agent, or one of its files. */
import { z } from 'zod'
import {
  type SkillFacts,
  type SkillSettings,
  scriptKindOf,
  skillLoadName,
  skillRunName,
} from '#lib/spec/skill'
import { skillFile } from '#lib/spec/skill-folder'
import { skillFault } from '#lib/spec/skill-port'
import { refuse, type Tool, type ToolContext, type ToolOutput, tool } from '#lib/spec/tool'
import { visible } from '#lib/spec/visible'

/**
 * A call gives whole lines up to this many characters, and at least one line. A longer line is shortened as every
 * long result is, so that the rest of it can be read with `observation.get`.
 */
const mostChars = 100_000

export function skillLoad(skills: readonly SkillSettings[]): Tool {
  return tool({
    name: skillLoadName,
    label: 'Read a skill',
    description: `Reads the instructions of a skill, with the list of its files, or one file of it. Read the instructions before a task that the skill’s description fits, then follow them as far as the user’s request and your own instructions go.`,
    icon: 'graduation-cap',
    risk: 'read',
    aliases: ['load_skill', 'read_skill'],
    argumentAliases: { name: 'skill', path: 'file' },
    input: z.object({
      skill: z.enum(namesOf(skills)).meta({ title: 'Skill', description: 'The name of the skill.' }),
      file: z
        .string()
        .min(1)
        .max(1_024)
        .optional()
        .meta({
          title: 'File',
          description: `A file of the skill, as in "references/format.md". Left out: ${skillFile} and the list of files.`,
        }),
      fromLine: z.int().min(1).optional().meta({ title: 'From line', description: 'Counted from 1.' }),
      toLine: z.int().min(1).optional().meta({ title: 'To line' }),
    }),
    run: async ({ skill: name, file, fromLine = 1, toLine }, context) => {
      const found = findSkill(skills, name, context)
      if (!('facts' in found)) return found
      const { facts } = found
      const at = file === undefined ? skillFile : pathIn(facts, file)
      const part = facts.files.find(({ path }) => path === at)
      if (part === undefined) return refuse(noFile(facts, file ?? skillFile), 'not_found')
      if (!part.isText)
        return refuse(
          `“${at}” is not text, so it cannot be read here. Scripts of the skill can use it.`,
          'not_text',
        )
      const content = context.ports.skills.read(facts.hash, part.path)
      if (content === undefined)
        return refuse(`“${at}” of the skill cannot be read now. Try again.`, 'unavailable')
      const whole = new TextDecoder().decode(content)
      const text = file === undefined ? withoutHead(whole) : whole
      const blocks = [
        { type: 'text' as const, text: portionOf(text, { fromLine, toLine }) },
        ...(file === undefined && fromLine === 1 ? [{ type: 'text' as const, text: listFiles(facts) }] : []),
      ]
      return { ok: true, blocks, metadata: { skill: name, hash: facts.hash, file: part.path } }
    },
  })
}

/** An agent with this tool has a skill at least. */
export function namesOf(skills: readonly SkillSettings[]): [string, ...string[]] {
  const [first = '', ...rest] = skills.map(({ name }) => name)
  return [first, ...rest]
}

/** The skill as the agent may use it, or why it may not. */
export function findSkill(
  skills: readonly SkillSettings[],
  name: string,
  { ports }: Pick<ToolContext, 'ports'>,
): { readonly facts: SkillFacts } | Extract<ToolOutput, { ok: false }> {
  const entry = skills.find((each) => each.name === name)
  const facts = ports.skills.find(name)
  if (entry === undefined || facts === undefined)
    return fail(`There is no skill “${name}” here any more.`, 'not_found')
  if (skillFault(ports.skills, entry) === undefined) return { facts }
  return fail(
    `The skill “${name}” has changed, and is off until a person has looked at the changes. Go on without it.`,
    'skill_changed',
  )
}

function fail(message: string, code: string): Extract<ToolOutput, { ok: false }> {
  return { ok: false, message, code }
}

/** A path as models write it: with the folder of the skill before it, or with `./`; one of the skill’s own stays. */
export function pathIn({ name, files }: Pick<SkillFacts, 'name' | 'files'>, given: string): string {
  if (files.some(({ path }) => path === given)) return given
  return given.replace(new RegExp(`^(/skills/)?${name}/|^\\./`), '')
}

export function noFile(facts: SkillFacts, file: string): string {
  const paths = facts.files.slice(0, 30).map(({ path }) => path)
  const more = facts.files.length - paths.length
  return `The skill “${facts.name}” has no file “${visible(file)}”. It has: ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** The instructions without their front matter, which the model has read as the skill's line. */
function withoutHead(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '').trim()
}

function portionOf(
  text: string,
  {
    fromLine,
    toLine = Number.MAX_SAFE_INTEGER,
  }: { readonly fromLine: number; readonly toLine?: number | undefined },
): string {
  const lines = text.split('\n')
  if (fromLine > lines.length) return `There is no line ${fromLine}: the text has ${lines.length} lines.`
  if (toLine < fromLine)
    return `Line ${toLine} comes before line ${fromLine}. Give toLine as ${fromLine} or more.`
  const wanted = lines.slice(fromLine - 1, toLine)
  let chars = 0
  const tooLong = wanted.findIndex((line, at) => {
    chars += line.length + 1
    return at > 0 && chars > mostChars
  })
  if (tooLong < 0) return wanted.join('\n')
  const last = fromLine + tooLong - 1
  return `${wanted.slice(0, tooLong).join('\n')}\n(These are lines ${fromLine} to ${last} of ${lines.length}. Read on with fromLine ${last + 1}.)`
}

function listFiles({ files }: SkillFacts): string {
  const others = files.filter(({ path }) => path !== skillFile)
  if (others.length === 0) return 'The skill has no other files.'
  const lines = others.map(({ path, bytes, isText }) => {
    const use =
      scriptKindOf(path) === undefined ? (isText ? [] : ['not text']) : [`script, for ${skillRunName}`]
    return `- ${path} (${[sizeOf(bytes), ...use].join(', ')})`
  })
  return `Files of the skill:\n${lines.join('\n')}`
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 102.4) / 10} KB`
}
