/** The wiring of a card's ports, as the parts of the card show it. */

/** Names of ports; the lists have the format of `CardFacts` and `fittingPorts`. */
export interface PortWiring {
  readonly filled: string
  readonly fitting: string | null | undefined
}
