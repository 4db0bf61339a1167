/** Every part of the product, collected from the rooms of the parts. */
import { providers } from '#lib/models'
import { policies } from '#lib/policies'
import { protocols } from '#lib/protocols'
import type { Parts } from '#lib/spec/config'
import { toolkits } from '#lib/toolkits'
import { tools } from '#lib/tools'

export const productParts: Parts = { tools, toolkits, policies, providers, protocols }
