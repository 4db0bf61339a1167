/**
 * The code that runs inside QuickJS before the foreign source: its globals, and the one function
 * through which data leaves.
 */

/** The file name of the foreign source in stack traces. */
export const sourceName = 'source.js'

/**
 * A function of `say(kind, id, first, second)` that sets the globals and returns `{ begin,
 * answer, fire, report }`.
 * It takes the built-ins it needs before the foreign source can replace them. Texts leave as JSON, because a
 * NUL character would end them on the way. The host still does not trust its messages: it runs in the same
 * engine as code that may have taken control of it.
 */
export const guest = `(function (say) {
  'use strict'
  const { stringify, parse } = JSON
  const { apply } = Reflect
  const { create } = Object
  const { slice } = String.prototype
  const { has: mapHas } = Map.prototype, { has: setHas } = Set.prototype
  const { isArray } = Array
  const GuestError = Error, GuestTypeError = TypeError, GuestRangeError = RangeError, GuestPromise = Promise
  const text = String

  const mostChars = 5 * 1024 * 1024
  const mostWaiting = 100
  const mostTimers = 1000
  const waiting = create(null)
  let waitingCount = 0
  const timers = create(null)
  let timerCount = 0
  let lastId = 0

  const cut = (value, length) => (value.length > length ? apply(slice, value, [0, length]) : value)

  function ask(kind, path, content) {
    return new GuestPromise((resolve, reject) => {
      if (typeof path !== 'string') return reject(new GuestTypeError('files.' + kind + ': the path must be a text'))
      if (path.length > 4096) return reject(new GuestError('files.' + kind + ': the path is too long'))
      if (kind === 'write' && typeof content !== 'string')
        return reject(new GuestTypeError('files.write: the content must be a text; JSON.stringify makes one of a value'))
      if (kind === 'write' && content.length > mostChars)
        return reject(new GuestError('files.write: the content is longer than 5 MiB'))
      if (waitingCount >= mostWaiting)
        return reject(new GuestError('files: more than ' + mostWaiting + ' requests wait; await them first'))
      const id = ++lastId
      waitingCount++
      waiting[id] = { __proto__: null, resolve, reject }
      say(kind, id, stringify(path), kind === 'write' ? stringify(content) : '""')
    })
  }

  function answer(id, isOk, json) {
    const { resolve, reject } = waiting[id]
    delete waiting[id]
    waitingCount--
    const value = parse(json)
    if (isOk) resolve(value)
    else reject(new GuestError(value))
  }

  function shown(value) {
    if (typeof value === 'string') return value
    if (typeof value === 'symbol' || typeof value === 'function') return text(value)
    if (typeof value !== 'object' || value === null) return text(value)
    if (value instanceof GuestError) return text(value.name) + ': ' + text(value.message)
    const json = stringify(value)
    return typeof json === 'string' ? json : text(value)
  }

  function log() {
    let line = ''
    for (let n = 0; n < arguments.length; n++) {
      let part
      try {
        part = shown(arguments[n])
      } catch {
        part = '(a value that cannot be shown)'
      }
      line += (n === 0 ? '' : ' ') + cut(part, 262144)
    }
    say('log', 0, stringify(cut(line, 262144)), '""')
  }

  function setTimer(callback, delay, ...rest) {
    if (typeof callback !== 'function') throw new GuestTypeError('setTimeout: the first argument must be a function')
    if (timerCount >= mostTimers) throw new GuestRangeError('setTimeout: more than ' + mostTimers + ' timers wait')
    const id = ++lastId
    const wait = typeof delay === 'number' && delay > 0 ? delay : 0
    timers[id] = { __proto__: null, callback, rest }
    timerCount++
    say('timer', id, stringify(text(wait)), '""')
    return id
  }

  function clearTimer(id) {
    if (typeof id !== 'number' || timers[id] === undefined) return
    delete timers[id]
    timerCount--
    say('clear', id, '""', '""')
  }

  function fire(id) {
    const timer = timers[id]
    if (timer === undefined) return
    delete timers[id]
    timerCount--
    apply(timer.callback, undefined, timer.rest)
  }

  const noJson = (what, instead) => new GuestTypeError(what + ' has no JSON form: ' + instead)

  function checked(key, value) {
    switch (typeof value) {
      case 'function':
        throw noJson('A function', 'return its result')
      case 'symbol':
        throw noJson('A symbol', 'return a text')
      case 'bigint':
        throw noJson('A BigInt', 'return Number(value) or String(value)')
      case 'object':
        if (value !== null && !isArray(value)) checkObject(value)
    }
    return value
  }

  function checkObject(value) {
    if (value instanceof GuestPromise) throw noJson('A promise', 'await it')
    if (isOf(mapHas, value)) throw noJson('A Map', 'return Object.fromEntries(map)')
    if (isOf(setHas, value)) throw noJson('A Set', 'return [...set]')
  }

  function isOf(has, value) {
    try {
      apply(has, value, [0])
      return true
    } catch {
      return false
    }
  }

  async function begin(main, args, run) {
    let json
    try {
      globalThis.run = parse(run)
      const value = await main(parse(args))
      json = stringify(value, checked)
    } catch (error) {
      report(error)
      return
    }
    if (json === undefined) say('done', 0, '', '')
    else say('done', 1, json, '')
  }

  const part = (value, length) => (typeof value === 'string' ? stringify(cut(value, length)) : '""')

  function report(error) {
    let told = '""', stack = '""'
    try {
      if (typeof error === 'object' && error !== null) {
        const { name, message } = error
        const plain = typeof name !== 'string' && typeof message !== 'string'
        const words = plain
          ? shown(error)
          : cut(typeof name === 'string' ? name : 'Error', 200) + ': ' + (typeof message === 'string' ? message : '')
        told = part(words, 4000)
        stack = part(error.stack, 16000)
      } else told = part(text(error), 4000)
    } catch {}
    say('failed', 0, told, stack)
  }

  function note(words) {
    if (typeof words !== 'string') throw new GuestTypeError('note: the note must be a text')
    say('note', 0, stringify(cut(words, 4000)), '""')
  }

  const own = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true })
  const read = (path) => ask('read', path)
  const write = (path, content) => ask('write', path, content)
  Object.defineProperties(globalThis, {
    files: own({ read, write }),
    console: own({ log, info: log, warn: log, error: log, debug: log }),
    note: own(note),
    setTimeout: own(setTimer),
    clearTimeout: own(clearTimer),
  })
  return { begin, answer, fire, report }
})`
