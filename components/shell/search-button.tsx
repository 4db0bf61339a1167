'use client'
/** Opens the search. It shows the shortcut, so that a person needs the button only once. */
import { useOpen } from '#components/commands/commands-context'
import { Button } from '#components/ui/button'
import { Keys } from '#components/ui/keys'
import styles from './search-button.module.css'

export function SearchButton() {
  const open = useOpen()
  return (
    <Button
      variant="quiet"
      icon="search"
      aria-label="Search"
      aria-haspopup="dialog"
      className={styles.button}
      onClick={() => open('search')}
    >
      <span>Search</span>
      <Keys keys="Mod+K" />
    </Button>
  )
}
