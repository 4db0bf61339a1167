/** The pages that the navigation leads to. */

export const places = [
  {
    href: '/',
    label: 'Agents',
    icon: 'bot',
    holds: (path: string) => path === '/' || path.startsWith('/agents'),
  },
  { href: '/runs', label: 'Runs', icon: 'history', holds: (path: string) => path.startsWith('/runs') },
  {
    href: '/settings',
    label: 'Settings',
    icon: 'settings',
    holds: (path: string) => path.startsWith('/settings'),
  },
] as const
