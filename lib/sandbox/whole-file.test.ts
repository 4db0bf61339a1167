import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { FilesPort } from '#lib/spec/sandbox'
import { readWhole } from './whole-file'

function filesWith(bytes: number, content: Readable): Pick<FilesPort, 'open'> {
  return { open: async () => ({ ok: true, value: { bytes, content } }) }
}

test('a file is read whole up to the limit, and nothing of a larger one', async () => {
  const fits = Readable.from([Buffer.from('ab'), Buffer.from('c')])
  expect(await readWhole(filesWith(3, fits), 'a.json', 3)).toEqual({ ok: true, content: Buffer.from('abc') })
  const large = new Readable({
    read() {
      throw new Error('it was read')
    },
  })
  expect(await readWhole(filesWith(4, large), 'a.json', 3)).toEqual({ ok: false, code: 'too_large' })
  expect(large.destroyed).toBe(true)
})

test('a file that breaks off, one that is missing and files that are none are told', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('EIO'))
    },
  })
  expect(await readWhole(filesWith(3, broken), 'a.json', 3)).toMatchObject({
    code: 'unread',
    message: '"a.json" cannot be read from the disk just now.',
  })
  const message = 'There is no "a.json" in the workspace.'
  const missing = { open: async () => ({ ok: false, code: 'not_found', message }) as const }
  expect(await readWhole(missing, 'a.json', 3)).toEqual({ ok: false, code: 'unread', message })
  expect(await readWhole({}, 'a.json', 3)).toMatchObject({ message: 'There are no files here.' })
})
