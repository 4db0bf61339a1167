/**
 * Decides which network addresses are public: those that tools may reach without the operator's permission.
 */
import ipaddr from 'ipaddr.js'

/** False for private, local, reserved and embedding ranges, and for texts that are not addresses. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  // 'unicast' is everything outside the special ranges, including IPv6 addresses that
  // are not assigned to anyone.
  return parsed.range() === 'unicast' && isGivenOut(parsed)
}

/** In IPv6, only `2000::/3` is in use on the internet. */
function isGivenOut(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !('parts' in address) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000
}

/** The address without brackets if the host of a URL is an address; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : undefined
}
