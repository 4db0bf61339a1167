import { expect, it } from 'vitest'
import { originFault, originsOf } from './origins'

it('takes one origin a line, cut to what an origin is, each once', () => {
  expect(
    originsOf('https://api.example.com/v1?x=1\n http://127.0.0.1:8080, https://api.example.com'),
  ).toEqual(['https://api.example.com', 'http://127.0.0.1:8080'])
  expect(originsOf('  ')).toEqual([])
})

it('says which line is none', () => {
  expect(originFault(originsOf('https://a.example\nb.example'))).toContain('“b.example”')
  expect(originFault(originsOf('https://a.example'))).toBe(undefined)
  expect(originFault(originsOf('postgresql://db.example:5432'))).toBe(undefined)
})
