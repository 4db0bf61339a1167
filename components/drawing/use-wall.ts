/** The wall around the code of a tool, for its faces: the card, the palette and the inspector. */
import { useSandboxOf } from '#components/data/sandbox'
import type { WalledKind } from '#lib/spec/walls'
import type { SandboxView } from '#lib/wire/sandbox'

export interface WallFace {
  /** The name of the wall, or that there is none. */
  readonly name: string
  /** What it promises, or why code of this kind is not run. */
  readonly promise: string
  readonly isNone?: true
  /** Whether the operating system enforces it. */
  readonly isStrong?: true
}

/**
 * Undefined for a tool that needs no wall, and until the server has told.
 * @param isAsked whether to ask the server, which tests the walls of this kind when it is asked first
 */
export function useWall(kind: WalledKind | undefined, isAsked = true): WallFace | undefined {
  const { data } = useSandboxOf(kind, isAsked)
  return kind === undefined || data === undefined ? undefined : wallFace(data, kind)
}

export function wallFace({ kinds }: SandboxView, kind: WalledKind): WallFace | undefined {
  const found = kinds.find((each) => each.kind === kind)
  if (found === undefined) return undefined
  const wall = found.walls.find(({ id }) => id === found.used)
  if (wall === undefined) return { name: 'not run here', promise: found.refusal ?? '', isNone: true }
  const gaps = wall.gaps.length === 0 ? '' : ` But: ${wall.gaps.join('; ')}.`
  return {
    name: wall.name,
    promise: `${wall.promises.join(', ')}.${gaps}`,
    ...(wall.strength === 'system' && { isStrong: true }),
  }
}
