// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What each device did in the visible or selected time, and why it did nothing: the causes add up to the time.
import type { Busy, BusyDevice } from '../../api/types.ts';
import { colourOf, kNeutral, paletteIndex } from '../../model/palette.ts';
import { texts } from '../../model/text.ts';
import { viewOf } from '../../model/time_view.ts';
import { duration, percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';

/** Server and page may differ in age: one that does not know this yet is no problem of its own. */
async function ask(viewer: Viewer, from: number, to: number): Promise<Busy | null> {
  const answer = await viewer.client.busy(viewer.id, from, to);
  return answer.devices ? answer : null;
}

const fill = (cause: string): string => (cause === 'nothing' ? kNeutral : colourOf(paletteIndex(cause))).fill;

function Device({ viewer, device, span }: { viewer: Viewer; device: BusyDevice; span: number }) {
  const t = texts();
  const causes = device.causes.filter((cause) => cause.ns > 0);
  const go = (cause: BusyDevice['causes'][number]): void => {
    if (!cause.longest) return;
    const { from, to } = cause.longest;
    viewer.range.value = { from, to: Math.max(to, from + 1) };
    viewer.setView(viewOf(from, to, viewer.length.value, 0.5));
    viewer.showRow(device.track);
  };
  return (
    <div class="device-time">
      <h2>
        {device.name}: <span class="number">{percent(device.busy_ns / span)}</span> {t.busy},{' '}
        <span class="number">{percent(device.idle_ns / span)}</span> {t.idle}
      </h2>
      <div class="cause-bar" aria-hidden="true">
        {causes.map((cause) => (
          <i key={cause.cause} style={{ width: `${100 * cause.share}%`, background: fill(cause.cause) }}>
            {cause.share > 0.12 ? cause.cause : ''}
          </i>
        ))}
      </div>
      <ul class="causes">
        {causes.map((cause) => (
          <li key={cause.cause}>
            <i class="swatch" style={{ background: fill(cause.cause) }} /> <b>{cause.cause}</b>{' '}
            <span class="number">
              {duration(cause.ns)} · {percent(cause.share)}
            </span>{' '}
            <span class="faint">{cause.text}</span>
            {cause.longest && (
              <>
                {' '}
                <button class="link" onClick={() => go(cause)}>
                  {t.longest} {duration(cause.longest.to - cause.longest.from)}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function DeviceTime({ viewer }: { viewer: Viewer }) {
  const loaded = useLoaded(
    () => {
      const summed = viewer.sums.summed.value;
      return summed ? ask(viewer, summed.from, summed.to).then((busy) => ({ busy, summed })) : null;
    },
    0,
    [viewer],
  );
  const { value } = loaded.value;
  if (!value?.busy || value.busy.devices.length === 0) return null;
  const span = Math.max(1, value.summed.to - value.summed.from);
  return (
    <>
      {value.busy.devices.map((device) => (
        <Device key={device.track} viewer={viewer} device={device} span={span} />
      ))}
    </>
  );
}
