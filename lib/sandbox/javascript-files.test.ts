import { describe, expect, it } from 'vitest'
import { memoryFiles } from './javascript.fixture'
import { JavascriptFiles } from './javascript-files'

const write = (id: number, path: string, text: string) => ({ type: 'write', id, path, text }) as const
const read = (id: number, path: string) => ({ type: 'read', id, path }) as const

describe('the files of an execution', () => {
  it('are asked for one after another, in the order of asking', async () => {
    const port = memoryFiles()
    const files = new JavascriptFiles(port)
    const answers = await Promise.all([
      files.ask(write(1, 'a', '1')),
      files.ask(read(2, 'a')),
      files.ask(write(3, 'a', '2')),
      files.ask(read(4, 'a')),
    ])
    expect(answers.map(({ text }) => text)).toEqual(['', '1', '', '2'])
    expect(files.written).toEqual(['a'])
  })

  it('T53 are 64 MiB at most', async () => {
    const files = new JavascriptFiles(memoryFiles())
    const text = 'x'.repeat(5_000_000)
    for (let n = 0; n < 13; n++) expect(await files.ask(write(n, 'f', text))).toMatchObject({ ok: true })
    expect(await files.ask(write(14, 'f', text))).toEqual({
      type: 'file',
      id: 14,
      ok: false,
      text: 'files.write: one execution may write at most 64 MiB',
    })
  })

  it('T53 are a flood once far more is asked for than is answered', async () => {
    const files = new JavascriptFiles(memoryFiles())
    for (let n = 0; n < 2_000; n++) await files.ask(read(n, 'none'))
    expect(files.isFlood).toBe(false)
    await files.ask(read(2_001, 'none'))
    expect(files.isFlood).toBe(true)
  })

  it('are full while too many wait', async () => {
    const files = new JavascriptFiles(memoryFiles())
    for (let n = 0; n < 8; n++) void files.ask(read(n, 'none'))
    expect(files.isFull).toBe(true)
    await files.settled()
    expect(files.isFull).toBe(false)
  })

  it('once closed finish what has begun and refuse the rest', async () => {
    let finish = () => {}
    const slow = new Promise<void>((resolve) => {
      finish = resolve
    })
    const port = memoryFiles()
    const files = new JavascriptFiles({
      ...port,
      write: async (path, content) => {
        await slow
        return port.write(path, content)
      },
    })
    const first = files.ask(write(1, 'a', '1'))
    const second = files.ask(write(2, 'b', '2'))
    await Promise.resolve()
    files.close()
    finish()
    await files.settled()
    expect(await first).toMatchObject({ ok: true })
    expect(await second).toMatchObject({ ok: false })
    expect(files.written).toEqual(['a'])
  })

  it('are only read where the code may not write: the refusal says why, and nothing is written', async () => {
    const port = memoryFiles({ a: '1' })
    const files = new JavascriptFiles({ read: port.read })
    expect(await files.ask(read(1, 'a'))).toMatchObject({ ok: true, text: '1' })
    expect(await files.ask(write(2, 'a', '2'))).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^files\.write: this tool may only read files/),
    })
    expect(files.written).toEqual([])
    expect(port.stored.get('a')?.toString()).toBe('1')
  })

  it('that can not be reached are told, whatever the port does', async () => {
    const files = new JavascriptFiles({
      ...memoryFiles(),
      read: () => Promise.reject(new Error('/secret/place')),
    })
    expect(await files.ask(read(1, 'a'))).toMatchObject({
      ok: false,
      text: 'files.read: the file cannot be reached',
    })
  })
})
