'use client'
/** The method of a request. Those that may change something have the colour of a warning. */
import styles from './api-operations-field.module.css'

export function Method({ method }: { method: string }) {
  return (
    <span className={styles.method} data-method={method}>
      {method}
    </span>
  )
}
