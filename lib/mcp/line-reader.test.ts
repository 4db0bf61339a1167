import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader, type LongLine } from './line-reader'

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000) {
  const lines: string[] = []
  const longs: LongLine[] = []
  const reader = new LineReader({
    maxBytes,
    line: (text) => lines.push(text),
    long: (line) => longs.push(line),
  })
  for (const each of chunks) reader.push(Buffer.from(each))
  return { lines, longs }
}

test('lines are whole however the bytes are cut', () => {
  const line = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/[\n\r]/.test(text))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 8 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''))
      const at = [0, ...cuts.filter((each) => each < bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
      expect(read(chunks).lines).toEqual(lines)
    }),
  )
})

test('a carriage return before the end of a line is not a part of it', () => {
  expect(read(['{"a":1}\r\n{}\r\n']).lines).toEqual(['{"a":1}', '{}'])
})

test('of a line over the limit only both ends are held, and the next line is read as usual', () => {
  const { lines, longs } = read(['{"id":7,', 'x'.repeat(3_000), '"last":1}\nnext\n'])
  expect(lines).toEqual(['next'])
  expect(longs).toHaveLength(1)
  expect(longs[0]?.head).toMatch(/^\{"id":7,x+$/)
  expect(longs[0]?.head).toHaveLength(512)
  expect(longs[0]?.tail).toMatch(/^x+"last":1\}$/)
  expect(longs[0]?.tail).toHaveLength(512)
})

test('the end of the stream without a line end gives no line', () => {
  expect(read(['{"half":']).lines).toEqual([])
})
