/** The walls for shell scripts: bubblewrap around the shell of this machine, else just-bash in Deno or in Node. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createBubblewrap, systemShell } from './bubblewrap'
import type { BoxedProgram } from './bubblewrap-run'
import { createDenoJustBash, createJustBash } from './just-bash'
import type { ScriptJob, ScriptWall, WallContext } from './wall'

export function shellWalls(context: WallContext): readonly ScriptWall[] {
  return [
    createBubblewrap(context, { program: systemScript }),
    createDenoJustBash(context),
    createJustBash(context),
  ]
}

/** Named in the messages of the shell: `/script: line 3: …`. */
const scriptInside = '/script'

/** The script as a file, since an argument has a limit of its own. */
export async function systemScript({ source, scratch }: ScriptJob): Promise<BoxedProgram> {
  const file = path.join(scratch, 'script')
  await writeFile(file, source)
  return { command: [systemShell(), scriptInside], readable: [[file, scriptInside]] }
}
