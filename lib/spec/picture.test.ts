/** Which files are shown to models as pictures. */
import { expect, test } from 'vitest'
import { isTooLargeToSee, maxPictureBytes, pictureOf } from './picture'

const file = { id: 'art_1', name: 'photo.png', mediaType: 'image/png', bytes: maxPictureBytes }
const size = { width: 8_000, height: 600 }

test.each([
  ['of the largest size', { ...file, picture: size }, false],
  ['with a byte too many', { ...file, bytes: maxPictureBytes + 1, picture: size }, true],
  ['with a side that is too long', { ...file, bytes: 9, picture: { width: 8_001, height: 1 } }, true],
])(
  'S1-06 E-46 a picture %s is shown to the model, or told to be too large for it',
  (_, given, isTooLarge) => {
    expect(isTooLargeToSee(given)).toBe(isTooLarge)
    expect(pictureOf(given) === undefined).toBe(isTooLarge)
  },
)

test('E-46 a large file that is no picture is not called too large to see', () => {
  expect(isTooLargeToSee({ mediaType: 'text/csv', bytes: 2 * maxPictureBytes })).toBe(false)
})
