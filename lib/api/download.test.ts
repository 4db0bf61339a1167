/** Files that are asked for are closed, also when nobody reads them. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ask, type House, openHouse } from '#lib/server/house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

/** The open files of this process among those that people and agents have made. */
function openFiles(): string[] {
  return fs.readdirSync('/proc/self/fd').filter((each) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${each}`).startsWith(path.join(house.folder, 'artifacts'))
    } catch {
      // The folder itself, which is closed by now.
      return false
    }
  })
}

test
  .runIf(process.platform === 'linux')
  .each(['HEAD', 'a client that has left before', 'a client that leaves'])(
  'a file does not stay open after %s',
  async (how) => {
    const agentId = house.app.agents.create({ config: { name: 'writer' } }).id
    const { id: threadId } = house.app.threads.create({ agentId })
    const response = await ask('/api/threads/{id}/files', {
      method: 'POST',
      params: { id: threadId },
      query: '?name=large.txt',
      body: 'x'.repeat(300_000),
      headers: { 'content-type': 'application/octet-stream' },
    })
    const { id } = await response.json()
    const leaving = new AbortController()
    if (how === 'a client that has left before') leaving.abort()
    const method = how === 'HEAD' ? 'HEAD' : 'GET'
    const answer = await ask('/api/artifacts/{id}', { method, params: { id }, signal: leaving.signal })
    expect(answer.status).toBe(200)
    if (how === 'a client that leaves') {
      expect(openFiles()).toHaveLength(1)
      leaving.abort()
    }
    await vi.waitFor(() => expect(openFiles()).toEqual([]))
  },
)
