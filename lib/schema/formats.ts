/** The text formats that are checked, each in time linear in the text. */
import { Pattern } from './pattern'
import { Unchecked, type Work } from './work'

type Format = (text: string, work: Work) => boolean

/** Undefined for an unknown format, which is ignored. */
export function formatOf(name: string): Format | undefined {
  return Object.hasOwn(formats, name) ? formats[name] : undefined
}

/** A lower-case pattern. With `isAnyCase`, the text's capitals are read as lower case. */
function byPattern(source: string, { isAnyCase = false } = {}): Format {
  let pattern: Pattern | undefined
  return (text, work) => {
    pattern ??= new Pattern(`^(?:${source})$`)
    return pattern.test(
      isAnyCase ? text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : text,
      work,
    )
  }
}

const byte = '(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)'
const ipv4Source = `(?:${byte}\\.){3}${byte}`
const strictByte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const strictIpv4 = new RegExp(`^(?:${strictByte}\\.){3}${strictByte}$`)

const escaped = '%[0-9a-f]{2}'
const pathCharacter = `(?:[a-z0-9\\-._~!$&'()*+,;=:@]|${escaped})`
const looseCharacter = `(?:[a-z0-9\\-._~!$&'"()*+,;=:@]|${escaped})`
const hex4 = '[0-9a-f]{1,4}'
const lastPair = `(?:${hex4}:${hex4}|${ipv4Source})`
const addressInUri = [
  `(?:${hex4}:){6}${lastPair}`,
  `::(?:${hex4}:){5}${lastPair}`,
  `(?:${hex4})?::(?:${hex4}:){4}${lastPair}`,
  `(?:(?:${hex4}:){0,1}${hex4})?::(?:${hex4}:){3}${lastPair}`,
  `(?:(?:${hex4}:){0,2}${hex4})?::(?:${hex4}:){2}${lastPair}`,
  `(?:(?:${hex4}:){0,3}${hex4})?::${hex4}:${lastPair}`,
  `(?:(?:${hex4}:){0,4}${hex4})?::${lastPair}`,
  `(?:(?:${hex4}:){0,5}${hex4})?::${hex4}`,
  `(?:(?:${hex4}:){0,6}${hex4})?::`,
  `v[0-9a-f]+\\.[a-z0-9\\-._~!$&'()*+,;=:]+`,
].join('|')

/**
 * RFC 3986. A reference may have double quotes after its scheme and user, and may lack its scheme and path.
 */
function uriSource({ isReference }: { isReference: boolean }): string {
  const inPath = isReference ? looseCharacter : pathCharacter
  const inHost = `(?:[a-z0-9\\-._~!$&'${isReference ? '"' : ''}()*+,;=]|${escaped})`
  const authority = [
    `(?:(?:[a-z0-9\\-._~!$&'()*+,;=:]|${escaped})*@)?`,
    `(?:\\[(?:${addressInUri})\\]|${inHost}*)`,
    '(?::\\d*)?',
  ].join('')
  const segments = `(?:\\/${inPath}*)*`
  const hierarchy = `(?:\\/?\\/${authority}${segments}|\\/(?:${inPath}+${segments})?|${inPath}+${segments})`
  const rest = `(?:[/?]|${inPath})*`
  return `(?:[a-z][a-z0-9+\\-.]*:)${isReference ? '?' : ''}${hierarchy}${isReference ? '?' : ''}(?:\\?${rest})?(?:#${rest})?`
}

const uriForm = byPattern(uriSource({ isReference: false }), { isAnyCase: true })

const variable = `(?:[a-z0-9_]|${escaped})+(?:\\.(?:[a-z0-9_]|${escaped})+)*(?::[1-9][0-9]{0,3}|\\*)?`
const template = `(?:[^\\x00-\\x20\\x7f"<>%\\\\^\`{|}]|${escaped}|\\{[+#.\\/;?&=,!@|]?${variable}(?:,${variable})*\\})*`

const pointer = '(?:\\/(?:[^~\\/]|~0|~1)*)*'

const formats: Readonly<Record<string, Format>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: isDuration,
  uri: (text, work) => /[/:]/.test(text) && uriForm(text, work),
  'uri-reference': byPattern(uriSource({ isReference: true }), { isAnyCase: true }),
  'uri-template': byPattern(template, { isAnyCase: true }),
  url: isUrl,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.length <= 15 && ipv4.test(text),
  ipv6: isIpv6,
  regex: isRegex,
  uuid: (text) => text.length === 36 && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  'json-pointer': byPattern(pointer),
  'json-pointer-uri-fragment': byPattern(`#(?:\\/(?:[a-z0-9_\\-.!$&'()*+,;:=@]|${escaped}|~0|~1)*)*`, {
    isAnyCase: true,
  }),
  'relative-json-pointer': byPattern(`(?:0|[1-9][0-9]*)(?:#|${pointer})`),
}

const ipv4 = new RegExp(`^${ipv4Source}$`)

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1]
  return days !== undefined && Number(day) >= 1 && Number(day) <= days
}

/** RFC 3339 with a time zone. A leap second is only valid at the end of a day in UTC. */
function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (found === null) return false
  const [, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] = found
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false
  if (Number(second) < 60) return true
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const minutesOfDay = 24 * 60
  return (Number(hour) * 60 + Number(minute) - offset + minutesOfDay) % minutesOfDay === minutesOfDay - 1
}

function isDateTime(text: string): boolean {
  const [date = '', time = '', ...more] = text.split(/t|\s/i)
  return more.length === 0 && isDate(date) && isTime(time)
}

/** RFC 3339, appendix A: weeks alone, or units that follow each other without a gap. */
function isDuration(text: string): boolean {
  const [, weeks, days = '', time] = /^P(?:(\d+W)|([\dYMD]*)(?:T([\dHMS]+))?)$/.exec(text) ?? []
  if (weeks !== undefined) return true
  const isDays = /^(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)$/.test(days)
  if (time === undefined) return isDays
  return (days === '' || isDays) && /^(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)$/.test(time)
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false
  const [first = '', ...others] = text.split('.')
  const isLabel = (label: string) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)
  return isLabel(first) && others.every(isLabel)
}

function isEmail(text: string): boolean {
  if (text.length > 64 + 1 + 253) return false
  const end = text.startsWith('"')
    ? (/^"(?:[ !#-[\]-~]|\\[ -~])*"/.exec(text)?.[0].length ?? -1)
    : text.indexOf('@')
  if (end < 1 || end > 64 || text[end] !== '@') return false
  const name = text.slice(0, end)
  const host = text.slice(end + 1)
  if (host.length > 253) return false
  if (!name.startsWith('"')) {
    if (!/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i.test(name)) return false
    if (name.startsWith('.') || name.endsWith('.') || name.includes('..')) return false
  }
  if (!host.startsWith('[') || !host.endsWith(']')) return isHostname(host)
  const address = host.slice(1, -1)
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : ipv4.test(address)
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return false
  const left = groupsOf(head, { mayEndInIpv4: tail === undefined })
  const right = tail === undefined ? 0 : groupsOf(tail, { mayEndInIpv4: true })
  if (left === undefined || right === undefined) return false
  return tail === undefined ? left === 8 : left + right <= 7
}

/** The number of 16-bit groups in the part; undefined when it contains anything else. */
function groupsOf(part: string, { mayEndInIpv4 }: { mayEndInIpv4: boolean }): number | undefined {
  if (part === '') return 0
  const groups = part.split(':')
  let count = 0
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) count++
    else if (mayEndInIpv4 && index === groups.length - 1 && strictIpv4.test(group)) count += 2
    else return undefined
  }
  return count
}

const longestExpression = 20_000

function isRegex(text: string): boolean {
  if (text.length > longestExpression)
    throw new Unchecked(`a regular expression of more than ${longestExpression} characters is not read`)
  if (/[^\\]\\Z/.test(text)) return false
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** An address on the public web: a scheme, then a name with a top-level domain or a public IPv4 address. */
function isUrl(text: string, work: Work): boolean {
  const way = /^(?:https?|ftp):\/\//i.exec(text)?.[0]
  if (way === undefined || /\s/.test(text)) return false
  const rest = text.slice(way.length)
  // User and password may contain `@`, so the host may follow any of them. A piece before another `@` is a
  // host only if a slash ends it.
  for (let start = 0; ; ) {
    const at = rest.indexOf('@', start)
    const piece = rest.slice(start, at < 0 ? undefined : at)
    const slash = piece.indexOf('/')
    if (start !== 1 && (at < 0 || slash >= 0) && isUrlHost(slash < 0 ? piece : piece.slice(0, slash), work))
      return true
    if (at < 0) return false
    start = at + 1
  }
}

const domain = byPattern(
  '(?:(?:[a-z0-9\\u00a1-\\uffff]+-?)*[a-z0-9\\u00a1-\\uffff]+\\.)+[a-z\\u00a1-\\uffff]{2,}',
  {
    isAnyCase: true,
  },
)
const innerByte = '(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])'
const publicIpv4 = new RegExp(
  `^(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])(?:\\.${innerByte}){2}\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4])$`,
)
const privateIpv4 =
  /^(?:10|127)(?:\.\d{1,3}){3}$|^(?:169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/

function isUrlHost(host: string, work: Work): boolean {
  const name = host.replace(/:\d{2,5}$/, '')
  if (name.length <= 15 && publicIpv4.test(name) && !privateIpv4.test(name)) return true
  return domain(name, work)
}
