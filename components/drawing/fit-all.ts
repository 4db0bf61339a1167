/** How the whole drawing is fitted into view. */

/**
 * Never enlarged. The padding leaves room for the tools at the bottom and for the strap of the lowest card.
 */
export const fitAll = {
  maxZoom: 1,
  padding: { top: '32px', right: '32px', bottom: '84px', left: '32px' },
} as const
