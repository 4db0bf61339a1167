/** How the whole drawing is fitted into view. */

/** Never enlarged, and clear of the tools at the bottom, including the strap of the lowest card. */
export const fitAll = {
  maxZoom: 1,
  padding: { top: '32px', right: '32px', bottom: '84px', left: '32px' },
} as const
