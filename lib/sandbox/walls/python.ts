/** The walls for Python: bubblewrap with the Python of the machine, and Pyodide in Deno. */
import { readTablesOf } from '../python-tables'
import { createPythonBubblewrap } from './python-bubblewrap'
import { createPyodide } from './python-pyodide'
import type { ScriptWall, WallContext } from './wall'

export function pythonWalls(context: WallContext): readonly ScriptWall[] {
  return [createPythonBubblewrap(context, readTablesOf), createPyodide(context, readTablesOf)]
}
