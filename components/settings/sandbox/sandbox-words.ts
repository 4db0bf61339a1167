/** The walls of the sandbox in words. Pure. */
import type { SandboxView, WalledKindView, WallView } from '#lib/wire/sandbox'
import type { WallPackageView } from '#lib/wire/wall-packages'

export const kindWords: Readonly<Record<WalledKindView['kind'], { title: string; used: string }>> = {
  javascript: { title: 'JavaScript', used: 'the tool javascript.run and code tools' },
  shell: { title: 'Shell', used: 'the tool shell.run' },
  python: { title: 'Python', used: 'the tool python.run and code tools in Python' },
  readers: {
    title: 'Readers',
    used: 'documents, tables, web pages, archives and OpenAPI documents; charts, reports and JSON queries',
  },
}

/** Who enforces a wall. */
export const strengthWords: Readonly<Record<WallView['strength'], string>> = {
  system: 'enforced by the operating system',
  runtime: 'enforced by a runtime without permissions',
  process: 'enforced by a process with few rights',
}

export interface WallState {
  readonly tone: 'ok' | 'error' | 'none'
  readonly icon: string
  readonly word: string
}

/** What the last test says about a wall, in a word or two. */
export function wallState(wall: WallView, { used }: Pick<WalledKindView, 'used'>): WallState {
  if (wall.test === null) return { tone: 'none', icon: 'minus', word: 'not tested' }
  if (!wall.test.holds) return { tone: 'error', icon: 'circle-x', word: 'does not hold' }
  if (wall.id === used) return { tone: 'ok', icon: 'shield', word: 'in use' }
  return { tone: 'ok', icon: 'check', word: 'holds' }
}

/** Why a wall that holds, or was not tested, is not the one in use; undefined for the one that is. */
export function whyNotUsed(
  wall: WallView,
  kind: WalledKindView,
  minimum: SandboxView['minimum'],
): string | undefined {
  if (wall.id === kind.used || wall.test?.holds === false) return undefined
  if (kind.used === null)
    return `The operator demands a wall that is at least “${minimum}” (LOOPWRIGHT_SANDBOX).`
  return 'A stronger wall is in use.'
}

/** A sentence of a remedy in pieces; a command is between backquotes. */
export function remedyPieces(sentence: string): { readonly text: string; readonly isCommand: boolean }[] {
  return sentence
    .split('`')
    .map((text, index) => ({ text, isCommand: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

export const packageTitles: Readonly<Record<WallPackageView['name'], string>> = {
  deno: 'Deno',
  pyodide: 'Pyodide',
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

/** How far an installation is. */
export function installingWords({ phase, bytes, total }: NonNullable<WallPackageView['installing']>): string {
  switch (phase) {
    case 'downloading':
      return `${megabytes(bytes)} of ${megabytes(total)}`
    case 'checking':
      return 'Checking the archive'
    case 'unpacking':
      return 'Unpacking'
    default:
      return phase satisfies never
  }
}
