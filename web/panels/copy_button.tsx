// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Copies a text, also one that has to be asked for first, and says that it did.
import { useSignal } from '@preact/signals';
import { asError } from '../api/client.ts';
import { texts } from '../model/text.ts';
import { problemText } from './problem_text.ts';

const kSaidMs = 1500;

export function CopyButton({ label, text }: { label: string; text: string | (() => Promise<string>) }) {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      said.value = texts().copied;
    } catch (error) {
      said.value = problemText(asError(error));
    }
    setTimeout(() => {
      said.value = '';
    }, kSaidMs);
  };
  return <button onClick={() => void copy()}>{said.value || label}</button>;
}
