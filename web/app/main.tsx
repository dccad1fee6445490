// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Starts the viewer: the address says what is shown; the data comes from the page itself or from the server.
import './style.css';
import { render } from 'preact';
import { Client } from '../api/client.ts';
import { embeddedClient } from '../api/embedded.ts';
import { keepSettings } from '../model/settings.ts';
import { App } from './app.tsx';
import { Navigation } from './navigation.ts';

async function start(root: HTMLElement): Promise<void> {
  const client = (await embeddedClient(document)) ?? new Client();
  render(<App client={client} navigation={new Navigation(window)} />, root);
}

keepSettings();
const root = document.getElementById('app');
if (root)
  start(root).catch((error: unknown) => {
    root.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  });
