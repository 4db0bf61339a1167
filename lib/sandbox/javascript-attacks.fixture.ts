/** Ways in which foreign JavaScript has escaped elsewhere, each with its expected outcome here. */
import type { JsonValue } from '#lib/spec/json'

export interface Attack {
  readonly name: string
  readonly source: string
  /**
   * `args` are `{ file, port }`: a file outside that must not be read, and a port that must not be reached.
   */
  readonly outcome:
    | { readonly value: JsonValue | undefined }
    | { readonly code: Code }
    | { readonly error: string }
}
type Code = 'timeout' | 'memory' | 'too_large'

const value = (given?: JsonValue) => ({ value: given })
const error = (text: string) => ({ error: text })
const code = (given: Code) => ({ code: given })
const attack = (name: string, source: string, outcome: Attack['outcome']): Attack => ({
  name,
  source,
  outcome,
})

/** What an attack does with a host object once it has reached one. */
const walk = `
  const found = []
  const names = ['process', 'require', 'module', 'Buffer', 'fetch', 'WebAssembly', 'Deno', 'Bun', 'std', 'os', 'bjson', 'global', 'window', 'self', 'XMLHttpRequest', 'Worker', 'importScripts', '__dirname', 'print', 'load', 'scriptArgs']
  const look = (at) => { for (const name of names) if (at != null && at[name] !== undefined && at[name] !== Object.prototype[name]) found.push(name) }
`

export const escapes: readonly Attack[] = [
  attack(
    'constructor of a constructor',
    "return this.constructor.constructor('return process')().env",
    error("ReferenceError: 'process' is not defined"),
  ),
  attack(
    'constructor of files',
    "return files.read.constructor.constructor('return typeof process + typeof require')()",
    value('undefinedundefined'),
  ),
  attack(
    'constructor of a promise of files',
    "return files.read('x').constructor.constructor('return typeof process')()",
    value('undefined'),
  ),
  attack(
    'constructor of an error of files',
    "try { await files.read('x') } catch (e) { return e.constructor.constructor('return typeof process')() }",
    value('undefined'),
  ),
  attack(
    'async function constructor',
    "const F = (async () => {}).constructor; return await F('return typeof process')()",
    value('undefined'),
  ),
  attack(
    'generator function constructor',
    "const F = (function* () {}).constructor; return F('yield typeof process')().next().value",
    value('undefined'),
  ),
  attack(
    'async generator function constructor',
    "const F = (async function* () {}).constructor; return (await F('yield typeof require')().next()).value",
    value('undefined'),
  ),
  attack('indirect eval', "return (0, eval)('typeof process')", value('undefined')),
  attack(
    'getBuiltinModule',
    "return process.getBuiltinModule('fs').readFileSync(args.file, 'utf8')",
    error("ReferenceError: 'process' is not defined"),
  ),
  attack(
    'require',
    "return require('fs').readFileSync(args.file, 'utf8')",
    error("ReferenceError: 'require' is not defined"),
  ),
  attack(
    'dynamic import of a module',
    "return (await import('node:fs')).readFileSync(args.file)",
    error("ReferenceError: could not load module 'node:fs'"),
  ),
  attack(
    'dynamic import of a file',
    'return Object.keys(await import(args.file))',
    error('ReferenceError: could not load module'),
  ),
  attack(
    'dynamic import of data',
    "return (await import('data:text/javascript,export default 1')).default",
    error('ReferenceError: could not load module'),
  ),
  attack('import.meta', 'return import.meta.url', error('SyntaxError')),
  attack('a static import', "import fs from 'fs'; return 1", error('SyntaxError')),
  attack(
    'fetch',
    'return await fetch("http://127.0.0.1:" + args.port)',
    error("ReferenceError: 'fetch' is not defined"),
  ),
  attack(
    'inspector and workers',
    'return [typeof Worker, typeof inspector, typeof queueMicrotask]',
    value(['undefined', 'undefined', 'undefined']),
  ),
  attack(
    'WebAssembly',
    'return new WebAssembly.Memory({ initial: 1 })',
    error("ReferenceError: 'WebAssembly' is not defined"),
  ),
  attack(
    'walking the global object',
    `${walk} look(globalThis); look(this); for (const key of Reflect.ownKeys(globalThis)) { try { look(globalThis[key]); look(globalThis[key].prototype) } catch {} } return found`,
    value([]),
  ),
  attack(
    'walking prototypes of what the host gave',
    `${walk} for (let at of [files, files.read, console.log, setTimeout, args]) while (at) { look(at); at = Object.getPrototypeOf(at) } return found`,
    value([]),
  ),
  attack(
    'prepareStackTrace',
    "Error.prepareStackTrace = (_, sites) => sites.map((each) => each.getThis && typeof each.getThis().process); try { null.x } catch (e) { return JSON.stringify(e.stack).includes('object') }",
    value(false),
  ),
  attack(
    'a stack that tells paths',
    'try { files.read.call() ; null.x } catch (e) { return /node_modules|file:|\\/home|\\/work|\\.mjs/.test(e.stack) }',
    value(false),
  ),
  attack(
    'callers of a callback',
    "function seek() { try { return String(seek.caller) } catch (e) { return e.name } } return seek().includes('say')",
    value(false),
  ),
  attack(
    'arguments of a caller',
    "let got; Object.defineProperty(Object.prototype, 'then', { get() { got = typeof say; return undefined }, configurable: true }); await 0; delete Object.prototype.then; return got ?? 'none'",
    value('none'),
  ),
  attack(
    'a name that is a symbol',
    "const e = new Error('x'); e.name = Symbol(); throw e",
    error('Error: x'),
  ),
  attack(
    'an error whose parts throw',
    'throw { get name() { throw 1 }, get message() { throw 2 }, get stack() { throw 3 } }',
    error('The code failed.'),
  ),
  attack(
    'an error that is a proxy',
    "throw new Proxy({}, { get(_, key) { return key === 'message' ? args.file.length > 0 && 'caught' : undefined } })",
    error('Error: caught'),
  ),
  attack(
    'a message that forges a line',
    "const e = new Error('x'); e.stack = 'at (/etc/passwd:7) source.js:99'; throw e",
    error('Error: x (line 99)'),
  ),
  attack(
    'Promise species',
    "class P extends Promise { static get [Symbol.species]() { return function (go) { go((v) => { throw v }, (v) => v.constructor.constructor('return process')()) } } }; return await P.resolve(1).then((v) => v).catch((e) => e.name)",
    error('TypeError'),
  ),
  attack(
    'a thenable',
    "return { then(go) { go(typeof go.constructor.constructor('return this')().process) } }",
    value('undefined'),
  ),
  attack(
    'a replaced then',
    'Promise.prototype.then = function (go) { go(process) }; return await (async () => 1)()',
    value(1),
  ),
  attack(
    'a replaced constructor of promises',
    "Promise.prototype.constructor = function (go) { go(() => {}, () => {}) }; return 'fine'",
    value('fine'),
  ),
  attack(
    'a replaced Promise',
    "globalThis.Promise = function () { throw 1 }; await files.write('a', 'b'); return 2",
    value(2),
  ),
  attack(
    'toJSON of everything',
    "Object.prototype.toJSON = String.prototype.toJSON = () => 'forged'; await files.write('a', 'b'); console.log('c'); return { real: 1 }",
    value('forged'),
  ),
  attack(
    'replaced JSON',
    'JSON.stringify = () => \'{"type":"done"}\'; JSON.parse = () => ({ ok: true }); return await files.read(\'in.txt\')',
    value('inside'),
  ),
  attack(
    'setters on prototypes',
    "const set = []; for (const key of ['type', 'id', 'path', '0', 'resolve', 'callback', 'rest']) for (const at of [Object.prototype, Array.prototype]) Object.defineProperty(at, key, { set(v) { set.push(key) }, get() { return undefined }, configurable: true }); await files.read('in.txt'); await new Promise((go) => setTimeout(go, 1)); console.log('x'); return set.length",
    value(0),
  ),
  attack(
    'replaced builtins of the bridge',
    "Reflect.apply = String.prototype.slice = Object.create = Array.isArray = () => { throw new Error('replaced') }; globalThis.Error = globalThis.TypeError = null; console.log('x'); return [await files.read('in.txt')]",
    value(['inside']),
  ),
  attack(
    'replaced files',
    "files.read = () => 'forged'; files = { read: 1 }; return typeof files.read",
    value('number'),
  ),
  attack(
    'Symbol.hasInstance',
    "for (const each of [Promise, Error]) Object.defineProperty(each, Symbol.hasInstance, { value: () => { throw new Error('asked') } }); return {}",
    error('Error: asked'),
  ),
  attack(
    'a getter on the value',
    "return { get a() { return typeof process } , get b() { return this.constructor.constructor('return typeof require')() } }",
    value({ a: 'undefined', b: 'undefined' }),
  ),
  attack('a getter that throws', "return { get a() { throw new Error('got') } }", error('Error: got')),
  attack(
    'a value that is a proxy',
    "return new Proxy({ a: 1 }, { ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (_, key) => String(key) })",
    value({ a: 'a', b: 'b' }),
  ),
  attack('a symbol as value', 'return Symbol.for("x")', error('TypeError: A symbol has no JSON form')),
  attack(
    'an object as path',
    "return await files.read({ toString() { return '/proc/self/root' + args.file } })",
    error('TypeError: files.read: the path must be a text'),
  ),
  attack(
    'a path of two minds',
    "let n = 0; const path = new String('in.txt'); path.toString = () => (n++ ? args.file : 'in.txt'); return await files.read(path)",
    error('TypeError: files.read: the path must be a text'),
  ),
  attack(
    '/proc/self/root',
    "return await files.read('/proc/self/root' + args.file)",
    error('Error: files.read'),
  ),
  attack(
    '/proc/self/environ',
    "return await files.read('../../../../../../../../proc/self/environ')",
    error('Error: files.read'),
  ),
  attack('the file itself', 'return await files.read(args.file)', error('Error: files.read')),
  attack('a path with a NUL', "return await files.read('in.txt\\0/../../x')", error('Error: files.read')),
  attack('writing outside', "await files.write('../../out.txt', 'x')", error('Error: files.write')),
  attack(
    'closing the wrapper',
    '}), (async function () { return typeof process + typeof say',
    value('undefinedundefined'),
  ),
  attack('a directive and a comment', "'use strict'; /* */ return typeof this //", value('undefined')),
  attack(
    'words of the bridge',
    'return [typeof say, typeof begin, typeof answer, typeof fire, typeof report, typeof waiting]',
    value(['undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'undefined']),
  ),
  attack(
    'lines of the protocol',
    'console.log(\'\\n{"type":"done","json":"1"}\\n\'); return \'mine\'',
    value('mine'),
  ),
  attack(
    'prototype pollution by keys',
    'return JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\').polluted === undefined',
    value(true),
  ),
  attack('shared memory', 'return new SharedArrayBuffer(8).byteLength', value(8)),
  attack(
    'waiting on shared memory',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)',
    error("ReferenceError: 'Atomics' is not defined"),
  ),
  attack('a timer that evaluates', "setTimeout('process.exit()')", error('TypeError')),
  attack(
    'finalizers',
    'const r = new FinalizationRegistry((v) => v.process); r.register({}, {}); return typeof r',
    value('object'),
  ),
]

export const bombs: readonly Attack[] = [
  attack('an endless loop', 'for (;;);', code('timeout')),
  attack('an endless loop after a wait', 'await 0; for (;;);', code('timeout')),
  attack('an endless loop in a getter of the value', 'return { get a() { for (;;); } }', code('timeout')),
  attack('an endless loop in an error', 'throw { get message() { for (;;); } }', code('timeout')),
  attack(
    'an endless loop that catches all',
    'for (;;) try { for (;;); } catch {} finally { continue }',
    code('timeout'),
  ),
  attack(
    'endless microtasks',
    // `again` returns nothing: a chain of promises that wait for each other would also use up the memory.
    'const again = () => { Promise.resolve().then(again) }; again(); await new Promise(() => {})',
    code('timeout'),
  ),
  attack(
    'endless timers',
    'const again = () => { for (let n = 0; n < 9; n++) setTimeout(again, 0) }; again(); await new Promise(() => {})',
    error('RangeError: setTimeout: more than 1000 timers wait'),
  ),
  attack(
    'a timer after a timer',
    'const again = () => setTimeout(again, 0); again(); await new Promise(() => {})',
    code('timeout'),
  ),
  attack('a pattern that never ends', "return /^(a+)+$/.test('a'.repeat(40) + '!')", code('timeout')),
  attack('deep recursion', 'const deep = () => deep(); deep()', error('InternalError: stack overflow')),
  attack(
    'deep recursion in brackets',
    "return eval('('.repeat(1e5) + ')'.repeat(1e5))",
    error('InternalError: stack overflow'),
  ),
  attack(
    'deep recursion in toString',
    "const o = { toString() { return '' + o } }; return '' + o",
    error('InternalError: stack overflow'),
  ),
  attack('a long text', "let s = 'x'; for (;;) s += s", error('InternalError: string too long')),
  attack('many texts', "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", code('memory')),
  attack('many objects', 'globalThis.a = []; for (;;) a.push([{}])', code('memory')),
  attack('a large buffer', 'return new ArrayBuffer(1e10 / 5).byteLength', code('memory')),
  attack('a large array', 'return new Array(1e8).fill(0).length', code('memory')),
  attack('a large shared buffer', 'return new SharedArrayBuffer(1e9).byteLength', code('memory')),
  attack('a large number', 'return String(3n ** 50000000n).length', error('RangeError')),
  attack('a large value', "return 'x'.repeat(3e6)", code('too_large')),
  attack(
    'many files',
    "for (let n = 0; n < 1e6; n++) await files.write('f' + n, '')",
    error('Error: files.write: one execution may make at most 1000 requests'),
  ),
  attack(
    'writes that nobody awaits',
    "for (let n = 0; n < 5000; n++) files.write('f' + n, 'x'); return 'gone'",
    value('gone'),
  ),
]
