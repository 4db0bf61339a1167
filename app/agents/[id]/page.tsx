/** The builder of one agent. */
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { preload } from 'react-dom'
import { BuilderPage } from '#components/builder/builder-page'

/** The folder of the program is part of the command that the page copies. */
export const metadata: Metadata = {
  title: 'Builder',
  other: { 'loopwright-folder': process.env.LOOPWRIGHT_ROOT ?? process.cwd() },
}

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  // Preloads the page's first requests, so that they are under way before its code has arrived. A visit from
  // another page has the code, and often the answers too.
  const isWholePage = (await headers()).get('sec-fetch-dest') !== 'empty'
  for (const path of isWholePage ? ['/api/catalog', `/api/agents/${encodeURIComponent(id)}`] : [])
    preload(path, { as: 'fetch', crossOrigin: 'anonymous' })
  return <BuilderPage key={id} agentId={id} />
}
