import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { usageFor } from './usage.mjs'

const root = path.resolve(import.meta.dirname, '../..')

describe('the arguments of npm start', () => {
  it('starts the server when there are none', () => {
    expect(usageFor([])).toBeUndefined()
  })

  it.each(['--help', '-h'])('prints the usage for %s and ends well', (flag) => {
    expect(usageFor(['--anything', flag])).toMatchObject({ code: 0, text: expect.stringContaining('PORT') })
  })

  it('refuses an option that does not exist, and says where the port comes from', () => {
    const refused = usageFor(['--port', '3001'])
    expect(refused?.code).toBe(2)
    expect(refused?.text).toContain('"--port"')
    expect(refused?.text).toContain('PORT')
  })

  it('names every variable that the README lists', () => {
    const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8')
    const section = readme.slice(readme.indexOf('## Settings by environment'), readme.indexOf('## Limits'))
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    const names = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]+/g) ?? [])
    expect(names.length).toBeGreaterThan(8)
    const text = usageFor(['-h'])?.text
    for (const name of names)
      expect(text).toContain(name.replace(/^[A-Z]+_(API_KEY|BASE_URL)$/, '<PROVIDER>_$1'))
  })
})
