/** Providers that are another way to the same service: they share its address, its key and its models, at the same price. */
import { providers } from '#lib/models'

const homes = new Map(providers.map(({ id, service }) => [id, service?.endpoint ?? id]))

/** The provider whose address and key this one takes: itself, unless it shares those of another. */
export function homeOf(provider: string): string {
  return homes.get(provider) ?? provider
}

/** All that are asked there, itself first. */
export function sharing(home: string): string[] {
  return [home, ...[...homes].flatMap(([id, at]) => (at === home && id !== home ? [id] : []))]
}
