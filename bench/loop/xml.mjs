/**
 * Reads 200 kB of calls in the XML format, in pieces of eight characters: our decoder and the floor,
 * alternating.
 */
import { createFloor } from './xml-floor.mjs'

const size = 200_000
const piece = 8
const valueSize = 10_000

const plain = 'The quick brown fox jumps over the lazy dog, and then it does so again.\n'
const code =
  'const m: Map<string, Array<number>> = new Map();\nif (a < b && c > d || x <y) return <div className="k" hidden>{t} &amp; &lt;ok&gt;</div>;\nfor (let i=0;i<n;i++) { s += "<" + i; } // a & b\n'
const quoting = 'Write `<parameter name="y">v</parameter> and then text` in the docs, with </invoke> too.\n'
const escaped = code.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/**
 * The texts by name; the floor misreads every call of the last, since its values contain closing tags of
 * values.
 */
const samples = { plain, 'code, escaped': escaped, 'code, raw': code, 'quoting the format': quoting }

function textOf(sample) {
  const value = sample
    .repeat(Math.ceil(valueSize / sample.length))
    .slice(0, valueSize)
    .trimEnd()
  const calls = []
  let text = ''
  while (text.length < size) {
    const path = `src/f${calls.length}.ts`
    calls.push({ name: 'write', params: { path, content: value } })
    text += `Some words before call ${calls.length}.\n<function_calls>\n<invoke name="write">\n<parameter name="path">${path}</parameter>\n<parameter name="content">${value}</parameter>\n</invoke>\n</function_calls>\n`
  }
  const pieces = []
  for (let at = 0; at < text.length; at += piece) pieces.push(text.slice(at, at + piece))
  return { pieces, calls, value }
}

const counted = { floor: 0, ours: 0 }

function floor(pieces) {
  const calls = []
  const read = createFloor(calls, (text) => {
    counted.floor += text.length
  })
  for (const each of pieces) read(each)
  // Each value is read once, so that none stays a rope of pieces.
  for (const { params } of calls)
    for (const value of Object.values(params)) counted.floor += value.charCodeAt(value.length - 1)
  return calls
}

function cpuOf(work) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/**
 * @param {(hear: (text: string) => void) => (pieces: string[]) => unknown[]} openDecoder
 * @returns {{name: string, floor: number[], ours: number[], isRight: boolean}[]} milliseconds of CPU for a
 * text, alternating
 */
export function measureXml(openDecoder, { reps, texts = 20 }) {
  const ours = openDecoder((text) => {
    counted.ours += text.length
  })
  return Object.entries(samples).map(([name, sample]) => {
    const { pieces, calls } = textOf(sample)
    const turns = { floor: [], ours: [] }
    const times = (read) =>
      cpuOf(() => {
        for (let turn = 0; turn < texts; turn++) read(pieces)
      }) / texts
    // Lets the compiler optimize both first.
    for (let turn = 0; turn < 3; turn++) times(floor)
    for (let turn = 0; turn < 3; turn++) times(ours)
    for (let rep = 0; rep < reps; rep++) {
      turns.floor.push(times(floor))
      turns.ours.push(times(ours))
    }
    const read = ours(pieces).map(({ name, args }) => ({ name, params: JSON.parse(args) }))
    const isRight = JSON.stringify(read) === JSON.stringify(calls)
    return { name, floor: turns.floor, ours: turns.ours, isRight }
  })
}
