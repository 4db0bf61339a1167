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

function plainOf({ message, path }: Diagnostic): ImportFinding {
  return { message, ...(path !== undefined && { path }) }
}

function lackOf(lack: Diagnostic): ImportFinding {
  const settings = placeOf(lack)
  return { ...plainOf(lack), ...(settings && { settings }) }
}

const places: readonly [RegExp, string][] = [
  [/secret/i, 'Secrets'],
  [/database/i, 'Databases'],
  [/price|budget/i, 'Prices'],
  [/model|provider|endpoint|key/i, 'Models'],
]

/** The code is checked first, because the message may mention more than one place. */
function placeOf({ code, path = '', message }: Diagnostic): SettingsPlace | undefined {
  for (const text of [code, path, message]) {
    const label = places.find(([word]) => word.test(text))?.[1]
    if (label !== undefined) return { label, href: `/settings?back=/#${label.toLowerCase()}` }
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
