/**
 * Frontmatter that clients do not find: after other text, within a code fence or a comment, or between other lines than
 * `---` (docs/format.md, section 2).
 */
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { isLikeFence } from '../../languages/yaml/frontmatter.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { afterBreak, endOfLine, lineBreakOf, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';

export interface MisplacedFrontmatter {
  readonly message: string;
  readonly fixes: readonly Fix[];
  /** The first line of a code fence around the frontmatter, or around the whole file. */
  readonly fence: Span | undefined;
}

/** A line without its line break, and the start of the next line. */
interface Line extends Span {
  readonly text: string;
  readonly next: number;
}

/** The lines of the frontmatter; undefined lines are missing. */
interface Block {
  /** The code fence or the comment around the frontmatter. */
  readonly wrapper: Line | undefined;
  readonly wrapperEnd: Line | undefined;
  readonly open: Line | undefined;
  readonly content: readonly Line[];
  readonly close: Line | undefined;
}

/** The maximum number of lines in which a frontmatter is searched. */
const MAX_LINES = 1_000;

const KEY = /^[ \t]*["']?(?:name|description)["']?[ \t]*:(?:[ \t]|$)/;
const YAML_LINE = /^(?:[ \t]|["']?[\w$][\w$ .-]{0,60}["']?[ \t]*:(?:[ \t]|$)|-[ \t]|#|[\]}]|[ \t]*$)/;
const TOML_LINE = /^[ \t]*([\w-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|true|false|-?\d+(?:\.\d+)?)[ \t]*$/;
const WRAPPER =
  /^ {0,3}(?:(?:`{3,}|~{3,})[ \t]*(?:markdown|md|ya?ml|text|txt|plaintext|skill|front-?matter|toml)?|<!--)[ \t]*$/i;
/** Characters without a width at the start of a line. */
const INVISIBLE = /^[\u00AD\u200B-\u200D\u2060\uFEFF]+/;
/** White space, and characters without a width. */
const BLANK = /^[\s\u00AD\u200B-\u200D\u2060\uFEFF]*$/;

/** Returns the frontmatter of a file that does not begin with it; otherwise undefined. Never throws. */
export const misplacedFrontmatter = (file: SkillFile): MisplacedFrontmatter | undefined => file.derive(find);

function find(file: SkillFile): MisplacedFrontmatter | undefined {
  const { text } = file;
  const lines = linesOf(text);
  const first = lines.findIndex((line) => !BLANK.test(line.text));
  if (first < 0) return undefined;
  const block = findBlock(file, lines, first);
  return block ? describe(file, lines, block) : oneLine(file, lines[first] as Line);
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length && lines.length < MAX_LINES; ) {
    const end = endOfLine(text, at);
    const next = afterBreak(text, end);
    const start = at + (INVISIBLE.exec(text.slice(at, Math.min(end, at + 100)))?.[0].length ?? 0);
    lines.push({ start, end, text: text.slice(start, Math.min(end, start + 400)), next });
    at = next;
  }
  return lines;
}

/** Finds the first block of keys that can be the frontmatter of the file. */
function findBlock(file: SkillFile, lines: readonly Line[], first: number): Block | undefined {
  let fence: string | undefined;
  for (let at = first; at < lines.length; at++) {
    const { text } = lines[at] as Line;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && WRAPPER.test(text)) fence = undefined;
      continue;
    }
    const isFirst = at === first;
    const isWrapper = WRAPPER.test(text);
    const inside = isWrapper ? nextFilled(lines, at + 1) : at;
    const block = readBlock(lines, inside, isFirst ? 'start' : isWrapper ? 'wrapper' : 'text');
    // After other text, a block in a code fence may be an example, unless it has the name of the skill.
    if (block && (!isWrapper || isFirst || isNamedAs(file, block))) {
      return isWrapper ? { ...block, ...wrapperOf(lines, at, block) } : block;
    }
    fence = mark;
  }
  return undefined;
}

const nextFilled = (lines: readonly Line[], from: number): number => {
  const found = lines.findIndex((line, at) => at >= from && !BLANK.test(line.text));
  return found < 0 ? lines.length : found;
};

/**
 * Reads the keys that begin at a line: at the start of the file, at the start of a code fence or a comment, or after
 * other text, where only keys between two lines with a `description` are frontmatter.
 */
function readBlock(lines: readonly Line[], at: number, place: 'start' | 'wrapper' | 'text'): Block | undefined {
  const begin = lines[at];
  if (!begin) return undefined;
  const isOpened = isLikeFence(begin.text);
  if (!isOpened && !(place !== 'text' && KEY.test(begin.text))) return undefined;
  const from = isOpened ? at + 1 : at;
  const isToml = begin.text.includes('+++');
  let to = from;
  for (; to < lines.length; to++) {
    const { text } = lines[to] as Line;
    if (isLikeFence(text) || !(isToml || YAML_LINE.test(text) || TOML_LINE.test(text))) break;
    // Without a first line, the keys end at the first empty line.
    if (!isOpened && BLANK.test(text)) break;
  }
  const end = lines[to];
  const close = end && isLikeFence(end.text) && !WRAPPER.test(end.text) ? end : undefined;
  const content = lines.slice(from, to);
  const has = (key: string) => content.some(({ text }) => new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*[:=]`).test(text));
  // Without a line before them, a `name:` alone must have a value that can be a name.
  const isNamed =
    has('description') || content.some(({ text }) => /^name[ \t]*:[ \t]*["']?[\w-]+["']?[ \t]*$/.test(text));
  const isMeant = place === 'start' ? has('[\\w-]+') : has('description');
  if (isOpened ? !close || !isMeant : !has('name') || !isNamed) return undefined;
  return { wrapper: undefined, wrapperEnd: undefined, open: isOpened ? begin : undefined, content, close };
}

/** Returns the lines of a code fence or a comment around a block. The fence may end after it, or with the file. */
function wrapperOf(lines: readonly Line[], at: number, block: Pick<Block, 'close' | 'content'>) {
  const wrapper = lines[at] as Line;
  const last = block.close ?? block.content.at(-1) ?? wrapper;
  const rest = lines.filter(({ start }) => start > last.start);
  const after = rest.find(({ text }) => !BLANK.test(text));
  const mark = /^(?:`+|~+)/.exec(wrapper.text.trim())?.[0];
  const isEnd = ({ text }: Line): boolean =>
    mark === undefined ? /^[ \t]*-->[ \t]*$/.test(text) : text.trim().startsWith(mark) && /^(.)\1*$/.test(text.trim());
  if (mark === undefined) return { wrapper, wrapperEnd: after && isEnd(after) ? after : undefined };
  // The fences within the file have pairs of lines. One line more is the end of the fence around the file.
  const fences = rest.filter(({ text }) => text.trim().startsWith(mark));
  const end = fences.length % 2 === 0 ? undefined : fences[0] === after ? after : fences.at(-1);
  return { wrapper, wrapperEnd: end && isEnd(end) ? end : undefined };
}

function isNamedAs({ uri }: SkillFile, { content }: Pick<Block, 'content'>): boolean {
  const name = content.map(({ text }) => /^name[ \t]*:[ \t]*["']?([^"'\s]+)/.exec(text)?.[1]).find(Boolean);
  return name === nameFromUri(uri);
}

function describe(file: SkillFile, lines: readonly Line[], block: Block): MisplacedFrontmatter {
  const { wrapper, wrapperEnd, open, content, close } = block;
  const start = file.text.startsWith('\uFEFF') ? 1 : 0;
  const begin = wrapper ?? open ?? content[0] ?? (lines[0] as Line);
  const before = sliceOf(file.text, span(start, begin.start));
  const written = [open, close].find((line) => line && !/^(?:---|\.\.\.)$/.test(line.text.trim()));
  const isToml = open?.text.includes('+++') === true || content.some(({ text }) => TOML_LINE.test(text));
  const [message, title] = !BLANK.test(before)
    ? atStart(before, wrapper)
    : wrapper
      ? inWrapper(wrapper, wrapperEnd, content, lines)
      : isToml
        ? ['This frontmatter is TOML, but clients read YAML. Write `key: value` between two lines `---`.', 'Write YAML']
        : written
          ? [
              `Frontmatter begins and ends with a line \`---\`, not \`${shown(written)}\`. Correct the lines.`,
              'Replace the lines with `---`',
            ]
          : open
            ? blankBefore(before + (/^[ \t]*/.exec(open.text)?.[0] ?? ''))
            : [
                close
                  ? 'The line `---` before the keys is missing. Add it.'
                  : 'The lines `---` before and after the keys are missing. Add them.',
                'Add the lines `---`',
              ];
  const isSafe = wrapper === undefined && written === undefined && open !== undefined && isOnlyComments(before);
  const edits = content.every(({ text }) => !isToml || TOML_LINE.test(text) || BLANK.test(text))
    ? editsOf(file, start, begin, before, block)
    : [];
  const fence = wrapper && !wrapper.text.startsWith('<') ? span(wrapper.start, wrapper.end) : undefined;
  return { message, fixes: fixHere(file, title, edits, isSafe), fence };
}

const shown = ({ text }: Line): string => text.trim().slice(0, 20).replaceAll('`', '');

/** Returns whether the text before the frontmatter is not for the model. */
const isOnlyComments = (before: string): boolean => BLANK.test(before.replace(/<!--[\s\S]*?-->/g, ''));

type Words = readonly [message: string, title: string];

const MUST_BE_FIRST = 'The frontmatter must be at the very start of the file.';

function blankBefore(before: string): Words {
  const what = /[\r\n]/.test(before) ? 'empty lines' : /\S/.test(before) ? 'invisible characters' : 'spaces';
  return [`${MUST_BE_FIRST} Remove the ${what} before it.`, 'Remove the lines before the frontmatter'];
}

function atStart(before: string, wrapper: Line | undefined): Words {
  const rest = before.trim();
  const what = isOnlyComments(before) ? 'comment' : /^#{1,6}[ \t][^\r\n]*$/.test(rest) ? 'heading' : 'text';
  const and = wrapper ? ', and remove the lines around the frontmatter' : '';
  return [`${MUST_BE_FIRST} Move the ${what} before it below it${and}.`, `Move the ${what} below the frontmatter`];
}

function inWrapper(wrapper: Line, end: Line | undefined, content: readonly Line[], lines: readonly Line[]): Words {
  const remove = end ? 'Remove the two lines' : 'Remove the line';
  if (wrapper.text.startsWith('<'))
    return [`The frontmatter is in a comment, so clients do not read it. ${remove}.`, remove];
  const last = content.at(-1) ?? wrapper;
  const between = lines.filter(
    ({ start, text }) => start > last.start && start < (end?.start ?? 0) && !BLANK.test(text),
  );
  const what = end && between.length <= 1 ? 'The frontmatter' : 'The whole file';
  return [
    `${what} is in a code fence, so clients read no frontmatter. ${remove} of the fence.`,
    `${remove} of the fence`,
  ];
}

/** Returns the edits that put the block at the start of the file, between two lines `---`. */
function editsOf(
  { text }: SkillFile,
  start: number,
  begin: Line,
  before: string,
  { wrapper, wrapperEnd, content, close }: Block,
): readonly TextEdit[] {
  const lineBreak = lineBreakOf(text);
  const indent = /^[ \t]*/.exec(content.find((line) => !BLANK.test(line.text))?.text ?? '')?.[0] ?? '';
  const lines = content.map((line) => {
    const own = text.slice(line.start, line.end);
    return (own.startsWith(indent) ? own.slice(indent.length) : own).replace(TOML_LINE, '$1: $2');
  });
  const last = close ?? content.at(-1) ?? begin;
  const head = ['---', ...lines, '---', ''].join(lineBreak);
  const isEndBeside = wrapperEnd !== undefined && BLANK.test(text.slice(last.next, wrapperEnd.start));
  const end = isEndBeside ? wrapperEnd.next : last.next;
  const gap = close || wrapper || BLANK.test(text.slice(end, endOfLine(text, end))) ? '' : lineBreak;
  const rest: readonly TextEdit[] =
    wrapperEnd && !isEndBeside ? [{ span: span(wrapperEnd.start, wrapperEnd.next), newText: '' }] : [];
  if (BLANK.test(before)) return [{ span: span(start, end), newText: head + gap }, ...rest];
  return [{ span: span(start, start), newText: head }, { span: span(begin.start, end), newText: '' }, ...rest];
}

/** Returns frontmatter that is written on one line: `--- name: x description: y ---`. */
function oneLine(file: SkillFile, line: Line): MisplacedFrontmatter | undefined {
  const [, keys] = /^---[ \t]+(name:[ \t].*\S)[ \t]+---[ \t]*$/.exec(line.text) ?? [];
  if (keys === undefined) return undefined;
  const lineBreak = lineBreakOf(file.text);
  const newText = ['---', ...keys.split(/[ \t]+(?=description:[ \t])/), '---'].join(lineBreak);
  const edits = [{ span: span(file.text.startsWith('\uFEFF') ? 1 : 0, line.end), newText }];
  return {
    message: 'The frontmatter must be on separate lines, between two lines `---`.',
    fixes: fixHere(file, 'Put the keys on separate lines', edits),
    fence: undefined,
  };
}
