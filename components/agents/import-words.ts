/**
 * The words about an imported file: what this server lacks and where to add it, or why the file was refused.
 * Pure.
 */
import { describeError } from '#components/ui/notice'
import type { Diagnostic } from '#lib/spec/errors'
import type { ImportedAgent } from '#lib/wire/agents'
import { lineOf } from './json-line'

export interface ImportFinding {
  readonly message: string
  readonly path?: string
  /** Where to fix it; absent when the agent itself must be fixed. */
  readonly settings?: SettingsPlace
}

export interface SettingsPlace {
  readonly label: string
  readonly href: string
}

/** First what this server lacks, then the findings about the drawing; each appears once. */
export function findingsOf({
  lacks,
  diagnostics,
}: Pick<ImportedAgent, 'lacks' | 'diagnostics'>): ImportFinding[] {
  const told = new Set<string>()
  return [
    ...lacks.map(lackOf),
    ...diagnostics.filter((each) => each.severity !== 'info').map(plainOf),
  ].filter(({ message, path }) => {
    const isNew = !told.has(`${path} ${message}`)
    told.add(`${path} ${message}`)
    return isNew
  })
}

/** The agent with what it still lacks, when more has come since it was imported. */
export function asOfNow<A extends Pick<ImportedAgent, 'lacks' | 'diagnostics'>>(
  agent: A,
  { diagnostics }: Pick<ImportedAgent, 'diagnostics'>,
): A {
  const now = new Set(diagnostics.map(placeAndWords))
  return { ...agent, lacks: agent.lacks.filter((each) => now.has(placeAndWords(each))), diagnostics }
}

const placeAndWords = ({ path, message }: Diagnostic) => `${path} ${message}`

function plainOf({ message, path }: Diagnostic): ImportFinding {
  return { message, ...(path !== undefined && { path }) }
}

function lackOf(lack: Diagnostic): ImportFinding {
  const settings = placeOf(lack)
  return { ...plainOf(lack), ...(settings && { settings }) }
}

interface Place {
  readonly word: RegExp
  readonly label: string
  /** Of the section in Settings. */
  readonly id: string
}

const places: readonly Place[] = [
  { word: /secret/i, label: 'Secrets', id: 'secrets' },
  { word: /database/i, label: 'Databases', id: 'databases' },
  { word: /price|budget/i, label: 'Prices', id: 'prices' },
  { word: /collection/i, label: 'Knowledge', id: 'knowledge' },
  { word: /skill/i, label: 'Skills', id: 'skills' },
  { word: /mcp/i, label: 'MCP servers', id: 'mcp' },
  { word: /model|provider|endpoint|key/i, label: 'Models', id: 'models' },
]

/** The code is checked first, because the message may mention more than one place. */
function placeOf({ code, path = '', message }: Diagnostic): SettingsPlace | undefined {
  // Another agent is imported, not set up.
  if (code.startsWith('agent_')) return undefined
  for (const text of [code, path, message]) {
    const found = places.find(({ word }) => word.test(text))
    if (found !== undefined) return { label: found.label, href: `/settings?back=/#${found.id}` }
  }
  return undefined
}

export interface ImportRefusal {
  readonly what: string
  /** Each place that `what` does not name, with its line in the file if there is one. */
  readonly places: readonly { readonly message?: string; readonly path: string; readonly line?: number }[]
  readonly advice?: string
  /** When the name is taken, a name that is free; empty when the server suggested none. */
  readonly free?: string
}

export function refusalOf(error: unknown, text: string | null): ImportRefusal {
  const { what, where, more, advice } = describeError(error)
  const at = (path: string) => {
    const line = text === null ? undefined : lineOf(text, path)
    return { path, ...(line !== undefined && { line }) }
  }
  const free = freeNameIn(error)
  const first = where === undefined ? undefined : at(where)
  const isNamed = first !== undefined && what.includes(`(at ${first.path})`)
  return {
    what:
      isNamed && first.line !== undefined
        ? what.replace(`(at ${first.path})`, `(at ${first.path}, line ${first.line})`)
        : what,
    places: [
      ...(first === undefined || isNamed ? [] : [first]),
      ...more.map(({ path = '', message }) => ({ message, ...at(path) })),
    ],
    ...(free === undefined && advice !== undefined && { advice }),
    ...(free !== undefined && { free, advice: 'Import it under another name to keep both.' }),
  }
}

function freeNameIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== 'name_taken')
    return undefined
  const detail = 'detail' in error ? error.detail : undefined
  const free = typeof detail === 'object' && detail !== null && 'free' in detail ? detail.free : undefined
  return typeof free === 'string' ? free : ''
}
