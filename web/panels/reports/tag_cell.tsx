// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// The tags of one report: a click filters for one, × takes it away, + adds one.
import { useSignal } from '@preact/signals';
import { texts } from '../../model/text.ts';

interface TagCellProps {
  name: string;
  tags: readonly string[];
  put: (tags: string[]) => void;
  pick: (tag: string) => void;
}

export function TagCell({ name, tags, put, pick }: TagCellProps) {
  const t = texts();
  const text = useSignal<string | null>(null);
  const add = (): void => {
    if (text.value?.trim()) put([...tags, ...text.value.split(/[\s,]+/)]);
    text.value = null;
  };
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag">
          <button class="plain" onClick={() => pick(tag)}>
            #{tag}
          </button>
          <button
            class="plain"
            aria-label={`${t.removeTag} ${tag}`}
            title={t.removeTag}
            onClick={() => put(tags.filter((other) => other !== tag))}
          >
            ×
          </button>
        </span>
      ))}
      {text.value === null ? (
        <button
          class="plain add-tag"
          aria-label={`${t.addTag} ${name}`}
          title={t.addTag}
          onClick={() => {
            text.value = '';
          }}
        >
          +
        </button>
      ) : (
        <input
          ref={(element) => element?.focus()}
          class="tag-input"
          aria-label={`${t.addTag} ${name}`}
          value={text.value}
          maxLength={80}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add();
            if (event.key === 'Escape') text.value = null;
          }}
          onBlur={add}
        />
      )}
    </span>
  );
}
