import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { openHouse } from '../house.fixture'
import { StartError } from '../start-error'
import { openDataFolder } from './data-folder'

let place: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())

const names = [
  'artifacts',
  'artifacts/incoming',
  'workspaces',
  'workspaces/incoming',
  'databases',
  'try',
  'tmp',
]

it.each(names)('a file in the place of the folder %s is told in one sentence, and stays as it is', (name) => {
  const at = path.join(place.folder, name)
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.writeFileSync(at, 'mine')
  const open = () => openHouse({ folder: place.folder })
  expect(open).toThrow(StartError)
  expect(open).toThrow(`${at} is a file, but Loopwright keeps a folder under that name. Move it away`)
  expect(fs.readFileSync(at, 'utf8')).toBe('mine')
  expect(fs.existsSync(path.join(place.folder, 'loopwright.db'))).toBe(false)
})

it('a link that leads nowhere in the place of a folder is told in one sentence', () => {
  fs.symlinkSync(path.join(place.folder, 'nowhere'), path.join(place.folder, 'workspaces'))
  expect(() => openDataFolder(place.folder)).toThrow(/workspaces is a link that leads nowhere/)
})

it('a link to a folder is as good as the folder', () => {
  fs.mkdirSync(path.join(place.folder, 'elsewhere'))
  fs.symlinkSync(path.join(place.folder, 'elsewhere'), path.join(place.folder, 'workspaces'))
  expect(openDataFolder(place.folder).workspaces).toBe(path.join(place.folder, 'workspaces'))
})

it('what a killed server left in the temporary folder is deleted at the next start', () => {
  const { temporary } = openDataFolder(place.folder)
  fs.mkdirSync(path.join(temporary, 'loopwright-sandbox-left'), { recursive: true })
  fs.writeFileSync(path.join(temporary, 'loopwright-sandbox-left/canary'), 'x')
  openDataFolder(place.folder)
  expect(fs.existsSync(temporary)).toBe(false)
})
