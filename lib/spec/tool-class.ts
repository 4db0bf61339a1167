/** The class of a tool (its risk and its effect), and how an entry of the config may change it. */
import { type Effect, effect as effects, type Risk, risk as risks } from './tool'

export interface ToolClass {
  readonly risk: Risk
  readonly effect: Effect
  /**
   * Whether the body can be limited to reading, so that an entry may lower the class to `read`. An entry can
   * only raise any other class.
   */
  readonly canOnlyRead?: boolean
  /**
   * Whether nothing is known of what the tool does, so that its class is only assumed. An entry may then set any
   * class.
   */
  readonly isAssumed?: boolean
}

/**
 * How the class of an entry's tools follows from a setting, as data, so that canvas and server decide alike. With
 * `list` the setting is that of each object in a list, one for each tool.
 */
export interface ClassChoice {
  readonly key: string
  /** The value of a setting that is absent. */
  readonly fallback: string
  readonly classes: Readonly<Record<string, ToolClass>>
  readonly list?: string
}

/** The classes of an entry's own tools, in their order. */
export function chosenClasses(
  { key, fallback, classes, list }: ClassChoice,
  config: Readonly<Record<string, unknown>>,
): (ToolClass | undefined)[] {
  const held = list === undefined ? [config] : config[list]
  return (Array.isArray(held) ? held : []).map((each: unknown) => {
    const holder = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {} // cast: an object
    const value = holder[key] ?? fallback
    return typeof value === 'string' && Object.hasOwn(classes, value) ? classes[value] : undefined
  })
}

/** The class settings of an entry of `tools`. */
export interface GivenClass {
  readonly risk?: Risk | undefined
  readonly effect?: Effect | undefined
}

/** Reads the class settings of an entry. Invalid values are ignored; the check of the settings finds them. */
export function givenClass(settings: { readonly [key: string]: unknown }): GivenClass {
  return { risk: risks.safeParse(settings.risk).data, effect: effects.safeParse(settings.effect).data }
}

/** Why an entry cannot have this class; `key` is the setting at fault. */
export interface ClassFault {
  readonly key: 'risk' | 'effect'
  readonly code: 'class_contradiction' | 'class_lowered'
  readonly message: string
}

/** Whether the entry limits the tool to reading. */
export function isHeldToReading({ canOnlyRead = false }: ToolClass, { risk, effect }: GivenClass): boolean {
  return canOnlyRead && (risk === 'read' || effect === 'read')
}

/**
 * The class of a tool under an entry without faults. If the entry sets one half, the other half is raised to
 * match: a risk above `read` implies an effect, and an effect implies more than reading.
 */
export function classOf(tool: ToolClass, given: GivenClass): { risk: Risk; effect: Effect } {
  const own = ownClass(tool, given)
  const { risk = own.risk, effect } = given
  const isRaised = own.risk === 'read' && risk !== 'read'
  const full = effect ?? (isRaised ? 'effect' : own.effect)
  return { risk: risk === 'read' && full !== 'read' ? 'write' : risk, effect: full }
}

function ownClass(tool: ToolClass, given: GivenClass): { risk: Risk; effect: Effect } {
  if (tool.isAssumed) return assumedClass(tool, given)
  if (isHeldToReading(tool, given)) return { risk: 'read', effect: 'read' }
  return { risk: tool.risk, effect: tool.effect }
}

/** What an entry says of a tool of which nothing else is known; a half that it leaves open follows the other. */
function assumedClass(tool: ToolClass, { risk, effect }: GivenClass): { risk: Risk; effect: Effect } {
  return {
    risk: risk ?? (effect === 'read' ? 'read' : tool.risk),
    effect: effect ?? (risk === 'read' ? 'read' : tool.effect),
  }
}

/** All faults in the class settings of an entry for these tools; at most one for each key. */
export function classFaults(
  tools: readonly (ToolClass & { readonly name: string })[],
  given: GivenClass,
): ClassFault[] {
  const { risk, effect } = given
  if (risk === 'read' && effect !== undefined && effect !== 'read') {
    const message = `A tool of the risk “read” changes nothing, so its effect cannot be “${effect}”. Set the effect to “read”, or raise the risk.`
    return [{ key: 'effect', code: 'class_contradiction', message }]
  }
  const isBelow = <T>(order: readonly T[], value: T | undefined, own: T) =>
    value !== undefined && order.indexOf(value) < order.indexOf(own)
  const owns = tools.map((tool) => ({ ...tool, ...ownClass(tool, given) }))
  const certain = owns.filter((tool) => !tool.isAssumed)
  const risky = certain.filter((tool) => isBelow(risks.options, risk, tool.risk))
  const acting = certain.filter((tool) => isBelow(effects.options, effect, tool.effect))
  return [
    ...(risky.length > 0 ? [findLowered('risk', risk, risky)] : []),
    ...(acting.length > 0 ? [findLowered('effect', effect, acting)] : []),
  ]
}

function findLowered(
  key: 'risk' | 'effect',
  value: string | undefined,
  tools: readonly (ToolClass & { readonly name: string })[],
): ClassFault {
  const whose = `The ${key} of ${listFirstNames(tools.map(({ name }) => name))} cannot be lowered to “${value}”`
  const canOnlyRead = tools.every((each) => each.canOnlyRead)
  const what = canOnlyRead
    ? `: nothing would enforce it on the code. Choose “read”, under which it cannot write files, or take the setting out.`
    : `, since that is not what ${tools.length === 1 ? 'it does' : 'they do'}. Take the setting out, or give ${tools.length === 1 ? 'the tool' : 'these tools'} an entry without it.`
  return { key, code: 'class_lowered', message: `${whose}${what}` }
}

/** Names for a sentence: the first three, and how many more there are. */
export function listFirstNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `“${name}”`)
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(' and ')
}
