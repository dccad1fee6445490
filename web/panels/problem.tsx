// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The line of a panel whose answer did not come: a failure stands out; what a self-contained page cannot hold is said
// calmly, since nothing went wrong, with the way to what it does hold.
import { NotInPage } from '../api/not_in_page.ts';
import { texts } from '../model/text.ts';
import { wholeView } from '../model/time_view.ts';
import type { Viewer } from '../model/viewer.ts';
import { problemText } from './problem_text.ts';

function seeWholeRun(viewer: Viewer): void {
  viewer.range.value = null;
  viewer.setView(wholeView(viewer.length.value));
}

export function Problem({ viewer, error }: { viewer: Viewer; error: Error | null }) {
  if (!error) return null;
  if (!(error instanceof NotInPage)) return <p class="problem">{problemText(error)}</p>;
  return (
    <p class="faint" role="note">
      {problemText(error)}{' '}
      {error.ofPart && (
        <button class="link" onClick={() => seeWholeRun(viewer)}>
          {texts().seeWholeRun}
        </button>
      )}
    </p>
  );
}
