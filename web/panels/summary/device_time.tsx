// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// What each device did in the visible or selected time, and why it did nothing: the causes add up to the time.
import type { Busy, BusyDevice, Track } from '../../api/types.ts';
import { texts } from '../../model/text.ts';
import { percent } from '../../model/units.ts';
import type { Viewer } from '../../model/viewer.ts';
import { useLoaded } from '../load.ts';
import { Problem } from '../problem.tsx';
import { CauseBar, CauseList } from './causes.tsx';

/** Server and page may differ in age: one that does not know this yet is no problem of its own. */
async function ask(viewer: Viewer, from: number, to: number): Promise<Busy | null> {
  const answer = await viewer.client.busy(viewer.id, from, to);
  return answer.devices ? answer : null;
}

function Device({ viewer, device, span }: { viewer: Viewer; device: BusyDevice; span: number }) {
  const t = texts();
  return (
    <div class="device-time">
      <h2>
        {device.name}: <span class="number">{percent(device.busy_ns / span)}</span> {t.busy},{' '}
        <span class="number">{percent(device.idle_ns / span)}</span> {t.idle}
      </h2>
      <CauseBar causes={device.causes} />
      <CauseList viewer={viewer} track={device.track} causes={device.causes} meanings={t.deviceCauses} />
    </div>
  );
}

const isDevice = (track: Track): boolean => track.kind === 'device';

export function DeviceTime({ viewer }: { viewer: Viewer }) {
  const loaded = useLoaded(
    viewer,
    () => {
      const summed = viewer.sums.summed.value;
      return summed ? ask(viewer, summed.from, summed.to).then((busy) => ({ busy, summed })) : null;
    },
    0,
  );
  const { value, error } = loaded.value;
  if (error) return <Problem viewer={viewer} error={error} />;
  if (!value?.busy) return null;
  const { devices, reason } = value.busy;
  // Where there is no device nobody asks why.
  if (devices.length === 0) return reason && viewer.tracks.value.some(isDevice) ? <p class="faint">{reason}</p> : null;
  const span = Math.max(1, value.summed.to - value.summed.from);
  return (
    <>
      {devices.map((device) => (
        <Device key={device.track} viewer={viewer} device={device} span={span} />
      ))}
    </>
  );
}
