/** Finds the folder of a package that a child program reads at work. */
import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder of the package in the nearest `node_modules` above `folder`; empty if there is none. */
export function packageAbove(folder: string, name: string): string[] {
  const found = path.join(folder, 'node_modules', name)
  if (existsSync(found)) return [found]
  const above = path.dirname(folder)
  return above === folder ? [] : packageAbove(above, name)
}
