/**
 * The theme a person chose, kept in a cookie so that the server renders the page in it before the first
 * paint.
 */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
export const themeCookie = 'theme'
/** Dispatched on the window when another theme is chosen, with the theme as `detail`. */
const themeEvent = 'loopwright:theme'

export function readTheme(value: string | undefined): Theme {
  return themes.find((each) => each === value) ?? 'system'
}

/** In the browser: applies the theme at once and remembers it for a year. */
export function chooseTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=31536000; samesite=lax`
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  window.dispatchEvent(new CustomEvent<Theme>(themeEvent, { detail: theme }))
}
