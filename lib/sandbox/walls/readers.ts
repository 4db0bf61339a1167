/** The walls around readers as the settings show them: their facts, and a test that counts from then on. */
import type { WallTest } from '#lib/spec/walls'
import { forgetReaderWall } from '../reader-wall'
import { testReaderWall } from '../reader-wall-test'
import { boxedFacts, boxedReaders, denoFacts, denoReaders, nodeReaders } from '../reader-walls'
import { denoMissing } from './deno'
import { noBubblewrap } from './remedies'
import type { CodeWall, WallContext } from './wall'

export function readerWalls({ installed, temporary }: WallContext): readonly CodeWall[] {
  const place = { installed, temporary }
  return [
    {
      facts: boxedFacts,
      async test(): Promise<WallTest> {
        // Readers choose by the same tests; what an earlier one has shown does not count any more.
        forgetReaderWall()
        const wall = await boxedReaders(place)
        return wall === undefined ? noBubblewrap() : testReaderWall(wall, place)
      },
    },
    {
      facts: denoFacts,
      async test() {
        const wall = denoReaders(place)
        return wall === undefined ? denoMissing : testReaderWall(wall, place)
      },
    },
    { facts: nodeReaders.facts, test: () => testReaderWall(nodeReaders, place) },
  ]
}
