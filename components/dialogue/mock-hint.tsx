'use client'
/** Says before a run which tools of the draft are mocked, with the way to them. */
import Link from 'next/link'
import { toolHref, useMocks } from '#components/data/trials'
import { plural } from '#components/run/figures'
import shared from '#components/ui/shared.module.css'
import { lineOf } from '#lib/spec/line'

export function MockHint({ agentId, className }: { agentId: string; className: string | undefined }) {
  const { data } = useMocks(agentId)
  const names = (data?.items ?? []).filter(({ on }) => on).map(({ tool }) => lineOf(tool, 60))
  if (names.length === 0) return null
  const which = names.length <= 2 ? names.join(' and ') : plural(names.length, 'tool')
  return (
    <p className={className}>
      Mocked in runs of the draft: {which}.{' '}
      <Link className={shared.link} href={toolHref(agentId, names.length === 1 ? names[0] : undefined)}>
        {names.length === 1 ? 'See the mock' : 'See the mocks'}
      </Link>
    </p>
  )
}
