/** Finds e-mail addresses, phone numbers and card numbers in a text and replaces them, in one pass each. */

/**
 * The kinds in the order of replacement: cards come before phones, because a card number may contain what
 * looks like a phone number.
 */
export const privateKinds = ['email', 'card', 'phone'] as const
export type PrivateKind = (typeof privateKinds)[number]

export function maskKind(kind: PrivateKind, text: string): string {
  switch (kind) {
    case 'email':
      return maskEmails(text)
    case 'card':
      return text.replace(digitRun, maskCards)
    case 'phone':
      return /\d{4}/.test(text) || /\d{2}[ .-]/.test(text) ? text.replace(phone, '[phone]') : text
  }
  return kind satisfies never
}

/**
 * Letters of scripts that put spaces between words. In other scripts, the text before an address
 * would be hidden with it.
 */
const letter = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d`
const mailbox = new RegExp(`[${letter}_%+-][${letter}._%+'&-]*$`, 'u')
const host = new RegExp(`^[${letter}-]+(?:\\.[${letter}-]+)+`, 'u')
const lastLabel = new RegExp(`\\.(?:xn--[a-z0-9-]+|(?!\\d)[${letter}]{2,}[${letter}-]*)$`, 'iu')
/** The longest local part and host that are looked for. */
const longestMailbox = 64
const longestHost = 255

function maskEmails(text: string): string {
  let masked = ''
  let done = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const [before] = mailbox.exec(text.slice(Math.max(done, at - longestMailbox), at)) ?? []
    if (before === undefined) continue
    const [after] = host.exec(text.slice(at + 1, at + 1 + longestHost)) ?? []
    if (after === undefined || !lastLabel.test(after)) continue
    masked += `${text.slice(done, at - before.length)}[email]`
    done = at + 1 + after.length
  }
  return masked + text.slice(done)
}

/**
 * Digits with at most one space or hyphen between two of them, not inside a word and
 * not after a decimal point.
 */
const digitRun = /(?<![A-Za-z0-9]|\d\.)\d(?:[ \u00a0\u2010\u2011-]?\d){12,}(?![A-Za-z]|\.\d)/g
const fewestDigits = 13
const mostDigits = 19

interface Group {
  readonly digits: string
  readonly from: number
  readonly to: number
}

/**
 * A run may hold more than a card number, for example a date before it. A card starts and
 * ends at a group of digits.
 */
function maskCards(run: string): string {
  const groups = [...run.matchAll(/\d+/g)].map(
    ({ 0: digits, index }): Group => ({ digits, from: index, to: index + digits.length }),
  )
  let masked = ''
  let done = 0
  for (let first = 0; first < groups.length; ) {
    const last = cardFrom(groups, first)
    if (last === undefined) {
      first += 1
      continue
    }
    masked += `${run.slice(done, groups[first]?.from)}[card]`
    done = groups[last]?.to ?? done
    first = last + 1
  }
  return masked + run.slice(done)
}

/** The index of the last group of the longest card number that starts with this group. */
function cardFrom(groups: readonly Group[], first: number): number | undefined {
  let digits = ''
  let last: number | undefined
  for (let at = first; at < groups.length; at++) {
    const group = groups[at]?.digits ?? ''
    const isFirst = at === first
    digits += group
    if (digits.length > mostDigits || (isFirst && group.length < 4)) break
    if (digits.length >= fewestDigits && isCard(digits)) last = at
    // Only the last group of a card number may have fewer than three digits.
    if (!isFirst && group.length < 3) break
  }
  return last
}

/**
 * Numbers that are never payment cards: those that start with 0 or 1 (as millisecond timestamps do), and
 * Chinese mobile numbers after 86.
 */
const noCard = /^[01]|^861[3-9]\d{9}$|^(\d)\1*$/

/** The last digit of a card number is a checksum of the others. */
function isCard(digits: string): boolean {
  return !noCard.test(digits) && isLuhn(digits)
}

function isLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const weighed = index % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

const phoneForms: readonly string[] = [
  // +49 30 1234567, +44 (0)20 7946 0958, +1 (415) 555-2671; from nine digits on also without separators.
  String.raw`\+[1-9]\d{8,14}`,
  String.raw`\+[1-9]\d{0,2}[ -]?\(\d{1,4}\)(?:[ -]?\d{2,8}){1,4}`,
  String.raw`\+[1-9]\d{0,2}(?:[ -]\d{2,8}){2,5}`,
  String.raw`\+[1-9]\d{0,2}[ -]\d{6,12}`,
  String.raw`\+[1-9]\d{0,2}(?:\.\d{2,4}){2,4}`,
  // 0049 30 1234567: only with separators, because other numbers are padded with zeros too.
  String.raw`00[1-9]\d{0,2}(?:[ -]\d{2,8}){2,5}`,
  // 13812345678, 138 1234 5678, 138-1234-5678, also after 86.
  String.raw`(?:(?:00)?86[ -]?)?1[3-9]\d(?:\d{8}|(?<gap>[ -])\d{4}\k<gap>\d{4})`,
  // (415) 555-2671, 415-555-2671, 415.555.2671, 1-800-555-0199; not with spaces only, which could
  // be three numbers in a row.
  String.raw`(?:1[ -.])?\([2-9]\d{2}\)[ ]?[2-9]\d{2}[ .-]\d{4}`,
  String.raw`(?:1[-.])?[2-9]\d{2}(?<dash>[.-])[2-9]\d{2}\k<dash>\d{4}`,
  // (010) 12345678, (020) 7946 0958
  String.raw`\(0[1-9]\d{0,3}\)[ -]?\d{3,8}(?:[ -]\d{3,5})?`,
  // 06 12 34 56 78
  String.raw`0[1-9](?<pair>[ .-])\d{2}(?:\k<pair>\d{2}){3}`,
  // 010-12345678, 07700 900123; then 020 7946 0958, 0412 345 678, 03-1234-5678.
  String.raw`0[1-9]\d{0,3}[ /-](?:\d{7,8}|(?<=\d{3}[ /-])\d{6})`,
  String.raw`0[1-9]\d{3}[ /-]\d{5,6}`,
  String.raw`0[1-9]\d?(?<part>[ -])\d{3,4}\k<part>\d{3,4}`,
  String.raw`0[1-9]\d{2}(?<third>[ -])\d{3}\k<third>\d{3,4}`,
]
/** Not inside a word or a longer number, and not an amount of money. */
const notBefore = String.raw`(?<![A-Za-z0-9+$€£¥￥]|\d[.-]|[$€£¥￥] )`
const notAfter = String.raw`(?![A-Za-z0-9]|[.-]\d|,\d{3}(?!\d)|[ ]?[€%])`
const phone = new RegExp(`${notBefore}(?:${phoneForms.join('|')})${notAfter}`, 'g')
