// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The list of shortcuts, made from the table that also runs them.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../model/text.ts';
import { kShortcuts } from './shortcuts.ts';

export const helpOpen = signal(false);

export function HelpButton() {
  const t = texts();
  return (
    <button
      title={t.help}
      aria-label={t.help}
      onClick={() => {
        helpOpen.value = true;
      }}
    >
      ?
    </button>
  );
}

export function HelpDialog() {
  const t = texts();
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  const mouse: [string, string][] = [
    [t.mouseWheel, t.mouseWheelDo],
    [t.mouseShiftWheel, t.mouseShiftWheelDo],
    [t.mouseDrag, t.mouseDragDo],
    [t.mouseShiftDrag, t.mouseShiftDragDo],
    [t.mouseBox, t.mouseBoxDo],
    [t.mouseEdge, t.mouseEdgeDo],
    [t.mouseDouble, t.mouseDoubleDo],
    [t.touchOne, t.touchOneDo],
    [t.touchTwo, t.touchTwoDo],
  ];
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-label={t.help}
      onClose={() => {
        helpOpen.value = false;
      }}
      onClick={(event) => {
        if (event.target === dialog.current) helpOpen.value = false;
      }}
    >
      <h2>
        {t.help}{' '}
        <button
          onClick={() => {
            helpOpen.value = false;
          }}
        >
          {t.close}
        </button>
      </h2>
      {open && (
        <div class="help-columns">
          <dl>
            {kShortcuts.map((shortcut) => (
              <div key={shortcut.shown}>
                <dt>
                  {shortcut.shown.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{t[shortcut.text] as string}</dd>
              </div>
            ))}
          </dl>
          <dl>
            <h3>{t.mouse}</h3>
            {mouse.map(([what, does]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </dialog>
  );
}
