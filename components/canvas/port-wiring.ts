/** What is wired to the ports of a card, as the card's faces show it. */

/** Names of ports, each list as `CardFacts` and `fittingPorts` give it. */
export interface PortWiring {
  readonly filled: string
  readonly fitting: string | null | undefined
}
