/** Settings of this browser and this server. */
import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { SettingsPage } from '#components/settings/settings-page'
import { readTheme, themeCookie } from '#components/ui/theme'

export const metadata: Metadata = { title: 'Settings' }

export default async function Page() {
  const theme = readTheme((await cookies()).get(themeCookie)?.value)
  return <SettingsPage theme={theme} />
}
