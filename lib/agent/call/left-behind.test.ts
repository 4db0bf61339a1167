import { expect, test } from 'vitest'
import { calls, collect, createRig, createTool, of, said, text } from '../rig.fixture'

test('a body that was left behind at its time limit is not read any more when it ends (E-43)', async () => {
  for (const late of [() => said('too late'), () => Promise.reject(new Error('too late'))]) {
    let end = () => {}
    const body = new Promise<void>((resolve) => {
      end = resolve
    })
    const look = createTool('look', { timeoutSeconds: 1, run: () => body.then(late) })
    const read: string[] = []
    const redact = (words: string) => {
      read.push(words)
      return words
    }
    const { deps } = createRig({ play: [calls('look'), text('ok')], tools: [look], deps: { redact } })
    expect(of(await collect(deps), 'call.finished')).toMatchObject([{ status: 'timeout' }])
    end()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(read).not.toContainEqual(expect.stringContaining('too late'))
  }
})
