/** The tool `skill.run`: runs a script of a skill over the files of the thread, behind the best wall of the server. */
import { z } from 'zod'
import { runPython } from '#lib/spec/python'
import { runScript } from '#lib/spec/script'
import { type SkillFacts, type SkillSettings, scriptKindOf, skillFolder, skillRunName } from '#lib/spec/skill'
import { refuse, type Tool, type ToolContext, type ToolOutput, tool } from '#lib/spec/tool'
import type { ReadOnlyFolder } from '#lib/spec/walls'
import { findSkill, namesOf, noFile, pathIn } from './skill-load'

export function skillRun(skills: readonly SkillSettings[]): Tool {
  return tool({
    name: skillRunName,
    label: 'Run a script of a skill',
    description:
      'Runs a Python or shell script of a skill in a sandbox and gives its exit code and output. It begins in a copy of the workspace, where what it makes or changes is kept when it ends by itself; the files of the skill are in /skills/<name>, which it can only read. There is no network, and nothing can be installed.',
    icon: 'graduation-cap',
    risk: 'write',
    asksFirst: true,
    timeoutSeconds: 60,
    aliases: ['run_skill_script'],
    argumentAliases: { name: 'skill', path: 'script', file: 'script', arguments: 'args' },
    input: z.object({
      skill: z.enum(namesOf(skills)).meta({ title: 'Skill', description: 'The name of the skill.' }),
      script: z.string().min(1).max(1_024).meta({
        title: 'Script',
        description: 'A script of the skill, as in "scripts/check.py".',
      }),
      args: z.array(z.string().max(16_384)).max(100).default([]).meta({
        title: 'Arguments',
        description: 'What the script gets on its command line; paths are relative to the workspace.',
      }),
    }),
    run: async ({ skill: name, script, args }, context) => {
      const found = findSkill(skills, name, context)
      return 'facts' in found ? runPart(found.facts, { script, args }, context) : found
    },
  })
}

interface Asked {
  readonly script: string
  readonly args: readonly string[]
}

async function runPart(
  facts: SkillFacts,
  { script, args }: Asked,
  context: ToolContext,
): Promise<ToolOutput> {
  const path = pathIn(facts, script)
  if (!facts.files.some((each) => each.path === path)) return refuse(noFile(facts, script), 'not_found')
  const kind = scriptKindOf(path)
  if (kind === undefined)
    return refuse(`“${path}” cannot be run: only Python (.py) and shell scripts (.sh) can.`, 'not_a_script')
  const folder = skillFiles(facts, context)
  if (folder === undefined)
    return refuse(`The files of the skill “${facts.name}” cannot be read now. Try again.`, 'unavailable')
  const at = `${folder.at}/${path}`
  const readOnly = [folder]
  const output =
    kind === 'shell'
      ? await runScript(
          { kind, source: ['bash', at, ...args].map(quoted).join(' '), mayWrite: true, readOnly },
          context,
        )
      : await runPython(
          {
            source: pythonOf(at, args),
            args: {},
            mode: 'script',
            mayNote: false,
            mayWrite: true,
            name: `${skillRunName} ${facts.hash}`,
            readOnly,
          },
          context,
        )
  return { ...output, metadata: { ...output.metadata, skill: facts.name, hash: facts.hash, script: path } }
}

/** Undefined if a file of this version is gone. */
function skillFiles({ name, hash, files }: SkillFacts, { ports }: ToolContext): ReadOnlyFolder | undefined {
  const contents = new Map<string, Uint8Array>()
  for (const { path } of files) {
    const content = ports.skills.read(hash, path)
    if (content === undefined) return undefined
    contents.set(path, content)
  }
  return { at: skillFolder(name), files: contents }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Runs the file as the main program, as `python3 file` does. JSON texts are texts of Python as well. */
function pythonOf(at: string, args: readonly string[]): string {
  const text = (value: string) => JSON.stringify(value)
  return `import runpy, sys
sys.argv = [${[at, ...args].map(text).join(', ')}]
sys.path.insert(0, ${text(at.slice(0, at.lastIndexOf('/')))})
_ = runpy.run_path(sys.argv[0], run_name='__main__')
`
}
