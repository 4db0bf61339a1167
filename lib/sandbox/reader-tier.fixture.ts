/** For tests: puts a wall of choice around the readers of this process. */
import path from 'node:path'
import { testPackages } from './python.fixture'
import { readersAt } from './reader-wall'
import type { ReaderPlace, ReaderWall } from './reader-walls'

/** Where Deno is for tests, and their folder for temporary files. */
export const testPlace: ReaderPlace = {
  installed: testPackages,
  temporary: path.join(path.dirname(testPackages), 'tmp'),
}

/** Undone by what it returns. The wall is still tested by the first reader. */
export function readersBehind(id: ReaderWall['id']): () => void {
  const search = process.env.PATH
  if (id !== 'bubblewrap') process.env.PATH = '/nowhere'
  const before = readersAt({ ...testPlace, installed: id === 'deno' ? testPackages : '' })
  return () => {
    process.env.PATH = search
    readersAt(before)
  }
}
