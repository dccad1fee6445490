// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A surface that writes down what was drawn on it. For tests.
import type { Surface } from './surface.ts';

export interface DrawCall {
  call: string;
  args: unknown[];
  fillStyle: string;
  globalAlpha: number;
}

const kCalls = [
  'fillRect',
  'strokeRect',
  'clearRect',
  'fillText',
  'beginPath',
  'closePath',
  'moveTo',
  'lineTo',
  'bezierCurveTo',
  'stroke',
  'fill',
  'save',
  'restore',
  'clip',
  'rect',
  'drawImage',
  'setLineDash',
];

export class RecordingSurface {
  readonly calls: DrawCall[] = [];
  fillStyle = '#000';
  strokeStyle = '#000';
  lineWidth = 1;
  font = '';
  textBaseline = 'alphabetic';
  textAlign = 'left';
  globalAlpha = 1;
  imageSmoothingEnabled = true;

  constructor() {
    for (const call of kCalls) {
      (this as unknown as Record<string, unknown>)[call] = (...args: unknown[]) => {
        this.calls.push({ call, args, fillStyle: this.fillStyle, globalAlpha: this.globalAlpha });
      };
    }
  }

  /** Every character is six pixels wide. */
  measureText(text: string): { width: number } {
    return { width: text.length * 6 };
  }

  of = (call: string): DrawCall[] => this.calls.filter((entry) => entry.call === call);
  texts = (): string[] => this.of('fillText').map((entry) => entry.args[0] as string);
  surface = (): Surface => this as unknown as Surface;
}
