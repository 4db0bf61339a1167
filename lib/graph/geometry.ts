/** Places and sizes on the canvas, in its own pixels. */

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}
