/** The chat with one agent as the whole page, without the bar of the product. */
import type { Metadata } from 'next'
import { ChatPage } from '#components/chat/chat-page'

export const metadata: Metadata = { title: 'Talk' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <ChatPage key={id} agentId={id} isBare />
}
