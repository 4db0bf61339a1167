import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import { sandboxView } from '#lib/wire/sandbox'
import { triedTool } from '#lib/wire/tools'

let house: House | undefined
afterEach(async () => {
  await house?.end()
  house = undefined
})

const sandbox = async (response: Promise<Response>) => sandboxView.parse(await (await response).json())

describe('the sandbox over the API', () => {
  test('T8 names the wall of each kind of code, tests all of them on demand, and a shell script runs behind it', async () => {
    house = openHouse()
    const { kinds } = await sandbox(ask('/api/sandbox', { query: '?kind=readers' }))
    expect(kinds.map(({ kind }) => kind)).toEqual(['readers'])
    expect((await ask('/api/sandbox', { query: '?kind=cellar' })).status).toBe(400)

    const first = await sandbox(ask('/api/sandbox'))
    expect(first.minimum).toBe('process')
    const shell = first.kinds.find(({ kind }) => kind === 'shell')
    const used = shell?.walls.find(({ id }) => id === shell.used)
    expect(used?.test).toMatchObject({ holds: true })

    const tested = await sandbox(ask('/api/sandbox/test', { method: 'POST', body: {} }))
    const walls = tested.kinds.flatMap((each) => each.walls)
    expect(walls.filter((each) => each.test === null)).toEqual([])

    const body = { args: { script: 'echo "$((6 * 7))" > answer.txt; cat answer.txt' } }
    const name = { name: 'shell.run' }
    const tried = await ask('/api/tools/{name}/try', { method: 'POST', body, params: name })
    const { status, result, metadata } = triedTool.parse(await tried.json())
    expect(status).toBe('ok')
    expect(result.blocks[0]).toMatchObject({ text: 'Exit code 0. Files made or changed: answer.txt.\n42' })
    expect(metadata).toMatchObject({ exitCode: 0, wall: { id: shell?.used, promises: used?.promises } })
    expect(readdirSync(path.join(house.folder, 'tmp'))).toEqual([])
  })
})
