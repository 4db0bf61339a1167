'use client'
/**
 * A link that prefetches its page on hover or focus. Prefetching links when they come into view would make
 * every page request all the others while it loads.
 */
import Link from 'next/link'
import { type ComponentProps, useState } from 'react'

export function NearLink(props: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [isNear, setNear] = useState(false)
  const come = () => setNear(true)
  return <Link {...props} prefetch={isNear ? null : false} onPointerEnter={come} onFocus={come} />
}
