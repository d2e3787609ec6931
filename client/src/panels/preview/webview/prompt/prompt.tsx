/** The tab *Prompt*: every character that the model receives, as a document. */
import { Component } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, highlight, Icon, IconButton } from '../../../kit/controls.tsx';
import type { FileRange } from '../../../kit/file-range.ts';
import { grouped, t, tCount } from '../../../kit/l10n.ts';
import type { ShownSegment } from '../../messages.ts';
import type { ShownPrompt } from '../../shown-prompt.ts';
import { ListedAndChosenCards, levelKey, OnDemandCard } from '../cards.tsx';
import { type Actions, isAgentSkill, isOlder, plain, type ViewProps } from '../model.ts';
import {
  blockId,
  blockName,
  blocksOf,
  type Paragraph,
  paragraphsOf,
  type ShownBlock,
  samePieces,
  styledLines,
} from './blocks.ts';
import { Find } from './find.tsx';
import { PromptPositions, scrollIntoPanel, useSourceScroll } from './scroll.ts';
import { contains, cursorIn } from './source-ranges.ts';

const REQUEST_HINT = t(
  'Every prompt ends with the request and all values, so the model has them even if no text names them. Without a request and values, this part is left out.',
);

/** The number of characters that are shown until the user requests all of them. */
const SHOWN = 2_000_000;

export function Prompt({ model, actions }: ViewProps) {
  const { prompt } = model;
  const frame = useRef<HTMLDivElement>(null);
  const places = useMemo(() => new PromptPositions(() => frame.current), []);
  const uri = model.show?.reply.uri;
  const [allOf, showAllOf] = useState<string>();
  const limit = allOf === uri ? Number.POSITIVE_INFINITY : SHOWN;
  const isFoldedAway = isAgentSkill(model) && model.page.folded.includes(levelKey('chosen'));
  const bar = useLitSource(model, places, frame);
  useSourceScroll(model, actions, places, frame);
  useMarkedCommands(model, places);

  const click = ({ clientX, clientY }: MouseEvent): void => {
    // A click that ends a text selection does not open the source.
    if (document.getSelection()?.isCollapsed === false) return;
    revealAt(places.offsetAt(clientX, clientY), prompt?.segments ?? [], actions);
  };
  const { errors } = model;
  const { folded, mono } = model.page;
  const toggle = (key: string): void =>
    actions.setPage({ folded: folded.includes(key) ? folded.filter((one) => one !== key) : [...folded, key] });
  // Most messages, such as a move of the cursor, do not change the prompt, which can have thousands of paragraphs.
  const blocks = useMemo(
    () =>
      (prompt && !isFoldedAway ? blocksOf(prompt) : []).map((block) => (
        <PromptBlock
          key={block.key}
          prompt={prompt?.prompt ?? ''}
          block={block}
          limit={limit}
          isFolded={folded.includes(block.key)}
          isCounted={model.show?.reply.estimate === undefined}
          budgetEnd={prompt ? budgetEnd(prompt) : undefined}
          places={places}
          missing={(gap) => missingAt(gap, errors)}
          onToggle={() => toggle(block.key)}
          onReveal={(source) => actions.reveal(source, true)}
        />
      )),
    [prompt, errors, limit, folded, isFoldedAway, places, actions, model.show?.reply.estimate],
  );
  return (
    <div
      ref={frame}
      class={`prompt ${mono ? 'mono' : ''} ${isOlder(model) ? 'last-good' : (prompt?.kind ?? '')}`}
      role="document"
      aria-label={t('Prompt')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it
      tabIndex={0}
      onKeyDown={moveByKey}
    >
      <Find model={model} places={places} frame={frame} />
      {isAgentSkill(model) && <ListedAndChosenCards model={model} actions={actions} />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have buttons and editor commands */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click in the text selects its source */}
      <div class="blocks" onClick={click}>
        {blocks}
        {bar && <span class="source-line" style={bar} aria-hidden="true" />}
      </div>
      {!prompt && !isFoldedAway && (
        <p class="quiet nothing">{t('The prompt is empty. Write instructions for the model in the body.')}</p>
      )}
      {isAgentSkill(model) && <OnDemandCard model={model} actions={actions} />}
      {prompt && prompt.prompt.length > limit && (
        <p class="more quiet">
          {t('The first {0} characters are shown.', grouped(limit))}{' '}
          <Button onClick={() => showAllOf(uri)}>{t('Show all {0} characters', grouped(prompt.prompt.length))}</Button>
        </p>
      )}
    </div>
  );
}

interface BlockProps {
  readonly prompt: string;
  readonly block: ShownBlock;
  readonly limit: number;
  readonly isFolded: boolean;
  /** False in a `SKILL.md`, whose size is one estimate above. */
  readonly isCounted: boolean;
  /** The offset of the first character over the budget. */
  readonly budgetEnd: number | undefined;
  readonly places: PromptPositions;
  readonly missing: (gap: ShownSegment) => string;
  readonly onToggle: () => void;
  readonly onReveal: (source: FileRange) => void;
}

function PromptBlock({
  prompt,
  block,
  limit,
  isFolded,
  isCounted,
  budgetEnd: end,
  places,
  missing,
  onToggle,
  onReveal,
}: BlockProps) {
  const name = blockName(block);
  const isOver = end !== undefined && block.start >= end;
  const source = block.segments.find((segment) => segment.source)?.source;
  return (
    <section id={blockId(block.key)} class={`block ${block.part} ${isOver ? 'over' : ''}`} aria-label={name}>
      <h2 class="block-head">
        <button
          type="button"
          class="toggle"
          title={block.part === 'request' ? REQUEST_HINT : undefined}
          aria-expanded={isFolded ? 'false' : 'true'}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <Icon name={isFolded ? 'right' : 'down'} />
          <span class="block-name">{name}</span>
          {isCounted && (
            <span class="block-tokens" title={tCount(block.tokens, '1 token', '{0} tokens')}>
              {grouped(block.tokens)}
            </span>
          )}
        </button>
        {source && (
          <IconButton icon="edit" label={t('Go to the source of {0}', name)} onClick={() => onReveal(source)} />
        )}
      </h2>
      {!isFolded && (
        <div class="text">
          {paragraphsOf(prompt, block, limit, missing).flatMap((paragraph) => {
            const { key, start, text } = paragraph;
            const ends = end !== undefined && start <= end && end < start + text.length;
            return [
              ends && <BudgetEnd key="budget" />,
              <PromptParagraph
                key={key}
                paragraph={paragraph}
                isOver={end !== undefined && start >= end}
                places={places}
              />,
            ];
          })}
        </div>
      )}
    </section>
  );
}

const BudgetEnd = () => (
  <p class="budget-end">
    <span>{t('The budget ends here')}</span>
  </p>
);

interface ParagraphProps {
  readonly paragraph: Paragraph;
  readonly isOver: boolean;
  readonly places: PromptPositions;
}

/**
 * An element that contains exactly the characters of a paragraph, and is rendered again only if its text or style
 * changes.
 */
class PromptParagraph extends Component<ParagraphProps> {
  #element: HTMLElement | null = null;

  override shouldComponentUpdate(next: ParagraphProps): boolean {
    // An edit to the text before the paragraph may have moved the paragraph.
    if (this.#element) next.places.place(this.#element, next.paragraph.start, next.paragraph.text.length);
    return next.isOver !== this.props.isOver || !samePieces(next.paragraph, this.props.paragraph);
  }

  override render({ paragraph, isOver, places }: ParagraphProps) {
    const lines = styledLines(paragraph);
    const size = { containIntrinsicHeight: `auto ${lines.length * 1.5}em` };
    const register = (element: HTMLElement | null): void => {
      this.#element = element;
      if (element) places.place(element, paragraph.start, paragraph.text.length);
    };
    return (
      <div ref={register} class={`paragraph ${isOver ? 'over' : ''}`} style={size}>
        {lines.map(({ kind, hang, runs }, at) => (
          <div key={at} class={`line ${kind}`} style={hang > 0 ? { '--hang': `${hang}ch` } : undefined}>
            {runs.map(({ text, look, missing }, nth) =>
              missing === undefined ? (
                <span key={nth} class={look}>
                  {text}
                </span>
              ) : (
                <span key={nth} class={look} role="group" aria-label={missing} title={missing}>
                  {text}
                </span>
              ),
            )}
          </div>
        ))}
      </div>
    );
  }
}

/**
 * Highlights the output of the expression at the cursor. Returns the position of the bar that marks the line of prose
 * at the cursor; prose itself is not highlighted.
 */
function useLitSource(
  model: ViewProps['model'],
  places: PromptPositions,
  frame: { readonly current: HTMLElement | null },
): { readonly top: string; readonly height: string } | undefined {
  const { cursor, cursorScrolls, prompt } = model;
  const [bar, setBar] = useState<{ readonly top: string; readonly height: string }>();
  useLayoutEffect(() => {
    // The locations in an older prompt are those of an older text.
    const { values, line } = cursorIn(prompt?.kind === 'last-good' ? undefined : prompt, cursor);
    const lit = values.flatMap(({ start, end }) => places.rangeOf(start, end) ?? []);
    highlight('lit', lit);
    const range = line && places.rangeOf(line.start, line.end);
    const box = range?.getBoundingClientRect();
    const blocks = frame.current?.querySelector('.blocks')?.getBoundingClientRect();
    setBar((before) => {
      if (!box || !blocks || box.height === 0) return undefined;
      const next = { top: `${Math.round(box.top - blocks.top)}px`, height: `${Math.round(box.height)}px` };
      return before?.top === next.top && before.height === next.height ? before : next;
    });
    if (cursorScrolls) scrollIntoPanel(frame.current?.parentElement, lit[0] ?? range);
  }, [prompt, cursor, cursorScrolls, model.page, places, frame]);
  useEffect(() => () => highlight('lit', []), []);
  return bar;
}

/** Highlights the commands that a client runs before its model reads the text. */
function useMarkedCommands({ show, prompt, page }: ViewProps['model'], places: PromptPositions): void {
  const commands = prompt?.kind === 'last-good' ? undefined : show?.reply.call?.commands;
  useLayoutEffect(() => {
    highlight(
      'commands',
      (commands ?? []).flatMap(({ start, end }) => places.rangeOf(start, end) ?? []),
    );
    return () => highlight('commands', []);
  }, [prompt, commands, page, places]);
}

/** Returns the message for a gap in the prompt, with the error that caused the gap if this error is known. */
function missingAt({ source }: ShownSegment, errors: ViewProps['model']['errors']): string {
  const error = errors.find(({ uri, range }) => source?.uri === uri && contains(source.range, range));
  return error === undefined
    ? t('Missing: the template could not be rendered here.')
    : t('Missing: {0}', plain(error.message));
}

function revealAt(offset: number | undefined, segments: readonly ShownSegment[], actions: Actions): void {
  if (offset === undefined) return;
  const segment = segments.find(({ start, end }) => start <= offset && offset < end);
  if (segment?.source) actions.reveal(segment.source, true);
}

/** Moves the focus to the next or previous block when the user presses Ctrl or Cmd with an arrow key. */
function moveByKey(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || !(event.ctrlKey || event.metaKey)) return;
  const heads = [...document.querySelectorAll<HTMLElement>('.block-head .toggle')];
  const at = heads.indexOf(document.activeElement as HTMLElement);
  heads[at < 0 ? 0 : at + by]?.focus();
  event.preventDefault();
}

/**
 * Returns the offset of the first character over the budget; undefined without a budget, and for a prompt within
 * it.
 */
function budgetEnd({ segments, tokens }: ShownPrompt): number | undefined {
  const { budget, total } = tokens;
  if (budget === null || total <= budget) return undefined;
  let left = budget;
  for (const { start, end, tokens: own } of segments) {
    // This calculation assumes that all tokens of a segment have the same length.
    if (own > left) return start + Math.floor(((end - start) * left) / own);
    left -= own;
  }
  return undefined;
}
