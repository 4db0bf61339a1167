/** The frame of every page: the theme from its cookie, the top bar, and the page below it. */
import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '#components/shell/providers'
import { TopBar } from '#components/shell/top-bar'
import { readTheme, themeCookie } from '#components/ui/theme'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Loopwright', template: '%s · Loopwright' },
  description:
    'Draw a tool-calling agent, compile it into one portable JSON config, run it, and watch every step.',
}
export const viewport: Viewport = {
  colorScheme: 'light dark',
  viewportFit: 'cover',
  interactiveWidget: 'resizes-content',
}

/** Reading the cookie keeps every page dynamic, which the per-request nonce needs. */
export default async function Layout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value)
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <body>
        <Providers>
          <TopBar>{children}</TopBar>
        </Providers>
      </body>
    </html>
  )
}
