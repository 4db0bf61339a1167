/** The small signs of a page: key caps, chips, the spinner and a loading bar. */
import type { ReactNode } from 'react'
import styles from './bits.module.css'
import { join } from './button'
import { Icon } from './icon'

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={styles.kbd}>{children}</kbd>
}

export type Tone = 'plain' | 'line' | 'work' | 'wait' | 'ok' | 'error' | 'policy'

export function Chip({
  tone = 'plain',
  mono,
  icon,
  children,
}: {
  tone?: Tone
  mono?: boolean
  icon?: string
  children: ReactNode
}) {
  return (
    <span className={join(styles.chip, mono && styles.mono)} data-tone={tone}>
      {icon !== undefined && (
        <Icon name={icon} size={12} className={icon === 'loader-circle' ? styles.spin : undefined} />
      )}
      {children}
    </span>
  )
}

export function Spinner({ size = 14 }: { size?: 12 | 14 | 16 }) {
  return <Icon name="loader-circle" size={size} className={styles.spin} />
}

/** Placeholders of these heights where something is still loading. */
export function Loading({
  what,
  heights,
  className,
  as: Tag = 'div',
}: {
  what: string
  heights: readonly (number | string)[]
  className: string | undefined
  as?: 'div' | 'main'
}) {
  return (
    <Tag className={className} role="status" aria-label={`Loading ${what}`}>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change
        <Skeleton key={index} height={height} />
      ))}
    </Tag>
  )
}

export function Skeleton({ width, height }: { width?: number | string; height: number | string }) {
  return <span className={styles.skeleton} style={{ width: width ?? '100%', height }} aria-hidden="true" />
}
