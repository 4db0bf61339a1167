'use client'
/** A link whose page is fetched ahead once the pointer or the focus is on it: not when it comes into view, since then every page would ask for all others while it opens. */
import Link from 'next/link'
import { type ComponentProps, useState } from 'react'

export function NearLink(props: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [isNear, setNear] = useState(false)
  const come = () => setNear(true)
  return <Link {...props} prefetch={isNear ? null : false} onPointerEnter={come} onFocus={come} />
}
