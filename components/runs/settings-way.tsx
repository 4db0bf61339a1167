'use client'
/** A link to the section of the settings that mends a failure, with the way back to this page. */
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { settingsHref } from '#components/data/settings-href'
import { endingOf } from '#components/run/endings'
import shared from '#components/ui/shared.module.css'
import type { RunError } from '#lib/spec/event'

export function SettingsWay({ fault }: { fault: RunError }) {
  const back = usePathname()
  const section = endingOf(fault)?.anchor
  if (section === undefined) return null
  return (
    <Link className={shared.link} href={settingsHref({ back, section })}>
      Open Settings
    </Link>
  )
}
