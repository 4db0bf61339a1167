/** `loopwright skills`: says what a skill is, and imports, lists and removes those of a data folder. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { packFolder } from '#lib/sandbox/skill-disk'
import { mostArchiveBytes, readSkillArchive, type SkillPackage } from '#lib/sandbox/skills'
import { dataFolderOf, rootOf } from '#lib/server/environment/environment'
import { withDataStores } from '#lib/server/ports/data-stores'
import { fullFault, keptVersions } from '#lib/server/ports/skills'
import type { Result } from '#lib/spec/errors'
import type { SkillFacts } from '#lib/spec/skill'
import type { SkillStore } from '#lib/spec/skill-store'
import { type CliCommand, exit, type Given, readArguments, refuse, textOption } from './command'
import type { Terminal } from './terminal'

const actions = ['check', 'list', 'add', 'remove'] as const
type Action = (typeof actions)[number]

export const skills: CliCommand = {
  name: 'skills',
  usage:
    'skills check <folder or zip> | skills list | skills add <folder or zip> [--replace] | skills remove <name>  [--data folder]',
  help: 'check reads a skill and prints what an agent’s file says of it: its name and the hash of its files. list, add and remove are for the skills of a data folder that no server is using; a server that runs has them under Settings → Skills. add refuses a skill that is there with other files unless --replace is given.',
  async run(args, terminal) {
    const [word, ...rest] = args
    const action = actions.find((each) => each === word)
    if (action === undefined) return refuse(terminal, skills, 'Say check, list, add or remove.')
    const options = { data: { type: 'string' }, replace: { type: 'boolean' } } as const
    const given = readArguments(rest, options, wordsOf(action))
    if (!given.ok) return refuse(terminal, skills, given.error)
    const [what = ''] = given.value.words
    if (action === 'check') return check(what, terminal)
    return withSkills(given.value, terminal, (store) => {
      switch (action) {
        case 'list':
          return list(store, terminal)
        case 'add':
          return add(what, { store, terminal, replaces: given.value.options.replace === true })
        case 'remove':
          return remove(what, store, terminal)
        default:
          return action satisfies never
      }
    })
  },
}

function wordsOf(action: Action): string[] {
  if (action === 'list') return []
  return action === 'remove' ? ['name of the skill'] : ['folder or zip']
}

async function check(what: string, terminal: Terminal): Promise<number> {
  const read = await readSkill(what, terminal)
  if (!read.ok) return tell(terminal, read.error, exit.badInput)
  const { name, hash, description, files, allowedTools } = read.value.facts
  terminal.err(`${description}\n${files.length} ${files.length === 1 ? 'file' : 'files'}\n`)
  if (allowedTools.length > 0)
    terminal.err(`It expects ${allowedTools.join(', ')}; this changes nothing that an agent may do.\n`)
  terminal.out(`${JSON.stringify({ name, hash })}\n`)
  return exit.ok
}

function list(store: SkillStore, terminal: Terminal): number {
  for (const { facts } of store.list()) terminal.out(`${lineOf(facts)}\n`)
  return exit.ok
}

function lineOf({ name, hash, files }: SkillFacts): string {
  return `${name}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${hash}`
}

interface Adding {
  readonly store: SkillStore
  readonly terminal: Terminal
  readonly replaces: boolean
}

async function add(what: string, { store, terminal, replaces }: Adding): Promise<number> {
  const read = await readSkill(what, terminal)
  if (!read.ok) return tell(terminal, read.error, exit.badInput)
  const { facts } = read.value
  const here = store.get(facts.name)?.facts
  if (here?.hash === facts.hash) {
    terminal.out(`${facts.name} is here already, with the same files.\n`)
    return exit.ok
  }
  if (here !== undefined && !replaces) {
    const message = `There is a skill “${facts.name}” with other files. Give --replace to take its place: agents that use it then have it off until you have looked at the changes.`
    return tell(terminal, message, exit.failed)
  }
  const full = here === undefined ? fullFault(store) : undefined
  if (full !== undefined) return tell(terminal, full, exit.failed)
  store.put(read.value, { now: Date.now(), keep: keptVersions })
  terminal.out(`${lineOf(facts)}\n`)
  return exit.ok
}

function remove(name: string, store: SkillStore, terminal: Terminal): number {
  if (!store.remove(name)) return tell(terminal, `There is no skill “${name}” here.`, exit.failed)
  terminal.out(`${name} is removed.\n`)
  return exit.ok
}

function tell(terminal: Terminal, sentence: string, code: number): number {
  terminal.err(`${sentence}\n`)
  return code
}

/** A folder or an archive; the error is one sentence. */
async function readSkill(what: string, { folder }: Terminal): Promise<Result<SkillPackage, string>> {
  const place = path.resolve(folder, what)
  const stats = await stat(place).catch(() => undefined)
  if (stats === undefined) return { ok: false, error: `There is nothing at ${place}.` }
  if (!stats.isDirectory() && stats.size > mostArchiveBytes)
    return { ok: false, error: 'The archive is larger than 20 MB.' }
  const packed = stats.isDirectory()
    ? await packFolder(place)
    : { ok: true as const, value: new Uint8Array(await readFile(place)) }
  if (packed === undefined)
    return { ok: false, error: `There is no SKILL.md in ${place}, so it is not a skill.` }
  return packed.ok ? readSkillArchive(packed.value, new AbortController().signal) : packed
}

/** Does something with the skills of the data folder, or says why that is not possible. */
async function withSkills(
  given: Given,
  terminal: Terminal,
  use: (store: SkillStore) => number | Promise<number>,
): Promise<number> {
  const { env, folder } = terminal
  const place = { cwd: folder, root: rootOf(env, folder) }
  const data = dataFolderOf(textOption(given, 'data') ?? env.LOOPWRIGHT_DATA, place)
  const instead = 'Import and remove its skills under Settings → Skills'
  const done = await withDataStores({ data, instead }, (stores) => use(stores.skills))
  return done.ok ? done.value : tell(terminal, done.error, exit.failed)
}
