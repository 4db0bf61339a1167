import { describe, expect, test } from 'vitest'
import { createMatcher } from './match'
import { nothing, row } from './row'

const at = (route: `GET /api/${string}` | `PUT /api/${string}`) =>
  row(route, { does: 'Nothing.', gives: { 204: nothing }, handle: () => undefined })
const match = createMatcher([
  at('GET /api/a'),
  at('PUT /api/a'),
  at('GET /api/a/fixed'),
  at('GET /api/a/{id}'),
  at('GET /api/a/{name}/b'),
  at('GET /api/a/{id}/{...path}'),
])
const found = (pathname: string) => {
  const { place, params } = match(pathname) ?? {}
  return place && [place.rows.get('GET')?.path, params]
}

describe('the rows of a path', () => {
  test.each([
    ['/api/a/fixed', '/api/a/fixed', {}],
    ['/api/a/x', '/api/a/{id}', { id: 'x' }],
    ['/api/a/x/b', '/api/a/{name}/b', { name: 'x' }],
    ['/api/a/x/b/c', '/api/a/{id}/{...path}', { id: 'x', path: 'b/c' }],
  ])(
    '%s is %s: a fixed segment comes before a parameter, and both before the rest',
    (pathname, path, params) => {
      expect(found(pathname)).toEqual([path, params])
    },
  )

  test('a fixed segment that leads nowhere is a parameter after all', () => {
    expect(found('/api/a/fixed/b')).toEqual(['/api/a/{name}/b', { name: 'fixed' }])
  })

  test('segments are compared and given as they are in the address, still encoded', () => {
    expect(found('/api/%61')).toBeUndefined()
    expect(found('/api/a/f%69xed')).toEqual(['/api/a/{id}', { id: 'f%69xed' }])
    expect(found('/api/a/x/b%20c//d')).toEqual(['/api/a/{id}/{...path}', { id: 'x', path: 'b%20c//d' }])
  })

  test.each(['/', '/api', '/api/b', '/api/A', '/api/constructor', '/api/__proto__', '/apia'])(
    '%s has none',
    (pathname) => expect(match(pathname)).toBeUndefined(),
  )

  test('the methods are named in the order of the table', () => {
    expect(match('/api/a')?.place.allow).toBe('GET, PUT')
  })
})
