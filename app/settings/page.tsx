/** Settings of this browser and this server. */
import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { SettingsPage } from '#components/settings/settings-page'
import { readTheme, themeCookie } from '#components/ui/theme'

export const metadata: Metadata = { title: 'Settings' }

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Partial<Record<'back' | 'price' | 'at', string | string[]>>>
}) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value)
  const { back, price, at } = await searchParams
  const wanted = typeof price === 'string' && typeof at === 'string' ? { model: price, provider: at } : null
  return (
    <SettingsPage
      theme={theme}
      back={typeof back === 'string' && isOwnPage(back) ? back : null}
      wantedPrice={wanted}
    />
  )
}

/** A link from elsewhere must not be able to send anyone to another site from here. */
function isOwnPage(path: string): boolean {
  return /^\/(agents\/|runs\/|$)[\w\-/?=&.]*$/.test(path)
}
