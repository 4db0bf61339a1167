/**
 * The answers of a workspace when an operation fails: every file system failure in plain words,
 * without any path of the server.
 */
import type { FileAnswer, FileFault } from '#lib/spec/sandbox'
import { codeOf } from './error-code'
import { NotPlain } from './workspace-folder'
import { showPath } from './workspace-path'

const mebibyte = 1024 * 1024

export function done<T>(value: T): FileAnswer<T> {
  return { ok: true, value }
}

export function fault(code: FileFault, message: string): FileAnswer<never> {
  return { ok: false, code, message }
}

export function tooLarge(given: string, what: 'read' | 'written', most: number): FileAnswer<never> {
  return fault(
    'too_large',
    `"${showPath(given)}" is too large to be ${what}: the limit is ${most / mebibyte} MiB.`,
  )
}

/** Undefined for a missing entry; any other error is thrown on. */
export function absent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** Turns a file system failure into an answer; any other error is a bug and is thrown on. */
export async function attempt<T>(given: string, work: () => Promise<FileAnswer<T>>): Promise<FileAnswer<T>> {
  try {
    return await work()
  } catch (error) {
    const answer = error instanceof NotPlain ? notPlain(error, given) : failure(codeOf(error), given)
    if (answer === undefined) throw error
    return answer
  }
}

function notPlain({ met }: NotPlain, given: string): FileAnswer<never> {
  const said = `"${showPath(given)}"`
  if (met === 'link')
    return fault('outside', `${said} is a link or leads through one: links are not followed.`)
  if (met === 'folder') return fault('not_a_file', `${said} is a folder.`)
  if (met === 'file') return fault('not_a_folder', `${said} is a file, or leads through one.`)
  return fault('not_a_file', `${said} is not a regular file.`)
}

function failure(code: string, given: string): FileAnswer<never> | undefined {
  const said = `"${showPath(given)}"`
  switch (code) {
    case '':
      return undefined
    case 'ENOENT':
      return fault('not_found', `There is no ${said} in the workspace.`)
    case 'ENOTEMPTY':
    case 'EEXIST':
      return fault('not_empty', `The folder ${said} is not empty.`)
    case 'ENAMETOOLONG':
      return fault('bad_path', `The path ${said} is too long.`)
    case 'EISDIR':
      return fault('not_a_file', `${said} is a folder.`)
    case 'ENOTDIR':
      return fault('not_a_folder', `${said} is a file, or leads through one.`)
    default:
      // An operating system has more codes than can be told apart here.
      return fault('unavailable', `${said} cannot be used just now (${code}).`)
  }
}
