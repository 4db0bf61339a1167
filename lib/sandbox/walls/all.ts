/** Every wall that this product knows, for each kind of code, the strongest first. */
import type { ScriptKind } from '#lib/spec/walls'
import { javascriptWalls } from './javascript'
import { pythonWalls } from './python'
import { readerWalls } from './readers'
import { shellWalls } from './shell'
import type { CodeWall, ScriptWall, WallContext } from './wall'

export interface Walls extends Record<ScriptKind, readonly ScriptWall[]> {
  readonly javascript: readonly CodeWall[]
  readonly readers: readonly CodeWall[]
}

export function createWalls(context: WallContext): Walls {
  return {
    javascript: javascriptWalls(context),
    shell: shellWalls(context),
    python: pythonWalls(context),
    readers: readerWalls(context),
  }
}
