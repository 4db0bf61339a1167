import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader, frameOf } from './frames'

const limits = { maxLineBytes: 100, maxBodyBytes: 1_000 }
const bytes = (text: string) => new TextEncoder().encode(text)

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', () => {
    const frame = fc.record({ type: fc.string({ maxLength: 10 }), body: fc.uint8Array({ maxLength: 300 }) })
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.integer({ min: 1, max: 90 }), (frames, step) => {
        const all = Buffer.concat(frames.map(({ type, body }) => frameOf({ type }, body)))
        const reader = new FrameReader(limits)
        const read = []
        for (let at = 0; at < all.length; at += step)
          read.push(...(reader.add(all.subarray(at, at + step)) ?? []))
        expect(read.map(({ header, body }) => ({ type: header.type, body: [...body] }))).toEqual(
          frames.map(({ type, body }) => ({ type, body: [...body] })),
        )
      }),
    )
  })

  it.each([
    ['a line that does not end', bytes('x'.repeat(101))],
    ['a line that is too long', bytes(`{"a":"${'x'.repeat(101)}"}\n`)],
    ['a header that is not JSON', bytes('nonsense\n')],
    ['a header that is not an object', bytes('[1]\n')],
    ['a body that is too long', bytes('{"bytes":1001}\n')],
    ['a body of a negative length', bytes('{"bytes":-1}\n')],
    ['a length that is no number', bytes('{"bytes":"5"}\n')],
  ])('end at %s', (_, given) => {
    const reader = new FrameReader(limits)
    expect(reader.add(given)).toBeUndefined()
    expect(reader.add(frameOf({ type: 'ready' }))).toBeUndefined()
  })
})
