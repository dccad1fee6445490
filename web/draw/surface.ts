// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What drawing needs of a canvas: a part of CanvasRenderingContext2D, so that tests can record the calls.

export type Surface = Pick<
  CanvasRenderingContext2D,
  | 'fillRect'
  | 'strokeRect'
  | 'clearRect'
  | 'fillText'
  | 'measureText'
  | 'beginPath'
  | 'closePath'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'stroke'
  | 'fill'
  | 'save'
  | 'restore'
  | 'clip'
  | 'rect'
  | 'drawImage'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textBaseline'
  | 'textAlign'
  | 'globalAlpha'
  | 'imageSmoothingEnabled'
>;

/** Pixels that can be drawn; a browser makes a canvas of them, a test keeps them as they are. */
export type MakeBitmap = (pixels: Uint32Array, width: number, height: number) => CanvasImageSource;

export const browserBitmap: MakeBitmap = (pixels, width, height) => {
  const canvas = new OffscreenCanvas(width, height);
  const image = new ImageData(
    new Uint8ClampedArray(pixels.buffer as ArrayBuffer, pixels.byteOffset, pixels.byteLength),
    width,
    height,
  );
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
};
