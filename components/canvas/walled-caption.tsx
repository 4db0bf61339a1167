'use client'
/** The caption of a card whose tool runs foreign code: the wall around that code comes first. */
import { useWall } from '#components/drawing/use-wall'
import { Icon } from '#components/ui/icon'
import type { WalledKind } from '#lib/spec/walls'
import styles from './node-card.module.css'

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
  if (wall === undefined) {
    return (
      <span className={className} title={word}>
        {word}
      </span>
    )
  }
  return (
    <>
      <Icon
        name={wall.isStrong ? 'shield' : 'shield-alert'}
        size={12}
        className={wall.isStrong ? styles.wall : styles.weakWall}
      />
      <span className={className} title={`${wall.name}: ${wall.promise} ${word}`}>
        {wall.name}, {word}
      </span>
    </>
  )
}
