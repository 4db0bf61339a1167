/** Which of the tools a protocol writes for the model. */
import type { DescribedTool } from '#lib/spec/toolkit'

/** A tool that is not shown can still be called, so names and parameters of all tools are known to a codec. */
export function isShown({ hidden }: DescribedTool): boolean {
  return !hidden
}
