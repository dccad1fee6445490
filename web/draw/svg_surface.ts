// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A surface that makes an SVG of what is drawn on it: the same picture, as lines and text that stay sharp and can be
// edited. Strips of dense time are images in it.
import type { Surface } from './surface.ts';

type Measure = (text: string, font: string) => number;
type ToDataUrl = (image: CanvasImageSource) => Promise<string>;

const kState = ['fillStyle', 'strokeStyle', 'lineWidth', 'font', 'textBaseline', 'textAlign', 'globalAlpha'] as const;
const kBaseline: Record<string, string> = { middle: 'central', top: 'text-before-edge', bottom: 'text-after-edge' };
const kAnchor: Record<string, string> = { center: 'middle', right: 'end', end: 'end' };

const number = (value: number): string => String(Math.round(value * 100) / 100);

/** What XML has not: most control characters, halves of surrogate pairs. */
const kNotXml =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const xmlText = (text: string): string =>
  text
    .replace(kNotXml, '·')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

interface Saved {
  style: Record<string, unknown>;
  groups: number;
}

export class SvgSurface {
  fillStyle = '#000';
  strokeStyle = '#000';
  lineWidth = 1;
  font = '11px sans-serif';
  textBaseline = 'alphabetic';
  textAlign = 'left';
  globalAlpha = 1;
  imageSmoothingEnabled = true;
  private readonly parts: string[] = [];
  private readonly images: CanvasImageSource[] = [];
  private readonly saved: Saved[] = [];
  private path = '';
  private dash: number[] = [];
  private groups = 0;
  private clips = 0;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly measure: Measure,
  ) {}

  surface = (): Surface & Pick<CanvasRenderingContext2D, 'translate'> =>
    this as unknown as Surface & Pick<CanvasRenderingContext2D, 'translate'>;

  async toText(title: string, toDataUrl: ToDataUrl): Promise<string> {
    const urls = await Promise.all(this.images.map(toDataUrl));
    const body = this.parts.join('\n').replace(/@@image(\d+)@@/g, (_, index) => urls[Number(index)] ?? '');
    const size = `width="${number(this.width)}" height="${number(this.height)}"`;
    const close = '</g>'.repeat(this.groups);
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${number(this.width)} ${number(this.height)}">\n<title>${xmlText(title)}</title>\n${body}${close}\n</svg>\n`;
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    if (w <= 0 || h <= 0) return;
    this.parts.push(`<rect ${this.box(x, y, w, h)} fill="${this.fillStyle}"${this.alpha()}/>`);
  }
  strokeRect(x: number, y: number, w: number, h: number): void {
    this.parts.push(`<rect ${this.box(x, y, Math.max(0, w), Math.max(0, h))} fill="none" ${this.line()}/>`);
  }
  clearRect(): void {}
  fillText(text: string, x: number, y: number, most?: number): void {
    const width = most === undefined ? 0 : this.measureText(text).width;
    const squeeze =
      most !== undefined && width > most ? ` textLength="${number(most)}" lengthAdjust="spacingAndGlyphs"` : '';
    const [, weight = '', size = '11', family = 'sans-serif'] =
      /^(?:(bold|\d{3}) )?(\d+(?:\.\d+)?)px (.+)$/.exec(this.font) ?? [];
    const style = `font-family="${xmlText(family)}" font-size="${size}"${weight ? ` font-weight="${weight}"` : ''}`;
    const at = `x="${number(x)}" y="${number(y)}" dominant-baseline="${kBaseline[this.textBaseline] ?? 'auto'}"`;
    const anchor = kAnchor[this.textAlign] ? ` text-anchor="${kAnchor[this.textAlign]}"` : '';
    this.parts.push(
      `<text ${at}${anchor} ${style} fill="${this.fillStyle}"${squeeze}${this.alpha()} xml:space="preserve">${xmlText(text)}</text>`,
    );
  }
  measureText(text: string): { width: number } {
    return { width: this.measure(text, this.font) };
  }
  beginPath(): void {
    this.path = '';
  }
  closePath(): void {
    this.path += 'Z';
  }
  moveTo(x: number, y: number): void {
    this.path += `M${number(x)} ${number(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.path += `${this.path ? 'L' : 'M'}${number(x)} ${number(y)}`;
  }
  bezierCurveTo(...at: number[]): void {
    this.path += `C${at.map(number).join(' ')}`;
  }
  rect(x: number, y: number, w: number, h: number): void {
    this.path += `M${number(x)} ${number(y)}h${number(w)}v${number(h)}h${number(-w)}Z`;
  }
  stroke(): void {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="none" ${this.line()}/>`);
  }
  fill(): void {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}"${this.alpha()}/>`);
  }
  save(): void {
    const style = Object.fromEntries(kState.map((key) => [key, this[key]]));
    this.saved.push({ style: { ...style, dash: this.dash }, groups: this.groups });
  }
  restore(): void {
    const saved = this.saved.pop();
    if (!saved) return;
    const { dash, ...style } = saved.style;
    Object.assign(this, style);
    this.dash = dash as number[];
    this.parts.push('</g>'.repeat(this.groups - saved.groups));
    this.groups = saved.groups;
  }
  clip(): void {
    const id = `clip${this.clips++}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.open(`clip-path="url(#${id})"`);
  }
  translate(x: number, y: number): void {
    this.open(`transform="translate(${number(x)} ${number(y)})"`);
  }
  setLineDash(dash: number[]): void {
    this.dash = dash;
  }
  /** As canvases draw a part of an image: from (sx, sy, sw, sh) to (x, y, w, h). */
  drawImage(image: CanvasImageSource, ...at: number[]): void {
    const [sx = 0, sy = 0, sw = 0, sh = 0, x = 0, y = 0, w = 0, h = 0] = at;
    if (sw <= 0 || sh <= 0 || w <= 0 || h <= 0) return;
    let index = this.images.indexOf(image);
    if (index < 0) index = this.images.push(image) - 1;
    const { width, height } = image as { width: number; height: number };
    this.parts.push(
      `<svg ${this.box(x, y, w, h)} viewBox="${number(sx)} ${number(sy)} ${number(sw)} ${number(sh)}" preserveAspectRatio="none"><image href="@@image${index}@@" width="${width}" height="${height}" preserveAspectRatio="none" image-rendering="pixelated"/></svg>`,
    );
  }

  private open(attributes: string): void {
    this.parts.push(`<g ${attributes}>`);
    this.groups++;
  }
  private box = (x: number, y: number, w: number, h: number): string =>
    `x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}"`;
  private alpha = (): string => (this.globalAlpha < 1 ? ` opacity="${number(this.globalAlpha)}"` : '');
  private line(): string {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(' ')}"` : '';
    return `stroke="${this.strokeStyle}" stroke-width="${number(this.lineWidth)}"${dash}${this.alpha()}`;
  }
}
