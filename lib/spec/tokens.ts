/** How many tokens a text is, roughly: for where no provider has counted. */

/**
 * Whole tokens: ASCII at four characters a token, any other code point at one, rounded up; 0 for the empty text.
 * An estimate that errs high for most scripts, and never a bill: it depends on the text alone, not on a model.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 128) quarters += 1
    // The second half of a surrogate pair belongs to the code point that the first half counted.
    else if (unit < 0xdc00 || unit > 0xdfff) quarters += 4
  }
  return Math.ceil(quarters / 4)
}
