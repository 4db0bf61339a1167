import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createProcessGroup, groupIn } from './process-group'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'process-group-'))
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

test('no group is made in a plain folder, whose files limit nothing, and nothing is left in it', () => {
  expect(groupIn([folder, path.join(folder, 'missing')], 8)).toBeUndefined()
  expect(fs.readdirSync(folder)).toEqual([])
})

test('T53 a group holds its limit, and is gone after its removal', (context) => {
  const group = createProcessGroup(8)
  if (group === undefined) return context.skip('this process is not root, or may not make control groups')
  const place = path.dirname(group.members)
  expect(fs.readFileSync(path.join(place, 'pids.max'), 'utf8').trim()).toBe('8')
  group.remove()
  expect(fs.existsSync(place)).toBe(false)
})
