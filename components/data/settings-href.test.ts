import { expect, test } from 'vitest'
import { otherSection, settingsHref } from './settings-href'

const price = { model: 'qwen3:8b', provider: 'lab' }

test('a section of Settings knows the page to return to, and only Prices the price that is wanted', () => {
  const models = settingsHref({ back: '/agents/a?run=1', section: 'models', price })
  expect(models).toBe('/settings?back=%2Fagents%2Fa%3Frun%3D1#models')
  expect(otherSection(models, 'prices', price)).toBe(
    '/settings?back=%2Fagents%2Fa%3Frun%3D1&price=qwen3%3A8b&at=lab#prices',
  )
  expect(otherSection('/settings#models', 'prices', undefined)).toBe('/settings?back=%2F#prices')
})
