// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import type { ApiError } from '../../api/client.ts';
import { texts } from '../../model/text.ts';

/** What a failed request means for the person who looks at the page. */
export function problemText(error: ApiError): string {
  const t = texts();
  if (error.code === 'unreachable') return t.notReached;
  if (error.status === 401 || error.status === 403) return t.notAllowed;
  return error.message;
}
