import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SseEvent, SseReader } from './sse'

const bytes = (text: string) => new TextEncoder().encode(text)

function read(reads: readonly Uint8Array[]): SseEvent[] {
  const reader = new SseReader(1024 * 1024)
  const events = reads.flatMap((each) => reader.push(each))
  const last = reader.end()
  return last === undefined ? events : [...events, last]
}

const datas = (text: string) => read([bytes(text)]).map((each) => each.data)

describe('events', () => {
  test('L14: end in LF, CR or CRLF, may lack the space, be of many lines, and stand between comments', () => {
    expect(datas('data: a\n\ndata:b\n\n')).toEqual(['a', 'b'])
    expect(datas('data: a\r\n\r\ndata: b\r\n\r\n')).toEqual(['a', 'b'])
    expect(datas('data: a\r\rdata: b\r\r')).toEqual(['a', 'b'])
    expect(datas('data: a\r\n\ndata: b\n\r\n')).toEqual(['a', 'b'])
    expect(datas('data: {\ndata: "x": 1}\n\n')).toEqual(['{\n"x": 1}'])
    expect(datas(': ping\n\n:\nid: 7\nretry: 10\ndata: a\n: in between\ndata: b\n\n')).toEqual(['a\nb'])
    expect(datas('\uFEFFdata: first\n\n')).toEqual(['first'])
    expect(datas('data:  two spaces\n\ndata\n\ndata:\n\n')).toEqual([' two spaces', '', ''])
  })

  test('carry their name, for one event alone', () => {
    expect(read([bytes('event: error\ndata: x\n\ndata: y\n\nevent: lost\n\n')])).toEqual([
      { event: 'error', data: 'x' },
      { data: 'y' },
    ])
  })

  test('that no blank line ends come at the end of the bytes', () => {
    expect(datas('data: a\n\ndata: [DONE]')).toEqual(['a', '[DONE]'])
    expect(datas('data: a\n\n: nothing')).toEqual(['a'])
  })

  test('L14: are the same for every cut into reads, characters split in the middle included', () => {
    const text =
      '\uFEFFdata: grüße 👋\r\n\r\n: c\rdata: b\rdata:c\r\r\nevent: x\ndata: {"a":"é"}\n\ndata: end'
    const all = bytes(text)
    const whole = read([all])
    for (let cut = 0; cut <= all.length; cut++)
      expect(read([all.subarray(0, cut), all.subarray(cut)])).toEqual(whole)
    fc.assert(
      fc.property(fc.array(fc.nat(all.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), all.length]
        const reads = at.slice(1).map((end, index) => all.subarray(at[index], end))
        expect(read(reads)).toEqual(whole)
      }),
    )
    expect(read(Array.from(all, (_, at) => all.subarray(at, at + 1)))).toEqual(whole)
  })
})

describe('limits', () => {
  test.each([
    ['a line that never ends', `data: ${'x'.repeat(1024 * 1024)}`],
    ['a line that ends', `data: ${'x'.repeat(1024 * 1024)}\n\n`],
    ['many lines', `${'data: 0123456789\n'.repeat(100_000)}\n`],
  ])('L15: %s of more than 1 MiB is told', (_, text) => {
    const reader = new SseReader(1024 * 1024)
    reader.push(bytes(text))
    expect(reader.isTooLarge).toBe(true)
  })

  test('one of nearly 1 MiB in small reads costs one pass', () => {
    const all = bytes(`data: ${'x'.repeat(1_000_000)}\n\n`)
    const reader = new SseReader(1024 * 1024)
    const events: SseEvent[] = []
    const before = process.cpuUsage()
    for (let at = 0; at < all.length; at += 64) events.push(...reader.push(all.subarray(at, at + 64)))
    expect(events[0]?.data.length).toBe(1_000_000)
    expect(reader.isTooLarge).toBe(false)
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})
