/** The walls around readers as the settings show them: their facts, and a test that counts from then on. */
import type { WallFacts, WallTest } from '#lib/spec/walls'
import { forgetReaderWall } from '../reader-wall'
import { testReaderWall } from '../reader-wall-test'
import { boxedReaders, denoReaders, nodeReaders } from '../reader-walls'
import { denoMissing } from './deno'
import { noBubblewrap } from './remedies'
import type { CodeWall, WallContext } from './wall'

const promises = [
  'reads only its own program and what it is given',
  'writes nothing',
  'starts no program',
  'no environment variables of the server',
  'limits on time, memory and output',
]

const boxed: WallFacts = {
  id: 'readers-bubblewrap',
  name: 'bubblewrap',
  strength: 'system',
  promises: ['no network', 'sees no other process', ...promises],
  gaps: [],
}

const deno: WallFacts = {
  id: 'readers-deno',
  name: 'Deno',
  strength: 'runtime',
  promises: ['no network', ...promises],
  gaps: ['no wall of the operating system around the runtime'],
}

const node: WallFacts = {
  id: 'readers-node',
  name: 'Node’s permission model',
  strength: 'process',
  promises,
  gaps: ['the system does not close the network, though no reader uses it'],
}

export function readerWalls({ installed, temporary }: WallContext): readonly CodeWall[] {
  const place = { installed, temporary }
  return [
    {
      facts: boxed,
      async test(): Promise<WallTest> {
        // Readers choose by the same tests; what an earlier one has shown does not count any more.
        forgetReaderWall()
        const wall = await boxedReaders(place)
        return wall === undefined ? noBubblewrap() : testReaderWall(wall, place)
      },
    },
    {
      facts: deno,
      async test() {
        const wall = denoReaders(place)
        return wall === undefined ? denoMissing : testReaderWall(wall, place)
      },
    },
    { facts: node, test: () => testReaderWall(nodeReaders, place) },
  ]
}
