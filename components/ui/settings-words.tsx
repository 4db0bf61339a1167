/** A sentence in which each place of the settings, written as “Settings → Web search”, is a link to it. */
import Link from 'next/link'
import shared from './shared.module.css'

/** The places by their titles, as the page of settings anchors them. */
const anchors: Readonly<Record<string, string>> = {
  Models: 'models',
  Secrets: 'secrets',
  Databases: 'databases',
  'MCP servers': 'mcp',
  APIs: 'apis',
  Knowledge: 'knowledge',
  Skills: 'skills',
  'Web search': 'web-search',
  Sandbox: 'sandbox',
  Prices: 'prices',
}
const place = new RegExp(`(Settings → (?:${Object.keys(anchors).join('|')}))`)

export function SettingsWords({ text }: { text: string }) {
  return text.split(place).map((part, index) => {
    const anchor = index % 2 === 1 ? anchors[part.slice('Settings → '.length)] : undefined
    if (anchor === undefined) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a place may be named twice, and the parts never move
      <Link key={index} className={shared.link} href={`/settings#${anchor}`}>
        {part}
      </Link>
    )
  })
}
