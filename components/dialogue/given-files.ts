/** The files attached to the next question, and what keeps that question from being sent. Pure. */
import { size } from '#components/run/figures'
import type { Artifact } from '#lib/spec/artifact'
import { maxUploadBytes } from '#lib/wire/artifacts'

export interface GivenFile {
  readonly key: number
  readonly file: File
  /** `waiting` until the thread to upload to is known. */
  readonly state: 'waiting' | 'uploading' | 'ready' | 'failed'
  /** Present when it is ready. */
  readonly artifact?: Artifact
  /** Why it failed. */
  readonly reason?: string
}

/** The most files that the API takes with one question. */
const mostFiles = 20
const tooMany = `Not attached. A question can have at most ${mostFiles} files.`
const tooLarge = `Larger than ${size(maxUploadBytes)}.`

/** Adds files, with keys counting up from `firstKey`. */
export function addFiles(
  given: readonly GivenFile[],
  files: readonly File[],
  firstKey: number,
): readonly GivenFile[] {
  const room = Math.max(0, mostFiles - given.filter(({ state }) => state !== 'failed').length)
  const added = files.map((file, index): GivenFile => {
    const key = firstKey + index
    if (index >= room) return { key, file, state: 'failed', reason: tooMany }
    if (file.size > maxUploadBytes) return { key, file, state: 'failed', reason: tooLarge }
    return { key, file, state: 'waiting' }
  })
  return [...given, ...added]
}

/** The files that a question can be sent with. */
export function readyArtifacts(given: readonly GivenFile[]): readonly Artifact[] {
  return given.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact]))
}

/** Why a question cannot be sent yet; undefined when every file is ready. */
export function fileHindrance(given: readonly GivenFile[]): string | undefined {
  if (given.some(({ state }) => state === 'failed'))
    return 'A file was not uploaded. Remove it, or attach it again.'
  return given.some(({ state }) => state !== 'ready') ? 'Files are being uploaded.' : undefined
}
