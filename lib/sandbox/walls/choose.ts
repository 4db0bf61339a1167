/** Chooses the wall for each kind of code: the strongest whose self-test has shown on this machine that it holds. */
import {
  type KindReport,
  type ScriptKind,
  type WalledKind,
  type WallFacts,
  type WallStrength,
  type WallTest,
  walledKinds,
  wallStrengths,
} from '#lib/spec/walls'
import type { Walls } from './all'
import type { CodeWall, ScriptWall } from './wall'

export interface WallChoice {
  /** Tests the walls of this kind until one holds, unless that is known. */
  script(kind: ScriptKind): Promise<ScriptWall | Refusal>
  /** The same for any kind of code, as facts. */
  facts(kind: WalledKind): Promise<WallFacts | Refusal>
  readonly minimum: WallStrength
  /** Tests the walls of one kind, or of each, until one holds, or with `again` all of them anew. */
  report(options?: ReportOptions): Promise<readonly KindReport[]>
}

/** One kind only, whose walls alone are then tested, or all walls tested anew. */
export type ReportOptions =
  | { readonly kind?: WalledKind; readonly again?: false }
  | { readonly kind?: undefined; readonly again: true }

/** Why code of a kind is not run, in a few sentences. */
interface Refusal {
  readonly refusal: string
}

const words: Record<WalledKind, string> = {
  javascript: 'JavaScript code is not run',
  shell: 'Shell code is not run',
  python: 'Python code is not run',
  readers: 'Documents and pages are not read, and charts and reports not made',
}

/** What an operator demands is for code of others; readers are programs of this product. */
const isOwnCode = (kind: WalledKind) => kind === 'readers'

/** Where a person sees all walls with their tests. */
const page = 'Settings → Sandbox'

/** @param minimum the weakest wall that the operator allows; default: any that holds */
export function chooseWalls(walls: Walls, minimum: WallStrength = 'process'): WallChoice {
  const tested = new Map<CodeWall, Promise<WallTest>>()

  function test(wall: CodeWall): Promise<WallTest> {
    const known = tested.get(wall)
    if (known !== undefined) return known
    const testing = wall.test().catch(testFault)
    tested.set(wall, testing)
    return testing
  }

  const isEnough = ({ facts }: CodeWall) =>
    wallStrengths.indexOf(facts.strength) >= wallStrengths.indexOf(minimum)

  async function firstThatHolds<W extends CodeWall>(
    list: readonly W[],
    isOwn = false,
  ): Promise<W | undefined> {
    for (const wall of list) if ((isOwn || isEnough(wall)) && (await test(wall)).holds) return wall
    return undefined
  }

  /** Names what the weakest of the walls lacks, since that is the least to do. */
  async function refusal(kind: WalledKind): Promise<string> {
    const demand =
      minimum === 'process' || isOwnCode(kind)
        ? ''
        : ` that is at least “${minimum}”, which the operator demands`
    const list: readonly CodeWall[] = walls[kind]
    const weakest = list.findLast((wall) => isOwnCode(kind) || isEnough(wall))
    const tested = weakest && (await test(weakest))
    const lack = tested === undefined || tested.holds ? [] : [tested.reason, ...tested.remedies.slice(0, 1)]
    const more = lack.some((each) => each.includes(page)) ? [] : [`${page} says more.`]
    return [`${words[kind]}: no wall${demand} holds on this machine.`, ...lack, ...more].join(' ')
  }

  return {
    minimum,

    async script(kind) {
      return (await firstThatHolds(walls[kind])) ?? { refusal: await refusal(kind) }
    },

    async facts(kind) {
      const list: readonly CodeWall[] = walls[kind]
      return (await firstThatHolds(list, isOwnCode(kind)))?.facts ?? { refusal: await refusal(kind) }
    },

    async report({ kind: only, again = false } = {}) {
      if (again) tested.clear()
      return Promise.all(
        (only === undefined ? walledKinds : [only]).map(async (kind): Promise<KindReport> => {
          const list: readonly CodeWall[] = walls[kind]
          const used = await firstThatHolds(list, isOwnCode(kind))
          const reports = await Promise.all(
            list.map(async (wall) => ({
              ...wall.facts,
              test: again ? await test(wall) : ((await tested.get(wall)) ?? null),
            })),
          )
          return {
            kind,
            used: used?.facts.id ?? null,
            refusal: used === undefined ? await refusal(kind) : null,
            walls: reports,
          }
        }),
      )
    },
  }
}

function testFault(error: unknown): WallTest {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    holds: false,
    reason: `The test could not be made (${reason}).`,
    remedies: ['Check that the data folder can be written, then test again.'],
  }
}
