/** The find box of the prompt. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { highlight, IconButton } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import type { Model } from '../model.ts';
import type { PromptPositions } from './scroll.ts';

/** The maximum number of highlighted matches; all matches are counted. */
const MOST_HIGHLIGHTED = 2000;

interface FindProps {
  readonly model: Model;
  readonly places: PromptPositions;
  readonly frame: { readonly current: HTMLElement | null };
}

export function Find({ model, places, frame }: FindProps) {
  const [isOpen, open] = useState(false);
  const [needle, setNeedle] = useState('');
  const [current, setCurrent] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const prompt = model.prompt?.prompt ?? '';
  const matches = isOpen ? matchesOf(prompt, needle) : [];
  const nth = Math.min(current, Math.max(0, matches.length - 1));
  const { focus } = model;

  // Use a layout effect, so that the box has the focus before the user presses the next key.
  useLayoutEffect(() => {
    if (focus?.what !== 'find') return;
    open(true);
    input.current?.select();
    input.current?.focus();
  }, [focus]);
  useLayoutEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen]);
  useLayoutEffect(() => {
    const rangeOf = (start: number): Range | undefined => places.rangeOf(start, start + needle.length);
    highlight(
      'find',
      matches.slice(0, MOST_HIGHLIGHTED).flatMap((start) => rangeOf(start) ?? []),
    );
    const start = matches[nth];
    const range = start === undefined ? undefined : rangeOf(start);
    highlight('find-current', range ? [range] : []);
    range?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  });

  if (!isOpen) return null;
  const step = (by: number): void => setCurrent((nth + by + matches.length) % Math.max(1, matches.length));
  const close = (): void => {
    open(false);
    frame.current?.focus({ preventScroll: true });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search class="find" onKeyDown={onKey}>
      <input
        ref={input}
        class="input"
        type="text"
        aria-label={t('Find in the prompt')}
        placeholder={t('Find')}
        spellcheck={false}
        value={needle}
        onInput={({ currentTarget }) => {
          setNeedle(currentTarget.value);
          setCurrent(0);
        }}
      />
      <span class="find-count" role="status">
        {needle === '' ? '' : matches.length === 0 ? t('No results') : t('{0} of {1}', nth + 1, matches.length)}
      </span>
      <IconButton icon="up" label={t('Previous match (Shift+Enter)')} onClick={() => step(-1)} />
      <IconButton icon="down" label={t('Next match (Enter)')} onClick={() => step(1)} />
      <IconButton icon="close" label={t('Close (Escape)')} onClick={close} />
    </search>
  );
}

/** Returns the offsets of the matches, ignoring case. */
function matchesOf(text: string, needle: string): readonly number[] {
  if (needle === '') return [];
  const [all, part] = [text.toLowerCase(), needle.toLowerCase()];
  const found: number[] = [];
  for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, at + part.length)) found.push(at);
  return found;
}
