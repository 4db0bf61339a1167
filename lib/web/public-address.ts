/** Which addresses of the network are public: everything a tool may reach without the operator's word. */
import ipaddr from 'ipaddr.js'

/** False for every private, local, reserved or embedding range, and for what is no address at all. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  // 'unicast' is what is left when the special ranges are taken out, IPv6 that was never given to anybody included.
  return parsed.range() === 'unicast' && isGivenOut(parsed)
}

/** Of IPv6 only `2000::/3` is in use on the internet. */
function isGivenOut(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !('parts' in address) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000
}

/** The address itself when the host of a URL is one, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : undefined
}
