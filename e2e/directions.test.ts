/** Holds the house in order: who may import whom, how long a file may be, and what may stand in none. */
import fs from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Import, readImports } from './read-imports'

const root = path.resolve(import.meta.dirname, '..')

/** What the files of a room may import; the longest `room` that fits a file is its rule. */
interface Rule {
  readonly room: string
  /** Rooms or single files of ours, besides the room itself. */
  readonly ours: readonly string[] | 'all'
  /** As `ours`, for imports that are gone after compiling. */
  readonly types?: readonly string[] | 'all'
  readonly packages: readonly string[] | 'all'
  readonly builtins: boolean
}

const wings = 'tools toolkits policies protocols models sandbox mcp'.split(' ').map((name) => `lib/${name}`)
const composed = ['lib/spec', 'lib/schema', 'lib/agent', 'lib/graph', 'lib/wire', 'lib/web', ...wings, 'db']
const outer = ['lib/spec', 'lib/wire', 'lib/api']

const rules: readonly Rule[] = [
  { room: 'lib/spec', ours: [], packages: ['zod'], builtins: false },
  { room: 'lib/schema', ours: ['lib/spec'], packages: [], builtins: false },
  { room: 'lib/agent', ours: ['lib/spec', 'lib/schema'], packages: ['zod'], builtins: false },
  {
    room: 'lib/graph',
    ours: ['lib/spec', 'lib/schema'],
    packages: ['zod', '@dagrejs/dagre'],
    builtins: false,
  },
  ...[...wings, 'db'].map((room) => ({ room, ours: ['lib/spec'], packages: 'all', builtins: true }) as const),
  { room: 'lib/wire', ours: ['lib/spec'], packages: ['zod', 'eventsource-parser'], builtins: false },
  { room: 'lib/web', ours: ['lib/spec', 'lib/wire'], packages: 'all', builtins: true },
  // The server's object is known here by its type alone.
  {
    room: 'lib/api',
    ours: ['lib/spec', 'lib/wire'],
    types: ['lib/spec', 'lib/wire', 'lib/server/loopwright'],
    packages: 'all',
    builtins: true,
  },
  { room: 'lib/server', ours: composed, packages: 'all', builtins: true },
  { room: 'lib/cli', ours: [...composed, 'lib/server'], packages: 'all', builtins: true },
  { room: 'lib/setup', ours: [], packages: 'all', builtins: true },
  {
    room: 'components',
    ours: ['lib/spec', 'lib/wire', 'lib/graph', 'lib/agent/state/fold'],
    packages: 'all',
    builtins: false,
  },
  {
    room: 'app',
    ours: ['lib/spec', 'lib/wire', 'components'],
    types: 'all',
    packages: 'all',
    builtins: false,
  },
  { room: 'app/api', ours: outer, types: 'all', packages: 'all', builtins: true },
  { room: 'e2e', ours: 'all', packages: 'all', builtins: true },
  { room: 'bench', ours: 'all', packages: 'all', builtins: true },
  { room: 'examples', ours: 'all', packages: 'all', builtins: true },
]

const rooms = ['app', 'bench', 'components', 'db', 'e2e', 'examples', 'lib']
const sources = rooms
  .flatMap((room) => filesBelow(room))
  .map((file) => {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    return { file, text, imports: readImports(file, text) }
  })
const product = sources.filter(({ file }) => !/\.(test|fixture)\.tsx?$/.test(file))

function filesBelow(folder: string): string[] {
  const entries = fs.existsSync(path.join(root, folder))
    ? fs.readdirSync(path.join(root, folder), { withFileTypes: true })
    : []
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(file)
    return /\.(tsx?|mjs)$/.test(entry.name) ? [file] : []
  })
}

function isWithin(file: string, room: string): boolean {
  return file === room || file.startsWith(`${room}/`)
}

function ruleOf(file: string): Rule | undefined {
  const fitting = rules.filter((rule) => isWithin(file, rule.room))
  return fitting.reduce<Rule | undefined>(
    (best, rule) => (best && best.room.length >= rule.room.length ? best : rule),
    undefined,
  )
}

function isAllowed({ target, isOurs, isType }: Import, rule: Rule): boolean {
  if (isOurs) {
    const ours = isType ? (rule.types ?? rule.ours) : rule.ours
    return ours === 'all' || [rule.room, ...ours].some((room) => isWithin(target, room))
  }
  if (isType && rule.types === 'all') return true
  if (isBuiltin(target)) return rule.builtins
  return rule.packages === 'all' || rule.packages.some((name) => isWithin(target, name))
}

function wrongImports(file: string, imports: readonly Import[]): string[] {
  const rule = ruleOf(file)
  if (!rule) return [`${file} stands in a room without a rule`]
  return imports.filter((wanted) => !isAllowed(wanted, rule)).map((wanted) => `${file} → ${wanted.target}`)
}

/** The way by which a file, once compiled, reaches a Node built-in; nothing when it does not. */
function wayToBuiltin(start: string): string[] | undefined {
  const byPlace = new Map(
    product.map((source) => [source.file.replace(/(\/index)?\.(tsx?|mjs)$/, ''), source]),
  )
  const from = new Map<string, string | undefined>([[start, undefined]])
  const wayOf = (place: string | undefined): string[] =>
    place === undefined ? [] : [...wayOf(from.get(place)), place]
  for (const place of from.keys()) {
    for (const { target, isOurs, isType } of byPlace.get(place)?.imports ?? []) {
      if (isType) continue
      if (!isOurs && isBuiltin(target)) return [...wayOf(place), target]
      if (isOurs && !from.has(target)) from.set(target, place)
    }
  }
  return undefined
}

describe('the directions between rooms', () => {
  test('S0-03 every import goes where its room may look', () => {
    expect(product.flatMap(({ file, imports }) => wrongImports(file, imports))).toEqual([])
  })

  test('no product file imports a test or its fixtures', () => {
    const wrong = ({ file, imports }: (typeof product)[number]) =>
      imports
        .filter(({ target }) => /\.(test|fixture)$/.test(target))
        .map(({ target }) => `${file} → ${target}`)
    // Journeys and benches are no part of the product, and may use the fixtures of the rooms.
    const isProduct = (file: string) => !isWithin(file, 'e2e') && !isWithin(file, 'bench')
    expect(product.filter(({ file }) => isProduct(file)).flatMap(wrong)).toEqual([])
  })

  test('nothing a browser loads reaches a Node built-in, however indirectly', () => {
    const browser = product.filter(
      ({ file }) => isWithin(file, 'components') || file === 'lib/agent/state/fold.ts',
    )
    expect(browser.map(({ file }) => wayToBuiltin(file.replace(/\.tsx?$/, ''))).filter(Boolean)).toEqual([])
  })

  test.each([
    ['lib/spec/x.ts', "import React from 'react'"],
    ['lib/spec/x.ts', "import fs from 'node:fs'"],
    ['lib/spec/x.ts', "import type { Run } from '#lib/agent/run'"],
    ['lib/agent/x.ts', "import { open } from '#db/open'"],
    ['lib/agent/x.ts', "export * from '../graph/compile'"],
    ['lib/schema/x.ts', "import { misfit } from '#lib/agent/fit/misfit'"],
    ['lib/schema/x.ts', "import { Validator } from '@cfworker/json-schema'"],
    ['lib/tools/x.ts', "import { sql } from '#lib/sandbox/sql'"],
    ['lib/tools/x.ts', "type S = import('#lib/sandbox/sql').Sql"],
    ['lib/server/x.ts', "import { main } from '#lib/cli/main'"],
    ['lib/setup/x.mjs', "await import('#lib/server/serve')"],
    ['app/api/x/route.ts', "import { runs } from '#lib/server/runs/runs'"],
    ['app/api/x/route.ts', "await import('#lib/server/runs/runs')"],
    ['app/page.tsx', "import { createHub } from '#lib/server/runs/hub'"],
    ['components/x.tsx', "import { run } from '#lib/agent/run'"],
    ['components/x.tsx', "import fs from 'fs'"],
    ['lib/unheard/x.ts', "import { z } from 'zod'"],
  ])('%s may not: %s', (file, text) => {
    expect(wrongImports(file, readImports(file, text))).toHaveLength(1)
  })

  test.each([
    ['lib/spec/x.ts', "import { z } from 'zod'"],
    ['lib/tools/x.ts', "import type { Tool } from '#lib/spec/tool'"],
    ['lib/tools/deep/x.ts', "import { near } from '../near'"],
    ['lib/cli/x.ts', "import { assemble } from '#lib/server/agents/assemble'"],
    ['lib/api/app.ts', "import type { Loopwright } from '#lib/server/loopwright'"],
    ['app/api/x/route.ts', "import type { Runs } from '#lib/server/runs/runs'"],
    ['app/api/x/route.ts', "import { type Runs, type Hub } from '#lib/server/runs/runs'"],
    ['components/x.tsx', "import { fold } from '#lib/agent/state/fold'"],
  ])('%s may: %s', (file, text) => {
    expect(wrongImports(file, readImports(file, text))).toEqual([])
  })
})

describe('the shape of files', () => {
  test('no file is longer than 400 lines', () => {
    const lines = ({ text }: { text: string }) => text.trimEnd().split('\n').length
    expect(
      sources.filter((source) => lines(source) > 400).map((source) => `${source.file}: ${lines(source)}`),
    ).toEqual([])
  })

  test('a default export stands only where Next or a tool looks for one', () => {
    const asked =
      /^app\/.*\/?(page|layout|template|loading|error|global-error|not-found|default|icon|manifest|robots)\.tsx?$|\.config\.ts$/
    const hasDefault = /^export default |^export \{[^}]*\bas default\b/m
    expect(
      product.filter(({ file, text }) => !asked.test(file) && hasDefault.test(text)).map(({ file }) => file),
    ).toEqual([])
  })

  test('T25 nothing opens a connection but by the guarded way for tools and the one for providers', () => {
    const ways = new Set([
      'lib/web/guarded-fetch.ts',
      'lib/server/environment/outbound.ts',
      // What it asks by is handed to it.
      'lib/models/wire/keep-failure.ts',
    ])
    // A browser asks its own server, and the lock, the door and the sandbox's test listen or talk to themselves.
    const inward =
      /^(components|app|bench|e2e|lib\/spec)\/|^lib\/sandbox\/os-sandbox\.ts$|^lib\/server\/door\/refusal\.ts$/
    const goesOut =
      /(?<![.\w#'"])fetch\(|globalThis\.fetch\(|\bnew (WebSocket|EventSource)\(|https?\.(get|request)\(|net\.(connect|createConnection)\(/
    const outward = product.filter(({ text, imports }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      return goesOut.test(code) || imports.some(({ target, isType }) => target === 'undici' && !isType)
    })
    expect(outward.map(({ file }) => file).filter((file) => !ways.has(file) && !inward.test(file))).toEqual(
      [],
    )
  })

  test('T2 nothing evaluates text as code', () => {
    const evaluates = /\bnew Function\s*\(|(?<![.\w])eval\s*\(|['"](node:)?vm['"]/
    expect(product.filter(({ text }) => evaluates.test(text)).map(({ file }) => file)).toEqual([])
  })
})
