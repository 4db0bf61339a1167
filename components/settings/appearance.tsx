'use client'
/** The theme: system, light or dark; a choice applies at once. */
import { useEffect, useState } from 'react'
import { Button } from '#components/ui/button'
import { chooseTheme, readTheme, type Theme, themes } from '#components/ui/theme'
import styles from './settings.module.css'

const words: Record<Theme, { label: string; icon: string }> = {
  system: { label: 'As the system', icon: 'monitor' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
}

export function Appearance({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial)
  // The switch in the top bar changes the theme as well, so the theme is read from the page itself.
  useEffect(() => {
    const root = document.documentElement
    const read = () => setTheme(readTheme(root.dataset.theme))
    const observer = new MutationObserver(read)
    observer.observe(root, { attributes: true, attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return (
    <div role="group" aria-label="Theme" className={styles.choices}>
      {themes.map((each) => (
        <Button
          key={each}
          icon={words[each].icon}
          pressed={each === theme}
          onClick={() => {
            chooseTheme(each)
            setTheme(each)
          }}
        >
          {words[each].label}
        </Button>
      ))}
    </div>
  )
}
