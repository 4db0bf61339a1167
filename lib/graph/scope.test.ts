import { expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import type { Scope } from '#lib/spec/tool-scope'
import { globsOf } from './scope'

const kindWith = (scope: Scope) => ({ scope }) as NodeKind // cast: only the scope is read
const api: Scope = { prefix: 'name', list: 'operations', itemName: 'name' }
const server: Scope = { prefix: 'server', list: 'enable' }

test.each<[Scope, JsonObject, string[]]>([
  [
    api,
    { name: 'pets', operations: [{ name: 'getPet' }, { name: 'addPet' }] },
    ['pets.getPet', 'pets.addPet'],
  ],
  [api, { name: 'pets', operations: [] }, []],
  [api, { name: 'pets' }, []],
  [server, { server: 'files', enable: ['read'] }, ['files.read']],
  [server, { server: 'files' }, ['files.*']],
])('the scope %j of %j names %j', (scope, config, globs) => {
  expect(globsOf(config, kindWith(scope))).toEqual(globs)
})
