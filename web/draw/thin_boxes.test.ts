// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it } from 'vitest';
import { RecordingSurface } from './recording_surface.ts';
import { ThinBoxes } from './thin_boxes.ts';

const kRed = 0xff0000f0;
const kBlue = 0xfff00000;

/** The lines of pixels that were put on sheets, as [alpha, colour] of what is not empty. */
let put: string[][] = [];
let made = 0;
const thin = (width = 20, ratio = 1): ThinBoxes => {
  const boxes = new ThinBoxes(() => {
    made++;
    return {
      image: {} as CanvasImageSource,
      put: (pixels, w, h) => {
        for (let line = 0; line < h; line++)
          put.push(
            [...pixels.subarray(line * w, (line + 1) * w)].flatMap((pixel, x) =>
              pixel ? [`${x}: ${pixel >>> 24} ${(pixel & 0xffffff).toString(16)}`] : [],
            ),
          );
      },
    };
  });
  boxes.begin(width, ratio);
  return boxes;
};
const draw = (boxes: ThinBoxes): unknown[][] => {
  const recorded = new RecordingSurface();
  boxes.draw(recorded.surface());
  return recorded.of('drawImage').map((call) => call.args.slice(1));
};
beforeEach(() => {
  put = [];
  made = 0;
});

describe('narrow boxes', () => {
  it('are pixels of one line a lane, drawn as high as the lane', () => {
    const boxes = thin();
    boxes.add(3, 10, 2, 16, kRed, 1);
    boxes.add(8, 28, 1, 16, kBlue, 1);
    boxes.add(7, 10, 3, 16, kBlue, 1);
    expect(draw(boxes)).toEqual([
      [3, 0, 7, 1, 3, 10, 7, 16],
      [8, 1, 1, 1, 8, 28, 1, 16],
    ]);
    expect(put).toEqual([
      ['3: 255 f0', '4: 255 f0', '7: 255 f00000', '8: 255 f00000', '9: 255 f00000'],
      ['8: 255 f00000'],
    ]);
  });

  it('cover parts of pixels; where two meet, the one that covers more gives the colour', () => {
    const boxes = thin();
    boxes.add(2.5, 0, 2.75, 5, kRed, 1);
    boxes.add(5.25, 0, 0.5, 5, kBlue, 1);
    draw(boxes);
    expect(put).toEqual([['2: 128 f0', '3: 255 f0', '4: 255 f0', '5: 192 f00000']]);
  });

  it('are as pale as they are told to be', () => {
    const boxes = thin();
    boxes.add(1, 0, 3, 5, kRed, 0.5);
    draw(boxes);
    expect(put).toEqual([['1: 128 f0', '2: 128 f0', '3: 128 f0']]);
  });

  it('end at the edges of the surface, and use all the pixels of the screen', () => {
    const boxes = thin(20, 2);
    boxes.add(-2, 0, 3, 5, kRed, 1);
    boxes.add(19, 0, 3, 5, kBlue, 1);
    boxes.add(25, 0, 3, 5, kBlue, 1);
    expect(draw(boxes)).toEqual([[0, 0, 40, 1, 0, 0, 20, 5]]);
    expect(put).toEqual([['0: 255 f0', '1: 255 f0', '38: 255 f00000', '39: 255 f00000']]);
  });

  it('leave nothing behind for the next track, and use its sheets again in the next picture', () => {
    const boxes = thin();
    expect(draw(boxes)).toEqual([]);
    for (let picture = 0; picture < 3; picture++) {
      boxes.begin(20, 1);
      for (const x of [4, 12]) {
        put = [];
        boxes.add(x, 0, 1, 5, kRed, 1);
        draw(boxes);
        expect(put).toEqual([[`${x}: 255 f0`]]);
      }
    }
    expect(made).toBe(2);
  });
});
