import { expect, test } from 'vitest'
import { holdsFields } from './http-body'

test.each([
  [undefined, true],
  [{}, true],
  [{ a: 'text', b: { param: 'x' }, c: { secret: 'S' }, d: { secret: 'S', prefix: 'Bearer ' } }, true],
  [{ param: 'whole' }, false],
  [{ a: 1 }, false],
  [{ a: { b: 'nested' } }, false],
  [{ a: { param: 'x', more: 1 } }, false],
  [[], false],
  ['text', false],
])('the body %j is edited as fields: %s', (body, is) => expect(holdsFields(body)).toBe(is))
