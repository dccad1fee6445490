// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from './client.ts';

/** What a page without a server may lack. */
export type Missing =
  | 'devices'
  | 'threads'
  | 'deviceStacks'
  | 'stacks'
  | 'stats'
  | 'statsOfPart'
  | 'sql'
  | 'source'
  | 'event'
  | 'events'
  | 'other';

/** A self-contained page does not hold this: no failure, it was never put there. */
export class NotInPage extends ApiError {
  constructor(
    readonly what: Missing,
    /** It is there for the whole run. */
    readonly ofPart = false,
  ) {
    super('not_in_page', `not in this page: ${what}`, 0);
  }
}
