// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The mock server and a browser for one file of journeys.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Scheme, launch, open, settled } from './browser.ts';
// @ts-expect-error plain JavaScript
import { startMock } from './mock_server.mjs';

interface Server {
  close: () => void;
  closeAllConnections: () => void;
  address: () => { port: number };
}

export class Site {
  browser = null as unknown as Browser;
  base = '';

  json = async (path: string): Promise<any> => (await fetch(`${this.base}api/v1/reports/${path}`)).json();

  /** Opens a report of the mock server and waits for its picture. */
  report = async (id: string, query = '', scheme: Scheme = 'light', more: Parameters<typeof open>[3] = {}) => {
    const watched = await open(this.browser, `${this.base}#/report/${id}${query}`, scheme, more);
    await settled(watched.page);
    return watched;
  };
}

export function useSite(): Site {
  const site = new Site();
  let server: Server | undefined;
  beforeAll(async () => {
    server = (await startMock(0)) as Server;
    site.base = `http://127.0.0.1:${server.address().port}/`;
    site.browser = await launch();
  });
  afterAll(async () => {
    await site.browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
  return site;
}
