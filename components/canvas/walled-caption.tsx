'use client'
/** The caption of a card whose tool runs foreign code, with the wall around that code. */
import { useWall } from '#components/drawing/use-wall'
import type { WalledKind } from '#lib/spec/walls'

export function WalledCaption({
  word,
  kind,
  className,
}: {
  word: string
  kind: WalledKind
  className: string | undefined
}) {
  const wall = useWall(kind)
  return (
    <span className={className} title={wall === undefined ? word : `${word}. ${wall.name}: ${wall.promise}`}>
      {wall === undefined ? word : `${word}, ${wall.name}`}
    </span>
  )
}
