// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Starts the viewer: the address says what is shown.
import './style.css';
import { render } from 'preact';
import { Client } from '../api/client.ts';
import { keepSettings } from '../model/settings.ts';
import { App } from './app.tsx';
import { Navigation } from './navigation.ts';

keepSettings();
const root = document.getElementById('app');
if (root) render(<App client={new Client()} navigation={new Navigation(window)} />, root);
