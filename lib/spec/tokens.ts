/** Estimates the tokens of a text, where no provider has counted them. */

/**
 * Whole tokens: ASCII at four characters a token, any other code point at one, rounded up; 0 for the empty
 * text.
 * The estimate is high for most scripts and depends only on the text, not on a model. It is never used as a
 * bill.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 128) quarters += 1
    // The second half of a surrogate pair was counted with the first half.
    else if (unit < 0xdc00 || unit > 0xdfff) quarters += 4
  }
  return Math.ceil(quarters / 4)
}
