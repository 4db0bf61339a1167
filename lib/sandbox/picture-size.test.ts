import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pictureSizeIn } from './picture-size'

const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex')
const text = (latin: string) => Buffer.from(latin, 'latin1').toString('hex')

describe('the size of a picture', () => {
  test.each<[string, Buffer, object]>([
    ['PNG', bytes('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0'), { width: 640, height: 480 }],
    ['GIF', bytes(`${text('GIF89a')} 4001 f000`), { width: 320, height: 240 }],
    [
      'JPEG, after other segments',
      bytes('ffd8 ffe0 0004 0000 ffff fe0003 00 ffc2 0011 08 01e0 0280 03'),
      { width: 640, height: 480 },
    ],
    [
      'WebP with loss',
      bytes(`${text('RIFF')} 00000000 ${text('WEBPVP8 ')} 00000000 000000 9d012a 8002 e001`),
      { width: 640, height: 480 },
    ],
    [
      'WebP without loss',
      bytes(`${text('RIFF')} 00000000 ${text('WEBPVP8L')} 00000000 2f 7fc27700`),
      { width: 640, height: 480 },
    ],
    [
      'extended WebP',
      bytes(`${text('RIFF')} 00000000 ${text('WEBPVP8X')} 00000000 00000000 7f0200 df0100`),
      { width: 640, height: 480 },
    ],
  ])('is read from a %s', (_, head, size) => {
    expect(pictureSizeIn(head)).toEqual(size)
  })

  test('is unknown of other files, of broken ones and of none', () => {
    for (const head of ['', '25504446', '89504e470d0a1a0a', 'ffd8ffc0', 'ffd8ffe0ffff', 'ffd80000'])
      expect(pictureSizeIn(bytes(head))).toBeUndefined()
  })

  test('never fails, whatever the bytes are', () => {
    const marks = fc.constantFrom(
      '',
      'ffd8',
      '47494638',
      '89504e470d0a1a0a0000000d49484452',
      `${text('RIFF')}00000000${text('WEBPVP8 ')}`,
    )
    fc.assert(
      fc.property(marks, fc.uint8Array({ maxLength: 64 }), (mark, rest) => {
        const size = pictureSizeIn(Buffer.concat([bytes(mark), rest]))
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true)
      }),
    )
  })
})
