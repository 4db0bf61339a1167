/** Every wall that this product knows, for each kind of code, the strongest first. */
import type { ScriptKind } from '#lib/spec/walls'
import { javascriptWalls } from './javascript'
import { pythonWalls } from './python'
import { shellWalls } from './shell'
import type { ScriptWall, Wall } from './wall'

/** What walls may use of this machine. All paths are absolute. */
export interface WallContext {
  /** The folder for temporary files. */
  readonly temporary: string
  /** Folders that no code may see even where they are inside a readable one, such as the data folder. */
  readonly hidden: readonly string[]
  /** The folder of programs that `loopwright walls install` has put there. */
  readonly installed: string
  /** Wheels that the operator provides for Python; the folder need not exist. */
  readonly wheels: string
}

export interface Walls extends Record<ScriptKind, readonly ScriptWall[]> {
  readonly javascript: readonly Wall[]
}

export function createWalls(context: WallContext): Walls {
  return { javascript: javascriptWalls(context), shell: shellWalls(context), python: pythonWalls(context) }
}
