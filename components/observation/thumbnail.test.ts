import { expect, test } from 'vitest'
import type { Artifact } from '#lib/spec/artifact'
import { isPicture, picturesIn } from './thumbnail'

const file = (path: string, mediaType: string, bytes = 100): Artifact => ({
  ...{ id: path, name: path.split('/').at(-1) ?? path, path, mediaType, bytes },
})

test('an SVG is a picture as a PNG is, unless it is so large that it would keep the browser busy', () => {
  expect(isPicture(file('plot.png', 'image/png', 9e6))).toBe(true)
  expect(isPicture(file('plot.svg', 'image/svg+xml'))).toBe(true)
  expect(isPicture(file('plot.svg', 'image/svg+xml', 3e6))).toBe(false)
  expect(isPicture(file('page.html', 'text/html'))).toBe(false)
})

test('a chart that is there as SVG and as PNG is shown once', () => {
  const files = [
    file('charts/sales.svg', 'image/svg+xml'),
    file('charts/sales.png', 'image/png'),
    file('sales.svg', 'image/svg+xml'),
    file('sales.csv', 'text/csv'),
  ]
  expect([...picturesIn(files)].map(({ path }) => path)).toEqual(['charts/sales.png', 'sales.svg'])
})
