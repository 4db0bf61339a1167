/** Skills as archives: read in a child process, since anybody may have made one, and written for saving. */
import { createHash } from 'node:crypto'
import type { Zippable } from 'fflate'
import type { Result } from '#lib/spec/errors'
import { tryParseJson } from '#lib/spec/json'
import { type SkillFacts, skillManifest } from '#lib/spec/skill'
import { skillLimits } from '#lib/spec/skill-folder'
import { skillSaid } from './skill-wire'
import { WalledProgram } from './walled-answer'

/** A skill with its files, by path. */
export interface SkillPackage {
  readonly facts: SkillFacts
  readonly files: ReadonlyMap<string, Uint8Array>
}

const program = new WalledProgram({
  program: 'skill-child',
  heapMiB: 256,
  milliseconds: 25_000,
  // Base64 takes a third more.
  maxOutputBytes: skillLimits.bytes * 1.5,
  atOnce: 1,
})
/** The most bytes of an archive: files that cannot be packed smaller, and the list of them. */
export const mostArchiveBytes = skillLimits.bytes + 1024 * 1024

const stopped = 'Reading the skill was stopped.'
const tooMuch = 'The archive takes too long or too much memory to read. Nothing was imported.'

/** The error is one sentence for a person. Never throws. */
export async function readSkillArchive(
  archive: Uint8Array,
  signal: AbortSignal,
): Promise<Result<SkillPackage, string>> {
  if (archive.length > mostArchiveBytes)
    return { ok: false, error: `The archive is larger than ${skillLimits.bytes / 1024 / 1024} MB.` }
  const answer = await program.ask({ input: () => archive }, signal)
  if (!answer.ok && (answer.fault === 'unavailable' || answer.fault === 'busy'))
    return { ok: false, error: 'The skill cannot be read now. Try again.' }
  const said = answer.ok ? tryParseJson(answer.output.toString('utf8')) : undefined
  const read = skillSaid.safeParse(said).data
  if (read === undefined) return { ok: false, error: signal.aborted ? stopped : tooMuch }
  return read.ok ? { ok: true, value: packageOf(read) } : read
}

function packageOf({ head, files }: Extract<ReturnType<typeof skillSaid.parse>, { ok: true }>): SkillPackage {
  const contents = new Map(
    files.map(({ path, base64 }) => [path, new Uint8Array(Buffer.from(base64, 'base64'))]),
  )
  const parts = files.map(({ path, isText }) => {
    const content = contents.get(path) ?? new Uint8Array()
    return { path, bytes: content.length, sha256: sha256Of(content), isText }
  })
  const facts: SkillFacts = {
    ...head,
    hash: `sha256:${sha256Of(skillManifest(parts))}`,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    files: parts,
  }
  return { facts, files: contents }
}

function sha256Of(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** An archive with the files in a folder of the skill's name; the same files give the same bytes. */
export async function packSkill(
  name: string,
  files: Iterable<readonly [path: string, content: Uint8Array]>,
): Promise<Uint8Array> {
  const entries: Zippable = {}
  for (const [path, content] of files) entries[`${name}/${path}`] = content
  const { zipSync } = await import('fflate')
  return zipSync(entries, { mtime: new Date(1980, 0, 1), level: 6 })
}
