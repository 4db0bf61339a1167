import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse } from '#lib/server/house.fixture'
import { lockFolder } from '#lib/server/lock'
import { type Api, openApi } from '#lib/server/ports/http.fixture'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

let folder = ''
let api: Api
/** The addresses that were asked for, in order. */
const reads: string[] = []
const data = () => path.join(folder, 'data')
const documentOf = (operations: object) =>
  JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths: { '/pets': operations } })
const first = documentOf({
  get: { operationId: 'getPet', summary: 'Finds a pet.' },
  post: { operationId: 'addPet' },
})
const second = documentOf({
  get: { operationId: 'getPet', summary: 'Other words.' },
  put: { operationId: 'putPet' },
})

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-apis-'))
  api = await openApi((request, response) => {
    reads.push(request.path)
    response.end(second)
  })
  await openHouse({ folder: data() }).leave()
  fs.writeFileSync(path.join(folder, 'pets.json'), first)
  fs.writeFileSync(path.join(folder, 'newer.json'), second)
  fs.writeFileSync(path.join(folder, 'old.json'), '{"swagger":"2.0"}')
})
afterAll(async () => {
  await api.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function apis(...args: string[]) {
  const terminal = testTerminal({
    folder,
    env: { LOOPWRIGHT_DATA: data(), LOOPWRIGHT_ALLOW_HOSTS: api.host },
  })
  const code = await main(['apis', ...args], terminal)
  return { code, out: terminal.printed, said: terminal.said }
}

describe('loopwright apis', { timeout: 30_000 }, () => {
  it('issue 18.6 adds, lists, shows, compares, replaces and removes the documents of a data folder', async () => {
    expect(await apis('list')).toEqual({ code: 0, out: '', said: '' })
    expect(await apis('add', 'pets', 'pets.json')).toMatchObject({
      code: 0,
      out: 'pets: Pets 1, 2 operations\n',
    })
    expect((await apis('show', 'pets')).out).toBe('getPet: GET /pets, Finds a pet.\naddPet: POST /pets\n')
    expect((await apis('show', 'pets', 'post PETS')).out).toBe('addPet: POST /pets\n')
    expect((await apis('show', 'pets', 'cats')).said).toContain('No operation of pets has “cats”.')

    const lines = 'added: putPet\nchanged: getPet\nremoved: addPet\n'
    expect((await apis('diff', 'pets', 'newer.json')).out).toBe(lines)
    const refused = await apis('add', 'pets', 'newer.json')
    expect(refused).toMatchObject({ code: 1, out: '', said: expect.stringContaining('Give --replace') })
    expect(refused.said).toContain(lines)
    expect((await apis('diff', 'pets', 'pets.json')).out).toBe('No operation differs.\n')

    const replaced = await apis('add', 'pets', `${api.url}/openapi.json`, '--replace')
    expect(replaced.out).toBe(`pets: Pets 1, 2 operations, from ${api.url}/openapi.json\n${lines}`)
    expect((await apis('diff', 'pets')).out).toBe('No operation differs.\n')
    const house = openHouse({ folder: data() })
    expect(house.app.openapiDocuments.get('pets').list.map(({ name }) => name)).toEqual(['getPet', 'putPet'])
    await house.leave()
    const lock = lockFolder(data())
    expect(await apis('list')).toMatchObject({ code: 1, said: expect.stringContaining('Settings → APIs') })
    lock.release()
    expect(await apis('remove', 'pets')).toMatchObject({ code: 0 })
    expect((await apis('list')).out).toBe('')
  })

  it('reads an added document once, and leaves the one that is there', async () => {
    reads.length = 0
    const address = `${api.url}/once.json`
    expect(await apis('add', 'once', address)).toMatchObject({ code: 0 })
    expect(await apis('add', 'once', address)).toMatchObject({ code: 0 })
    expect(reads).toEqual(['/once.json', '/once.json'])
    expect(await apis('add', 'once', 'pets.json')).toMatchObject({ code: 1, out: '' })
    expect((await apis('show', 'once')).out).toContain('putPet')
    expect(await apis('remove', 'once')).toMatchObject({ code: 0 })
  })

  it.each([
    [2, ['add', 'Pets', 'pets.json'], 'is no name of a document'],
    [2, ['add', 'pets', 'lost.json'], 'There is no file'],
    [1, ['add', 'pets', 'old.json'], 'Swagger 2.0'],
    [1, ['add', 'pets', 'http://127.0.0.1:1/openapi.json'], 'Port 1 is not open'],
    [1, ['show', 'none'], 'There is no OpenAPI document “none” here.'],
    [2, ['add', 'pets'], 'The file or address is missing.'],
    [2, ['list', '--replace'], '--replace belongs to add.'],
    [2, ['dance'], 'Say list, show, diff, add or remove.'],
  ])('ends with %i for %j, and says why', async (code, args, sentence) => {
    const refused = await apis(...args)
    expect(refused).toMatchObject({ code, out: '' })
    expect(refused.said).toContain(sentence)
  })
})
