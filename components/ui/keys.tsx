'use client'
/** A shortcut as key caps, with the key names of the person's keyboard. */
import { Kbd } from './bits'
import { keyText } from './key-text'
import styles from './keys.module.css'
import { useIsMac } from './use-is-mac'

export function Keys({ keys }: { keys: string }) {
  const isMac = useIsMac()
  return (
    <span className={styles.keys}>
      {keyText(keys, isMac)
        .split(' ')
        .map((each) => (
          <Kbd key={each}>{each}</Kbd>
        ))}
    </span>
  )
}
