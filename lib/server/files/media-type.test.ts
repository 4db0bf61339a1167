import { expect, it } from 'vitest'
import { mediaTypeOf } from './media-type'

it.each([
  ['a.csv', 'a,b', 'text/csv'],
  ['A.MD', '# A', 'text/markdown'],
  ['page.html', '<p>', 'text/html'],
  ['a.unknown', 'plain', 'text/plain'],
  ['a', '', 'text/plain'],
  ['a.csv', 'a\0b', 'application/octet-stream'],
  ['a.txt', Buffer.from([0xff, 0xfe]), 'application/octet-stream'],
  ['cut.txt', Buffer.from('ü').subarray(0, 1), 'text/plain'],
  ['a.png', Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1'), 'image/png'],
  ['a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
  ['a.png', '<svg>', 'application/octet-stream'],
  ['a.pdf', '%PDF-1.7', 'application/pdf'],
  ['a.xlsx', 'PK\x03\x04', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
])('%s that begins so is %3$s', (name, head, type) => {
  expect(mediaTypeOf(name, Buffer.from(head as string))).toBe(type) // cast: Buffer.from takes bytes as well
})
