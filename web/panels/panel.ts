// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// A panel is a folder: it shows something about one report in the pane below the timeline. It is listed in
// registry.ts and known to nothing else.
import type { JSX } from 'preact';
import type { Texts } from '../model/text/en.ts';
import type { Viewer } from '../model/viewer.ts';

export interface Panel {
  /** In links: never changed. */
  id: string;
  title: (t: Texts) => string;
  View: (props: { viewer: Viewer }) => JSX.Element;
}
