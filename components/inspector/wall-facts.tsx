'use client'
/** The wall around the code of a tool: its name, what it promises, and the way to a stronger one. */
import { useWall } from '#components/drawing/use-wall'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { WalledKind } from '#lib/spec/walls'
import styles from './tools-offered.module.css'

export function WallFacts({ kind }: { kind: WalledKind }) {
  const wall = useWall(kind)
  if (wall === undefined) return null
  return (
    <p className={styles.wall} data-none={wall.isNone}>
      <Icon name={wall.isNone ? 'shield-alert' : 'shield'} size={14} />
      <span>
        {wall.isNone ? wall.promise : `Runs behind ${wall.name}: ${wall.promise}`}{' '}
        <a className={shared.link} href="/settings#sandbox">
          Sandbox settings
        </a>
      </span>
    </p>
  )
}
