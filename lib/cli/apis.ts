/** `loopwright apis`: the OpenAPI documents of a data folder, of which agents choose operations. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { dataFolderOf, rootOf } from '#lib/server/environment/environment'
import { readOutbound } from '#lib/server/environment/environment-outbound'
import { withDataDocuments } from '#lib/server/ports/data-documents'
import type { OpenapiDocuments } from '#lib/server/ports/openapi-documents'
import type { Parts } from '#lib/spec/config'
import { AppError, type Result } from '#lib/spec/errors'
import { documentName } from '#lib/spec/openapi'
import { visible } from '#lib/spec/visible'
import {
  type AddedOpenapiDocument,
  type AddOpenapiDocument,
  mostDocumentBytes,
  type OpenapiDocumentView,
  type OperationFace,
} from '#lib/wire/openapi-documents'
import { type CliCommand, exit, type Given, readArguments, refuse, textOption } from './command'
import type { Terminal } from './terminal'

const actions = ['list', 'show', 'diff', 'add', 'remove'] as const
type Action = (typeof actions)[number]

export const apis: CliCommand = {
  name: 'apis',
  usage:
    'apis list | apis show <name> [words] | apis diff <name> [file or address] | apis add <name> <file or address> [--replace] | apis remove <name>  [--data folder]',
  help: 'The OpenAPI documents of a data folder that no server is using; a server that runs has them under Settings → APIs. show lists the operations of a document, those with all the words if there are any. diff reads a document anew, from its own address unless another place is named, and says which operations differ; nothing is stored. add refuses a document that is there with other operations unless --replace is given: agents then have what differs off until you have looked at it. Addresses are reached as a server reaches them: LOOPWRIGHT_ALLOW_HOSTS names those in private networks.',
  async run(args, terminal, parts) {
    const [word, ...rest] = args
    const action = actions.find((each) => each === word)
    if (action === undefined) return refuse(terminal, apis, 'Say list, show, diff, add or remove.')
    const options = { data: { type: 'string' }, replace: { type: 'boolean' } } as const
    const given = readArguments(rest, options, wordsOf(action, rest))
    if (!given.ok) return refuse(terminal, apis, given.error)
    const replaces = given.value.options.replace === true
    if (replaces && action !== 'add') return refuse(terminal, apis, '--replace belongs to add.')
    const [name = '', what] = given.value.words
    if (action === 'add' && !documentName.safeParse(name).success)
      return refuse(
        terminal,
        apis,
        `“${name}” is no name of a document: use lowercase letters, digits and hyphens.`,
      )
    return withDocuments({ given: given.value, terminal, parts }, (documents) => {
      const doing = { documents, terminal, name }
      switch (action) {
        case 'list':
          return list(doing)
        case 'show':
          return show(doing, what ?? '')
        case 'diff':
          return diff(doing, what)
        case 'add':
          return add(doing, { what: what ?? '', replaces })
        case 'remove':
          return remove(doing)
        default:
          return action satisfies never
      }
    })
  },
}

/** The words that an action takes; the last of some may be left out. */
function wordsOf(action: Action, given: readonly string[]): string[] {
  const [name, place] = ['name of the document', 'file or address']
  if (action === 'list') return []
  if (action === 'add') return [name, place]
  if (action === 'remove') return [name]
  const isMore = given.filter((each, at) => !each.startsWith('--') && given[at - 1] !== '--data').length > 1
  return isMore ? [name, action === 'show' ? 'words' : place] : [name]
}

interface Doing {
  readonly documents: OpenapiDocuments
  readonly terminal: Terminal
  readonly name: string
}

function list({ documents, terminal }: Doing): number {
  for (const each of documents.list().items) terminal.out(`${lineOf(each)}\n`)
  return exit.ok
}

function lineOf({ name, title, version, operations, unusable, url }: OpenapiDocumentView): string {
  const called = [visible(title), visible(version)].filter((each) => each !== '').join(' ')
  const lacking = unusable === 0 ? '' : `, ${unusable} of them cannot be used`
  return `${name}: ${called}, ${inWords(operations)}${lacking}${url === null ? '' : `, from ${visible(url)}`}`
}

function inWords(operations: number): string {
  return operations === 1 ? '1 operation' : `${operations} operations`
}

function show({ documents, terminal, name }: Doing, words: string): number {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const all = documents.get(name).list
  const found = all.filter((each) => {
    const text =
      `${each.name} ${each.method} ${each.path} ${each.summary} ${each.tags.join(' ')}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  for (const each of found) terminal.out(`${operationLine(each)}\n`)
  if (all.length === 0) terminal.err(`${name} has no operations.\n`)
  else if (found.length === 0) terminal.err(`No operation of ${name} has “${words}”.\n`)
  return exit.ok
}

function operationLine({ name, method, path: at, summary, problem }: OperationFace): string {
  const about = problem === undefined ? visible(summary) : `cannot be used: ${problem}`
  return `${name}: ${method} ${visible(at)}${about === '' ? '' : `, ${about}`}`
}

async function diff({ documents, terminal, name }: Doing, what: string | undefined): Promise<number> {
  const { url } = documents.get(name)
  if (what === undefined && url === null)
    return tell(
      terminal,
      `${name} came as a text. Name the file or address to compare it with.`,
      exit.badInput,
    )
  const request = await requestOf(name, what ?? url ?? '', terminal)
  if (!request.ok) return tell(terminal, request.error, exit.badInput)
  const { changes } = await documents.preview(request.value, new AbortController().signal)
  terminal.out(`${changeLines(changes).join('\n') || 'No operation differs.'}\n`)
  return exit.ok
}

function changeLines(changes: AddedOpenapiDocument['changes']): string[] {
  if (changes === null) return []
  const { added, changed, removed } = changes
  return [
    ...added.map((each) => `added: ${each}`),
    ...changed.map((each) => `changed: ${each}`),
    ...removed.map((each) => `removed: ${each}`),
  ]
}

async function add(
  { documents, terminal, name }: Doing,
  { what, replaces }: { readonly what: string; readonly replaces: boolean },
): Promise<number> {
  const request = await requestOf(name, what, terminal)
  if (!request.ok) return tell(terminal, request.error, exit.badInput)
  const { signal } = new AbortController()
  const added = replaces
    ? { ...(await documents.add(request.value, signal)), isAdded: true }
    : await documents.addUnlessOther(request.value, signal)
  const lines = changeLines(added.changes)
  if (!added.isAdded) {
    const message = `There is a document “${name}” with other operations. Give --replace to take its place: agents then have what differs off until you have looked at it.`
    return tell(terminal, `${lines.join('\n')}\n${message}`, exit.failed)
  }
  terminal.out(`${[lineOf(added.document), ...lines].join('\n')}\n`)
  return exit.ok
}

function remove({ documents, terminal, name }: Doing): number {
  documents.remove(name)
  terminal.out(`${name} is removed. Agents keep the operations that they use.\n`)
  return exit.ok
}

function tell(terminal: Terminal, sentence: string, code: number): number {
  terminal.err(`${sentence}\n`)
  return code
}

/** A document by its address, or the text of a file; the error is one sentence. */
async function requestOf(
  name: string,
  what: string,
  { folder }: Terminal,
): Promise<Result<AddOpenapiDocument, string>> {
  if (/^https?:\/\//i.test(what)) return { ok: true, value: { name, url: what } }
  const place = path.resolve(folder, what)
  const stats = await stat(place).catch(() => undefined)
  if (!stats?.isFile()) return { ok: false, error: `There is no file ${place}.` }
  if (stats.size > mostDocumentBytes) return { ok: false, error: 'The document is larger than 10 MB.' }
  return { ok: true, value: { name, text: await readFile(place, 'utf8') } }
}

interface Around {
  readonly given: Given
  readonly terminal: Terminal
  readonly parts: Parts
}

/** Does something with the documents of the data folder, or says why that is not possible. */
async function withDocuments(
  { given, terminal, parts }: Around,
  use: (documents: OpenapiDocuments) => number | Promise<number>,
): Promise<number> {
  const { env, folder } = terminal
  const outbound = readOutbound(env, parts.providers)
  if (!outbound.ok) return tell(terminal, outbound.error, exit.badInput)
  const place = { cwd: folder, root: rootOf(env, folder) }
  const data = dataFolderOf(textOption(given, 'data') ?? env.LOOPWRIGHT_DATA, place)
  try {
    const done = await withDataDocuments({ data, allowHosts: outbound.value.allowHosts }, use)
    return done.ok ? done.value : tell(terminal, done.error, exit.failed)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return tell(terminal, error.message, exit.failed)
  }
}
