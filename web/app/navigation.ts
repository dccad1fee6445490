// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The address, and the steps that can be undone. Every state that has come to rest becomes a step of the
// browser's history, so that its back button, Backspace and a bookmark all mean the same.
import { signal } from '@preact/signals';
import { type Address, formatAddress, listAddress, parseAddress } from './url_state.ts';

/** A state that did not change for so long is a step of its own. */
const kRestMs = 500;

type Place = Pick<Window, 'location' | 'history' | 'addEventListener'>;

export class Navigation {
  /** What the address asks for. Changes when a page is opened or a step is undone, not while one looks around. */
  readonly target = signal<Address>(listAddress());
  /** The viewer was opened at an address that names no page. */
  readonly bare: boolean;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private steps = 0;

  constructor(private readonly place: Place) {
    this.bare = place.location.hash === '';
    this.target.value = parseAddress(place.location.hash);
    this.steps = (place.history.state as { step?: number } | null)?.step ?? 0;
    place.addEventListener('popstate', () => {
      this.drop();
      this.steps = (place.history.state as { step?: number } | null)?.step ?? 0;
      this.target.value = parseAddress(place.location.hash);
    });
  }

  go(address: Address): void {
    this.drop();
    this.push(formatAddress(address));
    this.target.value = address;
  }

  /** The view changed: the address follows when it has come to rest. */
  note(address: () => Address): void {
    this.drop();
    this.timer = setTimeout(() => {
      this.timer = null;
      const hash = formatAddress(address());
      if (hash !== this.place.location.hash) this.push(hash);
    }, kRestMs);
  }

  /**
   * What a page made of the address that it was opened at: the same step in the page's words. As a step of its own it
   * would lead the browser's back button to where it makes it anew.
   */
  settle(address: Address): void {
    const hash = formatAddress(address);
    if (hash !== this.place.location.hash) this.place.history.replaceState(this.place.history.state, '', hash);
  }

  back(): void {
    if (this.steps > 0) this.place.history.back();
  }

  forward(): void {
    this.place.history.forward();
  }

  private push(hash: string): void {
    this.steps++;
    this.place.history.pushState({ step: this.steps }, '', hash);
  }

  private drop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
