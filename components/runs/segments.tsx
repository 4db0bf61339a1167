'use client'
/** A few ways of which one holds, side by side. */
import styles from './segments.module.css'

export interface SegmentsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string; readonly title?: string }[]
  onChange(value: T): void
  /** `s` is 24 high. */
  readonly size?: 'm' | 's'
}

export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
  size = 'm',
}: SegmentsProps<T>) {
  return (
    <div role="group" aria-label={label} className={styles.segments} data-size={size}>
      {options.map((each) => (
        <button
          key={each.value}
          type="button"
          aria-pressed={each.value === value}
          title={each.title}
          onClick={() => onChange(each.value)}
        >
          {each.label}
        </button>
      ))}
    </div>
  )
}
