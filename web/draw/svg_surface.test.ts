// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { SvgSurface, xmlText } from './svg_surface.ts';

const make = (): SvgSurface => new SvgSurface(100, 50, (text) => text.length * 6);
const image = { width: 1024, height: 9 } as unknown as CanvasImageSource;

describe('a picture as SVG', () => {
  it('holds boxes, text and lines where they were drawn', async () => {
    const svg = make();
    svg.fillStyle = '#123456';
    svg.fillRect(1, 2, 30, 4.5);
    svg.fillRect(1, 2, 0, 4);
    svg.font = '11px system-ui, "Noto Sans"';
    svg.textBaseline = 'middle';
    svg.fillText('step', 3, 4);
    svg.beginPath();
    svg.moveTo(0, 0);
    svg.lineTo(10, 5);
    svg.setLineDash([2, 2]);
    svg.stroke();
    const text = await svg.toText('a report', async () => '');
    expect(text).toContain('<rect x="1" y="2" width="30" height="4.5" fill="#123456"/>');
    expect(text.match(/<rect/g)).toHaveLength(1);
    expect(text).toMatch(
      /<text x="3" y="4" dominant-baseline="central" font-family="system-ui, &quot;Noto Sans&quot;"/,
    );
    expect(text).toContain('<path d="M0 0L10 5" fill="none" stroke="#000" stroke-width="1" stroke-dasharray="2 2"/>');
    expect(text).toContain('<title>a report</title>');
  });

  it('never lets a name become markup', async () => {
    const svg = make();
    svg.fillText('</text><script>x</script>&"\u0000\ud800', 0, 0);
    const text = await svg.toText('<b>', async () => '');
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;/text&gt;&lt;script&gt;x&lt;/script&gt;&amp;&quot;··');
    expect(text).toContain('<title>&lt;b&gt;</title>');
    expect(xmlText('한국어 😀')).toBe('한국어 😀');
  });

  it('closes every group that clipping and moving opened', async () => {
    const svg = make();
    svg.save();
    svg.translate(10, 0);
    svg.fillStyle = 'red';
    svg.beginPath();
    svg.rect(0, 0, 5, 5);
    svg.clip();
    svg.save();
    svg.beginPath();
    svg.rect(1, 1, 2, 2);
    svg.clip();
    svg.restore();
    svg.restore();
    svg.fillRect(0, 0, 1, 1);
    svg.save();
    svg.translate(1, 1);
    const text = await svg.toText('', async () => '');
    expect(text.match(/<g /g)).toHaveLength(4);
    expect(text.match(/<\/g>/g)).toHaveLength(4);
    expect(text).toMatch(/<rect x="0" y="0" width="1" height="1" fill="#000"\/>/);
  });

  it('keeps an image once, and shows parts of it', async () => {
    const svg = make();
    svg.drawImage(image, 10, 0, 100, 9, 0, 20, 50, 18);
    svg.drawImage(image, 110, 0, 100, 9, 50, 20, 50, 18);
    let asked = 0;
    const text = await svg.toText('', async () => `data:,${++asked}`);
    expect(asked).toBe(1);
    expect(text.match(/href="data:,1"/g)).toHaveLength(2);
    expect(text).toContain('viewBox="110 0 100 9"');
  });
});
