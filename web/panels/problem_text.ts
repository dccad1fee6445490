// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../api/client.ts';
import { NotInPage } from '../api/not_in_page.ts';
import { texts } from '../model/text.ts';

/** What a failed request means for the person who looks at the page. */
export function problemText(error: Error): string {
  const t = texts();
  if (error instanceof NotInPage) return t.needsReport(t.notInPage[error.what]);
  if (!(error instanceof ApiError)) return error.message;
  if (error.code === 'unreachable') return t.notReached;
  if (error.status === 401 || error.status === 403) return t.notAllowed;
  return error.message;
}
