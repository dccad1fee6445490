// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Boxes too narrow to be written on, as pixels: a canvas draws tens of thousands of boxes slowly, one at a time, and the
// strip of pixels that they make together at once. A lane is one line of pixels, stretched to its height when drawn.

/** Where pixels are put, and what is then drawn; a browser takes a canvas. */
export interface PixelSheet {
  readonly image: CanvasImageSource;
  put(pixels: Uint32Array, width: number, height: number): void;
}

export const browserSheet = (): PixelSheet => {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d');
  return {
    image: canvas,
    put: (pixels, width, height) => {
      if (canvas.width !== width || canvas.height < height) {
        canvas.width = width;
        canvas.height = height;
      }
      const bytes = new Uint8ClampedArray(pixels.buffer as ArrayBuffer, 0, width * height * 4);
      context?.putImageData(new ImageData(bytes, width, height), 0, 0);
    },
  };
};

/** What is drawn of a surface: a line of pixels at (left, y), `tall` high. */
type DrawsImages = Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>;

interface Lane {
  y: number;
  tall: number;
  /** The pixels that are not empty. */
  first: number;
  last: number;
}

/** The lanes of one track after the other, over and over: nothing is made anew for each picture. */
export class ThinBoxes {
  private pixels = new Uint32Array(0);
  private width = 0;
  private ratio = 1;
  private readonly lanes: Lane[] = [];
  private used = 0;
  private readonly sheets: PixelSheet[] = [];
  private drawn = 0;

  constructor(private readonly makeSheet: () => PixelSheet) {}

  /** A picture begins: `width` of the surface, and how many pixels one of its units has. */
  begin(width: number, ratio: number): void {
    this.width = Math.max(1, Math.ceil(width * ratio));
    this.ratio = ratio;
    this.used = 0;
    this.drawn = 0;
  }

  /** A box at (x, y) in units of the surface. `pixel`: its colour, as palette.ts has it; `alpha`: how much of it covers. */
  add(x: number, y: number, width: number, tall: number, pixel: number, alpha: number): void {
    const from = Math.max(0, x * this.ratio);
    const to = Math.min(this.width, (x + width) * this.ratio);
    if (to <= from) return;
    const lane = this.lane(y, tall);
    const first = Math.floor(from);
    const last = Math.ceil(to) - 1;
    const at = lane * this.width;
    const { pixels } = this;
    if (first === last) this.cover(at + first, pixel, alpha * (to - from));
    else {
      this.cover(at + first, pixel, alpha * (first + 1 - from));
      if (last > first + 1)
        pixels.fill(((pixel & 0xffffff) | (Math.round(alpha * 255) << 24)) >>> 0, at + first + 1, at + last);
      this.cover(at + last, pixel, alpha * (to - last));
    }
    const extent = this.lanes[lane] as Lane;
    if (first < extent.first) extent.first = first;
    if (last > extent.last) extent.last = last;
  }

  /** Draws what was added since the last time. */
  draw(surface: DrawsImages): void {
    if (!this.used) return;
    const sheet = this.sheets[this.drawn] ?? this.makeSheet();
    this.sheets[this.drawn++] = sheet;
    sheet.put(this.pixels, this.width, this.used);
    surface.imageSmoothingEnabled = false;
    for (let i = 0; i < this.used; i++) {
      const { y, tall, first, last } = this.lanes[i] as Lane;
      const count = last + 1 - first;
      surface.drawImage(sheet.image, first, i, count, 1, first / this.ratio, y, count / this.ratio, tall);
    }
    this.used = 0;
  }

  /** Neighbours that meet in a pixel cover it together; it has the colour of the one that covers more. */
  private cover(at: number, pixel: number, share: number): void {
    const alpha = Math.round(share * 255);
    const before = this.pixels[at] as number;
    const colour = alpha >= before >>> 24 ? pixel : before;
    this.pixels[at] = ((colour & 0xffffff) | (Math.min(255, alpha + (before >>> 24)) << 24)) >>> 0;
  }

  private lane(y: number, tall: number): number {
    // Events come by time, through few lanes.
    for (let i = this.used - 1; i >= 0; i--) {
      const lane = this.lanes[i] as Lane;
      if (lane.y === y && lane.tall === tall) return i;
    }
    const index = this.used++;
    this.lanes[index] = { y, tall, first: this.width, last: -1 };
    const end = this.used * this.width;
    if (this.pixels.length < end) {
      const grown = new Uint32Array(Math.max(end, 2 * this.pixels.length));
      grown.set(this.pixels);
      this.pixels = grown;
    }
    this.pixels.fill(0, index * this.width, end);
    return index;
  }
}
