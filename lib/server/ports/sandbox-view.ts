/** The walls around foreign code as clients see them. */
import type { ReportOptions, WallChoice } from '#lib/sandbox/walls/choose'
import type { KindReport, WallReport } from '#lib/spec/walls'
import type { SandboxView, WalledKindView, WallView } from '#lib/wire/sandbox'

export async function sandboxView(walls: WallChoice, options?: ReportOptions): Promise<SandboxView> {
  const kinds = await walls.report(options)
  return { minimum: walls.minimum, kinds: kinds.map(kindView) }
}

function kindView({ walls, ...kind }: KindReport): WalledKindView {
  return { ...kind, walls: walls.map(wallView) }
}

function wallView({ promises, gaps, test, ...wall }: WallReport): WallView {
  const shown = test === null || test.holds ? test : { ...test, remedies: [...test.remedies] }
  return { ...wall, promises: [...promises], gaps: [...gaps], test: shown }
}
