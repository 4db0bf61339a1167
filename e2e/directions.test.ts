/**
 * Checks the structure of the code: which room may import which, the length of files, and what no file may
 * contain.
 */
import fs from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Import, readImports } from './read-imports'
import { type Room, readRoomTable } from './room-table'

const root = path.resolve(import.meta.dirname, '..')

/** The packages and Node modules that a room's files may import; rooms that are not listed may import all. */
const outside: Readonly<Record<string, { packages: readonly string[] | 'all'; builtins: boolean }>> = {
  'lib/spec': { packages: ['zod'], builtins: false },
  'lib/schema': { packages: [], builtins: false },
  'lib/agent': { packages: ['zod'], builtins: false },
  'lib/graph': { packages: ['zod'], builtins: false },
  'lib/wire': { packages: ['zod'], builtins: false },
  components: { packages: 'all', builtins: false },
  app: { packages: 'all', builtins: false },
  'app/api': { packages: 'all', builtins: true },
}

const table = readRoomTable(root)

/** The rule of a file: that of the innermost room it is in. */
type Rule = Room & { readonly packages: readonly string[] | 'all'; readonly builtins: boolean }

const rules: readonly Rule[] = table.map((row) => {
  const known = Object.keys(outside).filter((room) => isWithin(row.room, room))
  const nearest = known.sort((a, b) => b.length - a.length)[0]
  return { ...row, ...((nearest && outside[nearest]) || { packages: 'all', builtins: true }) }
})

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
    const ours = isType ? rule.types : rule.imports
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

/**
 * The chain of imports by which a file, once compiled, reaches a Node built-in; undefined if there is none.
 */
function wayToBuiltin(start: string): string[] | undefined {
  const byPlace = new Map(product.map((source) => [placeOf(source.file), source]))
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

/** Files that import each other, by Tarjan's algorithm: one list for each cycle, without file extensions. */
function circlesAmong(files: typeof product): string[][] {
  const imports = new Map(files.map((source) => [placeOf(source.file), source.imports]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (place: string): number => {
    const own = index.size
    index.set(place, own)
    low.set(place, own)
    stack.push(place)
    for (const { target } of imports.get(place) ?? []) {
      if (!imports.has(target)) continue
      if (!index.has(target)) low.set(place, Math.min(low.get(place) ?? own, visit(target)))
      else if (stack.includes(target))
        low.set(place, Math.min(low.get(place) ?? own, index.get(target) ?? own))
    }
    if (low.get(place) === own) {
      const circle = stack.splice(stack.indexOf(place))
      if (circle.length > 1) circles.push(circle)
    }
    return low.get(place) ?? own
  }
  for (const place of imports.keys()) if (!index.has(place)) visit(place)
  return circles
}

/** A file as imports name it. */
function placeOf(file: string): string {
  return file.replace(/(\/index)?\.(tsx?|mjs)$/, '')
}

describe('the directions between rooms', () => {
  test('S0-03 every import goes where its room may look', () => {
    expect(product.flatMap(({ file, imports }) => wrongImports(file, imports))).toEqual([])
  })

  test('the rooms below the pages are in no ring: each may import only rooms before it', () => {
    const layered = table.filter(({ room }) => /^(lib|components|db)\b/.test(room)).map(({ room }) => room)
    const upward = table.flatMap(({ room, types }) =>
      types === 'all' || !layered.includes(room)
        ? []
        : types
            .filter((wanted) => layered.indexOf(wanted) > layered.indexOf(room))
            .map((wanted) => `${room} → ${wanted}`),
    )
    expect(upward).toEqual([])
  })

  test('every arrow of the table is used', () => {
    const arrows = new Set(
      product.flatMap(({ file, imports }) =>
        imports.map(({ target }) => `${ruleOf(file)?.room} → ${target}`),
      ),
    )
    const used = (room: string, wanted: string) =>
      [...arrows].some(
        (arrow) => arrow.startsWith(`${room} → `) && isWithin(arrow.split(' → ')[1] ?? '', wanted),
      )
    const unused = table.flatMap(({ room, imports }) =>
      imports === 'all'
        ? []
        : imports.filter((wanted) => !used(room, wanted)).map((wanted) => `${room} → ${wanted}`),
    )
    expect(unused).toEqual([])
  })

  test('no files import each other in a circle, types included, but those of the recursive form', () => {
    const isForm = (circle: readonly string[]) => circle.every((place) => isWithin(place, 'components/form'))
    expect(circlesAmong(product).filter((circle) => !isForm(circle))).toEqual([])
  })

  test('no product file imports a test or its fixtures', () => {
    const wrong = ({ file, imports }: (typeof product)[number]) =>
      imports
        .filter(({ target }) => /\.(test|fixture)$/.test(target))
        .map(({ target }) => `${file} → ${target}`)
    // Journeys and benches are not part of the product, and may use the fixtures of the rooms.
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
    ['components/run/x.tsx', "import { run } from '#lib/agent/run'"],
    ['components/ui/x.tsx', "import fs from 'fs'"],
    ['components/ui/x.tsx', "import { api } from '#components/data/client'"],
    ['components/trace/x.tsx', "import type { Draft } from '#components/builder/builder'"],
    ['components/unheard/x.tsx', "import { z } from 'zod'"],
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
    ['components/run/x.tsx', "import { fold } from '#lib/agent/state/fold'"],
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

  test('every file opens with a sentence on its job', () => {
    const opens = /^(#!.*\n)?('use client'\n)?\s*\/\*\*/
    expect(product.filter(({ text }) => !opens.test(text)).map(({ file }) => file)).toEqual([])
  })

  test('a default export stands only where Next or a tool looks for one', () => {
    const asked =
      /^app\/.*\/?(page|layout|template|loading|error|global-error|not-found|default|icon|manifest|robots)\.tsx?$|\.config\.ts$/
    const hasDefault = /^export default |^export \{[^}]*\bas default\b/m
    expect(
      product.filter(({ file, text }) => !asked.test(file) && hasDefault.test(text)).map(({ file }) => file),
    ).toEqual([])
  })

  test('only the driver chooses among the versions of better-sqlite3', () => {
    const names = sources.filter(({ file, imports }) => {
      return (
        !isWithin(file, 'lib/sqlite') && imports.some(({ target }) => target.startsWith('better-sqlite3'))
      )
    })
    expect(names.map(({ file }) => file)).toEqual([])
  })

  test('T25 nothing opens a connection but by the guarded way for tools and the one for providers', () => {
    const ways = new Set([
      'lib/web/guarded-fetch.ts',
      'lib/web/guarded-stream.ts',
      'lib/server/environment/outbound.ts',
      // Connections to databases, which a person has set up.
      'lib/sandbox/postgres-child.ts',
      // It gets its request function passed in.
      'lib/models/wire/keep-failure.ts',
    ])
    // A browser calls its own server; the lock, the door and the tests of walls listen or call themselves.
    const inward =
      /^(components|app|bench|e2e|lib\/spec)\/|^lib\/sandbox\/(os-sandbox|wall-probe)\.ts$|^lib\/server\/door\/refusal\.ts$/
    const goesOut =
      /(?<![.\w#'"])fetch\(|globalThis\.fetch\(|\bnew (WebSocket|EventSource)\(|https?\.(get|request)\(|net\.(connect|createConnection)\(/
    const outward = product.filter(({ text, imports }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      return (
        goesOut.test(code) ||
        imports.some(({ target, isType }) => (target === 'undici' || target === 'pg') && !isType)
      )
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
