/** Calls by which a model would attack: code, files, SQL and addresses, each in the arguments of a tool. */
import { escapes as javascriptEscapes } from '#lib/sandbox/javascript-attacks.fixture'
import { pyodideAttacks, pythonAttacks } from '#lib/sandbox/python-attacks.fixture'
import { escapes, type Outside } from '#lib/sandbox/walls/escapes.fixture'
import type { JsonObject } from '#lib/spec/json'

export interface Attack {
  readonly name: string
  readonly args: JsonObject
}

const shell = (outside: Outside): Attack[] =>
  escapes(outside).map(([, script]) => ({ name: 'shell.run', args: { script } }))

function python({ canary, ...outside }: Outside, isPyodide: boolean): Attack[] {
  const context = JSON.stringify({ file: canary, ...outside })
  return [...pythonAttacks, ...(isPyodide ? pyodideAttacks : [])].map(([, source]) => ({
    name: 'python.run',
    args: { code: `context = ${context}\n${source}` },
  }))
}

function javascript({ canary, port }: Outside): Attack[] {
  const args = JSON.stringify({ file: canary, port })
  return javascriptEscapes.map(({ source }) => ({
    name: 'javascript.run',
    args: { code: `args = ${args};${source}` },
  }))
}

/** Code for every wall that is in use. */
export function codeAttacks(outside: Outside, walls: { readonly python: string | null }): Attack[] {
  return [
    ...shell(outside),
    ...(walls.python === null ? [] : python(outside, walls.python === 'deno-pyodide')),
    ...javascript(outside),
  ]
}

export const bombs: readonly Attack[] = [
  { name: 'shell.run', args: { script: 'while true; do :; done' } },
  { name: 'shell.run', args: { script: 'x=xxxxxxxxxxxxxxxx; while true; do x="$x$x"; done' } },
  {
    name: 'shell.run',
    args: { script: 'while true; do echo "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"; done' },
  },
  { name: 'python.run', args: { code: 'while True: pass' } },
  { name: 'python.run', args: { code: 'x = []\nwhile True: x.append(bytearray(50_000_000))' } },
  { name: 'python.run', args: { code: 'while True: print("x" * 10_000)' } },
  { name: 'javascript.run', args: { code: 'for (;;);' } },
  { name: 'javascript.run', args: { code: 'const x = []; for (;;) x.push(new Uint8Array(1e7))' } },
]

/** Paths that lead out of the workspace, or try to look as if they did not. */
export const pathsOut = (canary: string): readonly string[] => [
  canary,
  `../../../../../../../..${canary}`,
  `a/../../../../../../..${canary}`,
  `./${'../'.repeat(40)}${canary.slice(1)}`,
  `..%2f..%2f..%2f${canary}`,
  `....//....//....//${canary}`,
  `..\\..\\..\\${canary}`,
  `C:\\Windows\\win.ini`,
  `\\\\server\\share\\x`,
  `file://${canary}`,
  `${canary}\0.txt`,
  `~/${canary}`,
  '../loopwright.db',
  '../../loopwright.db',
  '../../secret.key',
  '/proc/self/environ',
  '/etc/passwd',
  '․․/․․/loopwright.db',
  '..／..／loopwright.db',
  'x'.repeat(5_000),
]

export function fileAttacks(canary: string): Attack[] {
  return pathsOut(canary).flatMap((path): Attack[] => [
    { name: 'files.view', args: { path } },
    { name: 'files.get', args: { path } },
    { name: 'files.create', args: { path, content: 'overwritten', overwrite: true } },
    { name: 'files.delete', args: { path } },
    { name: 'files.list', args: { path } },
    { name: 'str_replace_editor', args: { command: 'create', path, file_text: 'overwritten' } },
    { name: 'workspace.view', args: { path } },
  ])
}

/** Statements that would write, or reach what is no row of the database. */
const statements = (canary: string): readonly string[] => [
  `attach '${canary}' as x`,
  `select 1; attach '${canary}' as x`,
  `select readfile('${canary}')`,
  `select writefile('${canary}', 'overwritten')`,
  "select load_extension('libc.so.6')",
  "select fts3_tokenizer('x', x'00')",
  'pragma writable_schema = 1',
  'select * from pragma_database_list',
  `vacuum into '${canary}'`,
  'delete from customers',
  'update customers set name = 0',
  'insert into customers default values',
  'drop table customers',
  'create table left (a)',
  'create temp table left (a)',
  'with x as (select 1) delete from customers',
  'select 1 where 1 = 1; drop table customers',
  `select * from "${canary}"`,
]

export function sqlAttacks(canary: string): Attack[] {
  return [
    ...statements(canary).map((sql) => ({ name: 'sql.execute', args: { database: 'retail', sql } })),
    ...pathsOut(canary).map((path) => ({
      name: 'sql.execute',
      args: { database: `file:${path}`, sql: 'select * from data' },
    })),
  ]
}

/** Addresses that lead to this machine or into private networks, with the port of the canary. */
export const hosts: readonly string[] = [
  ...['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]', '169.254.169.254'],
  ...['127.1', '0x7f.0.0.1', '0177.0.0.1', '0x7f000001', 'localhost.', 'LOCALHOST', 'a.localhost'],
  ...['①②⑦.0.0.1', '127。0。0。1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '198.18.0.1'],
  ...['[::]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[fc00::1]', '[fe80::1]', '[2002:7f00:1::]'],
]
