'use client'
/** A shortcut as key caps, in the words of the keyboard at hand. */
import { Kbd } from '#components/ui/bits'
import { useIsMac } from '#components/ui/use-is-mac'
import { keyText } from './commands'
import styles from './keys.module.css'

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
