import { expect, test, vi } from 'vitest'
import { createEarlyKeys, withKey } from './early-keys'

const none = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }

function page() {
  const events = new EventTarget()
  const type = (key: string) => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...none })
    events.dispatchEvent(event)
    return event.defaultPrevented
  }
  // cast: only the events of the window are used
  return { window: events as unknown as Window, type }
}

test('what is typed before the search has come stands in its field', () => {
  const { window, type } = page()
  const keys = createEarlyKeys(window, () => undefined)
  keys.begin()
  for (const key of ['r', 'u', 'm', 'Backspace', 'n', 'Shift']) type(key)
  expect(keys.take()).toBe('run')
})

test('keys go their own way before it was asked for and after it has come', () => {
  const { window, type } = page()
  const keys = createEarlyKeys(window, () => undefined)
  expect(type('a')).toBe(false)
  keys.begin()
  expect(type('b')).toBe(true)
  expect(keys.take()).toBe('b')
  expect(type('c')).toBe(false)
  expect(keys.take()).toBe('')
})

test('Escape gives the search up before it has come', () => {
  const { window, type } = page()
  const givenUp = vi.fn()
  const keys = createEarlyKeys(window, givenUp)
  keys.begin()
  expect(type('Escape')).toBe(true)
  expect(givenUp).toHaveBeenCalledOnce()
})

test('shortcuts and keys that write nothing are left alone', () => {
  expect(withKey('a', { ...none, key: 'k', ctrlKey: true })).toBeUndefined()
  expect(withKey('a', { ...none, key: 'ArrowDown' })).toBeUndefined()
  expect(withKey('a', { ...none, key: 'Enter' })).toBe('a')
})
