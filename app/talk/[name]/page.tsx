/** The chat with one agent for the holder of a key. The page contains no data: it asks for them with the key. */
import type { Metadata } from 'next'
import { KeyChatPage } from '#components/chat/key-chat-page'

export const metadata: Metadata = { title: 'Talk' }

export default async function Page({ params }: { params: Promise<{ name: string }> }) {
  const { name } = await params
  return <KeyChatPage key={name} name={name} />
}
