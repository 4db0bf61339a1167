'use client'
/** One button that goes round system, light and dark. */
import { useEffect, useState } from 'react'
import { IconButton } from './button'
import { chooseTheme, readTheme, type Theme, themeEvent, themes } from './theme'

const icons: Record<Theme, string> = { system: 'monitor', light: 'sun', dark: 'moon' }
const words: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' }

export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial)
  // It may be chosen on the settings page as well.
  useEffect(() => {
    const follow = (event: Event) =>
      setTheme(readTheme(event instanceof CustomEvent ? event.detail : undefined))
    window.addEventListener(themeEvent, follow)
    return () => window.removeEventListener(themeEvent, follow)
  }, [])
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <IconButton
      icon={icons[theme]}
      label={`Theme: ${words[theme]}. Change to ${words[next]}`}
      onClick={() => chooseTheme(next)}
    />
  )
}
