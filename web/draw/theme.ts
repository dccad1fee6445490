// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Colours of the canvas that do not stand for a name.

export interface Theme {
  dark: boolean;
  background: string;
  stripe: string;
  text: string;
  faint: string;
  grid: string;
  loading: string;
  select: string;
  range: string;
  rangeEdge: string;
  band: string;
  link: string;
  lost: string;
  cursor: string;
  curve: string;
  curveBand: string;
}

export const kLight: Theme = {
  dark: false,
  background: '#ffffff',
  stripe: '#f6f8fa',
  text: '#1c2630',
  faint: '#65727f',
  grid: '#e3e8ed',
  loading: '#eceff3',
  select: '#0b3d91',
  range: 'rgba(0, 105, 170, 0.13)',
  rangeEdge: '#0069aa',
  band: 'rgba(0, 60, 120, 0.07)',
  link: '#b00060',
  lost: '#a33a2a',
  cursor: '#5b6773',
  curve: '#0a6aa8',
  curveBand: 'rgba(10, 106, 168, 0.25)',
};

export const kDark: Theme = {
  dark: true,
  background: '#12181e',
  stripe: '#161e25',
  text: '#e4eaf0',
  faint: '#93a1af',
  grid: '#26303a',
  loading: '#1c252e',
  select: '#ffffff',
  range: 'rgba(110, 190, 255, 0.17)',
  rangeEdge: '#7cc4ff',
  band: 'rgba(255, 255, 255, 0.08)',
  link: '#ff77b7',
  lost: '#ff8a75',
  cursor: '#8b98a5',
  curve: '#6ec0ff',
  curveBand: 'rgba(110, 192, 255, 0.28)',
};

export const kFont = '11px system-ui, "Noto Sans", "Noto Sans CJK KR", sans-serif';
