/** The skills of this server: imported from archives, kept by version, and read by runs. */
import { Readable } from 'node:stream'
import { mostArchiveBytes, packSkill, type SkillPackage } from '#lib/sandbox/skills'
import { AppError, type Result } from '#lib/spec/errors'
import { type SkillFacts, scriptKindOf } from '#lib/spec/skill'
import { skillLimits } from '#lib/spec/skill-folder'
import type { SkillsPort } from '#lib/spec/skill-port'
import type { SkillRow, SkillStore } from '#lib/spec/skill-store'
import type { AgentStore } from '#lib/spec/store'
import type {
  ImportedSkill,
  SkillChange,
  SkillChanges,
  SkillDetail,
  SkillList,
  SkillPreview,
  SkillText,
  SkillView,
} from '#lib/wire/skills'
import { agentsBy } from '../agents/agents-by'

/** The most skills of one server. */
const mostSkills = 200

/** Why one more skill cannot be kept; undefined when it can. */
export function fullFault(store: Pick<SkillStore, 'list'>): string | undefined {
  return store.list().length < mostSkills
    ? undefined
    : `There are ${mostSkills} skills already. Remove one first.`
}

/** Earlier versions of a skill that are kept for comparing. */
export const keptVersions = 10
/** So much of a file is shown. */
const shownChars = 200_000
/** Longer files are not compared, and not more than this in all. */
const comparedBytes = 200_000
const comparedInAll = 2_000_000

/** All methods throw AppErrors. */
export interface SkillRegistry extends SkillsPort {
  list(): SkillList
  get(name: string): SkillDetail
  /** Reads an archive and says what importing it would change. */
  preview(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<SkillPreview>
  /** Imports an archive. A skill that is here already is replaced only if `replaces` is its hash. */
  import(
    given: { readonly content: AsyncIterable<Uint8Array>; readonly replaces?: string | undefined },
    signal: AbortSignal,
  ): Promise<ImportedSkill>
  /** A file of the version with this hash, or of the one that is used now. */
  text(name: string, path: string, hash?: string): SkillText
  changes(name: string, from: string): SkillChanges
  archive(
    name: string,
  ): Promise<{ readonly name: string; readonly mediaType: string; readonly content: Readable }>
  remove(name: string): void
}

interface SkillsContext {
  readonly store: SkillStore
  readonly agents: Pick<AgentStore, 'heads' | 'get'>
  /** Reads an archive; the error is one sentence. */
  read(archive: Uint8Array, signal: AbortSignal): Promise<Result<SkillPackage, string>>
  readonly now: () => number
}

export function createSkills({ store, agents, read, now }: SkillsContext): SkillRegistry {
  // What was read of each skill; only this registry changes them.
  const known = new Map<string, SkillFacts | null>()
  const find = (name: string): SkillFacts | undefined => {
    const held = known.get(name)
    if (held !== undefined) return held ?? undefined
    const found = store.get(name)?.facts
    known.set(name, found ?? null)
    return found
  }
  const need = (name: string): SkillRow => {
    const row = store.get(name)
    if (row === undefined) throw new AppError('not_found', `There is no skill “${name.slice(0, 100)}” here.`)
    return row
  }
  const agentsBySkill = () =>
    agentsBy(agents, ({ kind, config: { name } }) =>
      kind === 'skill' && typeof name === 'string' ? [name] : [],
    )
  const view = ({ facts, createdAt, updatedAt }: SkillRow, users = agentsBySkill()): SkillView => {
    const { files, ...rest } = facts
    return {
      ...rest,
      files: files.length,
      scripts: files.filter(({ path }) => scriptKindOf(path) !== undefined).length,
      createdAt,
      updatedAt,
      // Switched off or not.
      usedBy: (users.get(facts.name) ?? []).map(({ nodes, ...agent }) => ({
        ...agent,
        isCurrent: nodes.every(({ config }) => config.hash === facts.hash),
      })),
    }
  }
  const readPackage = async (
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<SkillPackage> => {
    const found = await read(await collect(content), signal)
    if (!found.ok) throw new AppError('unprocessable', found.error)
    return found.value
  }
  const stored = (hash: string) => (path: string) => store.file(hash, path)

  return {
    find,
    read: (hash, path) => store.file(hash, path),
    list: () => {
      const users = agentsBySkill()
      return { items: store.list().map((row) => view(row, users)) }
    },
    get: (name) => {
      const row = need(name)
      return { skill: view(row), list: row.facts.files }
    },
    preview: async (content, signal) => {
      const { facts, files } = await readPackage(content, signal)
      const here = store.get(facts.name)?.facts
      return {
        facts,
        now: here?.hash ?? null,
        changes:
          here === undefined
            ? null
            : changesBetween(
                { facts: here, contentOf: stored(here.hash) },
                { facts, contentOf: (path) => files.get(path) },
              ),
      }
    },
    import: async ({ content, replaces }, signal) => {
      const given = await readPackage(content, signal)
      const { name, hash } = given.facts
      const here = store.get(name)?.facts
      const full = here === undefined ? fullFault(store) : undefined
      if (full !== undefined) throw new AppError('conflict', full)
      if (here !== undefined && here.hash !== hash && here.hash !== replaces) {
        const message =
          replaces === undefined
            ? `There is a skill “${name}” here already, with other files. Look at what would change, then replace it.`
            : `The skill “${name}” has changed since you looked. Look again at what would change.`
        throw new AppError('conflict', message, { path: 'replaces' })
      }
      store.put(given, { now: now(), keep: keptVersions })
      known.delete(name)
      return { skill: view(need(name)), was: here?.hash ?? null }
    },
    text: (name, path, hash) => {
      const current = need(name).facts
      const facts = hash === undefined ? current : store.version(name, hash)
      if (facts === undefined)
        throw new AppError('not_found', `This version of the skill “${name}” is not kept here any more.`)
      const part = facts.files.find((each) => each.path === path)
      const content = part && store.file(facts.hash, path)
      if (part === undefined || content === undefined)
        throw new AppError('not_found', `The skill “${name}” has no file “${path.slice(0, 200)}”.`)
      const text = part.isText ? new TextDecoder().decode(content) : null
      const isCut = text !== null && text.length > shownChars
      return { path, bytes: part.bytes, text: text?.slice(0, shownChars) ?? null, isCut }
    },
    changes: (name, from) => {
      const { facts } = need(name)
      const before = store.version(name, from)
      const items =
        before === undefined
          ? null
          : changesBetween(
              { facts: before, contentOf: stored(from) },
              { facts, contentOf: stored(facts.hash) },
            )
      return { from, to: facts.hash, items }
    },
    archive: async (name) => {
      const { facts } = need(name)
      const files = facts.files.map(({ path }) => {
        const content = store.file(facts.hash, path)
        if (content === undefined)
          throw new AppError('unprocessable', `The stored skill “${name}” cannot be read. Import it again.`)
        return [path, content] as const
      })
      return {
        name: `${name}.zip`,
        mediaType: 'application/zip',
        content: Readable.from([Buffer.from(await packSkill(name, files))]),
      }
    },
    remove: (name) => {
      need(name)
      store.remove(name)
      known.delete(name)
    },
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > mostArchiveBytes)
      throw new AppError('too_large', `The archive is larger than ${skillLimits.bytes / 1024 / 1024} MB.`)
    parts.push(part)
  }
  if (bytes === 0) throw new AppError('bad_request', 'The body is empty. Send the skill as a ZIP archive.')
  return Buffer.concat(parts)
}

interface Version {
  readonly facts: SkillFacts
  contentOf(path: string): Uint8Array | undefined
}

function changesBetween(before: Version, after: Version): SkillChange[] {
  const was = new Map(before.facts.files.map((each) => [each.path, each]))
  const is = new Map(after.facts.files.map((each) => [each.path, each]))
  const paths = [...new Set([...was.keys(), ...is.keys()])].sort()
  let left = comparedInAll
  return paths.flatMap((path): SkillChange[] => {
    const [old, fresh] = [was.get(path), is.get(path)]
    if (old?.sha256 === fresh?.sha256) return []
    const bytes = (old?.bytes ?? 0) + (fresh?.bytes ?? 0)
    const canCompare = [old, fresh].every(
      (each) => each === undefined || (each.isText && each.bytes <= comparedBytes),
    )
    const isShown = canCompare && bytes <= left
    if (isShown) left -= bytes
    const textIn = (version: Version) => {
      const content = isShown ? version.contentOf(path) : undefined
      return content === undefined ? null : new TextDecoder().decode(content)
    }
    const change = old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed'
    return [{ path, change, before: old ? textIn(before) : null, after: fresh ? textIn(after) : null }]
  })
}
