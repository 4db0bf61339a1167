/** The product's parts and three more, each added by one line, as in the `all.ts` of its room. */
import { productParts } from '#lib/server/parts'
import type { Parts } from '#lib/spec/config'
import { acme } from './acme.fixture'
import { dice } from './dice.fixture'
import { fewDice } from './few-dice.fixture'

export const allParts: Parts = {
  ...productParts,
  tools: [...productParts.tools, dice],
  policies: [...productParts.policies, fewDice],
  providers: [...productParts.providers, acme],
}
