/** What can be done on every page: search, the sheet of shortcuts, moving between pages, the theme. */

import type { Command } from '#components/commands/commands'
import { chooseTheme, type Theme } from '#components/ui/theme'
import { places } from './places'

export interface PagePlace {
  open(panel: 'search' | 'find' | 'sheet'): void
  goTo(href: string): void
  /** Whether the current page has a drawing to search. */
  hasDrawing(): boolean
}

const themes: readonly { theme: Theme; label: string; icon: string }[] = [
  { theme: 'system', label: 'Theme: as the system', icon: 'monitor' },
  { theme: 'light', label: 'Theme: light', icon: 'sun' },
  { theme: 'dark', label: 'Theme: dark', icon: 'moon' },
]

export function pageCommands({ open, goTo, hasDrawing }: PagePlace): readonly Command[] {
  return [
    {
      id: 'page.search',
      label: 'Search everything',
      group: 'View',
      icon: 'search',
      keys: ['Mod+K'],
      whileTyping: true,
      isUnlisted: true,
      run: () => open('search'),
    },
    {
      id: 'page.find',
      label: 'Find on the canvas',
      group: 'View',
      icon: 'search',
      keys: ['Mod+F'],
      whileTyping: true,
      // Without a drawing, the browser's own search is used.
      canRun: hasDrawing,
      run: () => open('find'),
    },
    {
      id: 'page.keys',
      label: 'Keyboard shortcuts',
      group: 'View',
      icon: 'keyboard',
      keys: ['?'],
      run: () => open('sheet'),
    },
    ...places.map(({ href, label, icon }) => ({
      id: `go.${label.toLowerCase()}`,
      label,
      group: 'Go to',
      icon,
      run: () => goTo(href),
    })),
    {
      id: 'go.failed-runs',
      label: 'Failed runs',
      group: 'Go to',
      icon: 'circle-x',
      run: () => goTo('/runs?status=failed'),
    },
    ...themes.map(({ theme, label, icon }) => ({
      id: `theme.${theme}`,
      label,
      group: 'Theme',
      icon,
      run: () => chooseTheme(theme),
    })),
  ]
}
