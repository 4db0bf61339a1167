'use client'
/** What every page needs around it in the browser: one cache of server responses, one list of commands. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CommandsProvider } from '#components/commands/commands-context'
import { OpenedPanel } from './opened-panel'

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: true } },
      }),
  )
  return (
    <QueryClientProvider client={client}>
      <CommandsProvider>
        {children}
        <OpenedPanel />
      </CommandsProvider>
    </QueryClientProvider>
  )
}
