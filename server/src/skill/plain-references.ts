/** Finds the names of skills in prose, commands and paths without a sign (docs/format.md, section 9, "References without a sign"). */

import type { MarkdownBlocks } from '../languages/markdown/blocks.ts';
import { findTouching, type Span, sliceOf, span, spanOf } from '../text.ts';
import { isName } from './kebab-name.ts';
import type { Reference } from './references.ts';

/**
 * The form of a reference without a sign: `/name` or `$name`; a name in a code span or in quotes beside the word
 * *skill*, or `Skill(name)`; a name in a code span after a verb such as *use*; a link or a path into the folder of the
 * skill; an entry in a list of skills. A `loose` reference may also mean something else.
 */
export type PlainForm = 'command' | 'words' | 'code' | 'link' | 'path' | 'list' | 'loose';

/** A reference to a skill without a sign. The workspace decides whether a skill has this name. */
export interface PlainReference extends Reference {
  readonly kind: 'skill';
  readonly form: PlainForm;
  /** For a link or a path, its text from the beginning to the end of the name; else empty. */
  readonly path: string;
  /** The URI of the folder to which `path` is relative, if it is not the folder of the file. */
  readonly base?: string;
}

const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*';
/** A name of several words, which is seldom an ordinary word. */
const JOINED = '[a-z0-9]+(?:-[a-z0-9]+)+';
const PLUGIN = '(?:[a-z0-9-]{1,64}:)?';
const SKILL = '(?:[Ss]kills?(?![a-zA-Z\\d])|SKILLS?\\b|スキル|技能|스킬)';
/** A name in a code span, in quotes or in emphasis. */
const ITEM = `["'\`“‘「*_]{1,3}${PLUGIN}${NAME}["'\`”’」*_]{1,3}`;
const SEPARATOR =
  '(?:[ \\t]{0,2}[,/、&+→][ \\t]{0,2}(?:(?:and|or|und|oder)[ \\t])?|[ \\t]{1,2}(?:and|or|und|oder|then)[ \\t]{1,2}(?:the[ \\t])?)';
const ITEMS = `${ITEM}(?:${SEPARATOR}${ITEM}){0,20}`;
/** White space with at most one line break. */
const GAP = '[ \\t]{0,3}(?:\\r?\\n[ \\t]{0,3})?';
const SPACE = '(?:[ \\t]{1,3}|[ \\t]{0,3}\\r?\\n[ \\t]{0,3})';
const VERB =
  '(?:us(?:e[sd]?|ing)|invok(?:e[sd]?|ing)|run(?:s|ning)?|call(?:s|ed|ing)?|appl(?:y|ies|ied|ying)|load(?:s|ed|ing)?|start(?:s|ed|ing)?|trigger(?:s|ed|ing)?)';

/** A command, which may name a plugin: `/plugin:name`. Paths, globs and assignments do not match. */
const COMMAND =
  /(?<![^\s([{"'“‘«>*_|,;—–`])([/$])(?:[a-z0-9-]{1,64}:)?([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w/\\={%@~$<[-]|[.:?&#]\w)/g;

/** Names before the word *skill*: "the `name` skill", "`one` and `other` skills". */
const BEFORE_WORD = new RegExp(`(?<!\\w)(?<items>${ITEMS})(?:-|${GAP})${SKILL}`, 'g');

/** Names after the word *skill*: "the skill `name`", `skill="name"`, "the skills `one` and `other`". */
const AFTER_WORD = new RegExp(
  `(?<!\\w)${SKILL}["'\`]?(?:[ \\t_-]{1,2}(?:names?|named|called|namens))?["'\`]?[ \\t]{0,3}[:=(]?${GAP}(?<items>${ITEMS})(?![\\w-])`,
  'g',
);

const EACH_ITEM = new RegExp(`(?<open>["'\`“‘「*_]{1,3})${PLUGIN}(?<name>${NAME})(?=["'\`”’」*_])`, 'g');

/** A call of the tool `Skill`, such as `Skill(skill: "name")`. */
const CALL =
  /\bSkill\(\s?(?:(?:skill|name|command)\s?[:=]\s?)?["'`]?(?:[a-z0-9-]{1,64}:)?([a-z0-9]+(?:-[a-z0-9]+)*)["'`]?\s?(?::\*\s?)?[,)]/g;

/** A name in a code span, and the text before it that ends with a verb: "Use `name`". */
const IN_CODE = new RegExp(`\`${PLUGIN}(?<name>${NAME})\`(?!\`)`, 'gi');
const VERB_AT_END = new RegExp(`(?<![\\w-])(?:${VERB})[ \\t](?:the[ \\t])?[*_]{0,2}$`, 'i');

/** More characters than the longest verb and the signs after it have. */
const MAX_VERB = 40;

/** A name in a code span, which may also mean something else. */
const CODE = new RegExp(`(?<!\`)\`${PLUGIN}(?<name>${JOINED})\`(?!\`)`, 'dg');

/** The forms beside the word *skill* that may mean something else. A name of one word needs more words around it. */
const LOOSE: readonly RegExp[] = [
  new RegExp(`(?<![\\w\`/.$@#:-])${PLUGIN}(?<name>${JOINED})${SPACE}${SKILL}`, 'dg'),
  new RegExp(
    `(?<!\\w)${SKILL}(?:[ \\t_]{1,2}(?:names?|named|called|namens))?:?(?:${SPACE}|[ \\t]?[[(])${PLUGIN}(?<name>${JOINED})(?![\\w/-]|\\.\\w)`,
    'dg',
  ),
  new RegExp(`(?<![\\w-])(?:[Tt]he|[Tt]his|[Oo]ur|[Yy]our|${VERB})[ \\t](?<name>${NAME})${SPACE}[Ss]kills?\\b`, 'dg'),
  new RegExp(`(?<![\\w-])[Ss]kills?[ \\t](?:named|called|namens)[ \\t](?<name>${NAME})(?![\\w/-]|\\.\\w)`, 'dg'),
  new RegExp(
    `(?<![\\w-])(?:${VERB})[ \\t](?:the[ \\t])?skill[ \\t](?<name>${NAME})(?=[ \\t]*(?:[.,;:)!?](?!\\w)|$)|[ \\t](?:first|then|to|when|for|if|and|before|after|again|with)\\b)`,
    'dgim',
  ),
];

/**
 * The folder of a skill in a path: `skills/name`, `name/SKILL.md` or `../name/`. Before each is a part of every match,
 * which few texts have.
 */
const FOLDERS: readonly (readonly [RegExp, RegExp])[] = [
  [/skills[/\\]/, new RegExp(`(?<=(?<![\\w-])skills[/\\\\])(?<name>${NAME})(?![\\w-]|\\.\\w)`, 'g')],
  [/[/\\]skill\.md\b/i, new RegExp(`(?<![\\w.-])(?<name>${NAME})(?=[/\\\\](?:SKILL|Skill|skill)\\.(?:md|MD)\\b)`, 'g')],
  [/\.\.\//, new RegExp(`(?<=(?<![\\w./\\\\-])(?:\\.\\./){1,8})(?<name>${NAME})(?=/)`, 'g')],
];

/** The words that make `/name` an address or a folder. */
const ADDRESS_BEFORE =
  /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|endpoints?|routes?|paths?|pages?|urls?|directory|folder|cd|ls)\W{1,4}$/i;
const ADDRESS_BEHIND =
  /^[`*"')\]]{0,3}\s{1,2}(?:endpoints?|routes?|paths?|pages?|urls?|directory|directories|folders?|dir|api)\b/i;

/**
 * Returns the names to which a string from the offset `start` may refer in a form that is not `code`, `path` or `loose`;
 * a superset of the names in `plainReferences`. Never throws.
 */
export function plainNames(text: string, start: number): readonly string[] {
  const body = text.slice(start);
  return [
    ...[...body.matchAll(COMMAND)].map(([, , name = '']) => name),
    ...linesNearWord(body).flatMap(({ text }) =>
      [...text.matchAll(BEFORE_WORD), ...text.matchAll(AFTER_WORD)].flatMap((match) =>
        itemsIn(match).map(({ name }) => name),
      ),
    ),
    ...[...body.matchAll(CALL)].map(([, name = '']) => name),
    ...[...body.matchAll(URL)].flatMap(([, inline, defined]) => {
      const url = inline ?? defined ?? '';
      return foldersIn(url).map((place) => sliceOf(url, place));
    }),
  ].filter(isName);
}

const URL = /\]\([ \t]*<?([^()<>\n]*)|\]:\s*<?(\S*)/g;

/**
 * Returns the references without `#kind:` from the offset `start` (docs/format.md, section 9), in the order of the text
 * and without overlaps. `places` are the blocks of the body. Never throws.
 */
export function plainReferences(text: string, start: number, places: MarkdownBlocks): readonly PlainReference[] {
  const body = text.slice(start);
  const closed = [places.comments.map(spanOf), places.scanned];
  // Code spans in prose, but not the marks in a fence, which are part of its text.
  const isProse = (mark: string, name: Span): boolean =>
    !closed.some((parts) => spanAround(parts, name)) &&
    (!mark.includes('`') || spanAround(places.codeSpans, name) !== undefined);
  return inOrder([
    ...commands(text, start, places),
    ...inWords(body, start, isProse),
    ...places.links.flatMap(({ urlSpan }) =>
      foldersIn(sliceOf(text, urlSpan)).map((folder) => {
        const name = span(urlSpan.start + folder.start, urlSpan.start + folder.end);
        return { ...reference('link', text, name), path: text.slice(urlSpan.start, name.end) };
      }),
    ),
    ...inPaths(text, start).filter(({ nameSpan }) => isProse('', nameSpan)),
  ]);
}

/**
 * Returns the references in text that is not Markdown, such as a description or a string in JSON, whose source begins
 * at the offset `start` of its file. Never throws.
 */
export function plainReferencesIn(source: string, start: number): readonly PlainReference[] {
  // The letters of an escape do not belong to the word after it. The replacement has the same length.
  const text = source
    .replace(/\\[nrt]/g, '  ')
    .replace(/(?<=\w)\\"/g, '" ')
    .replaceAll('\\"', ' "');
  const found = inOrder([
    ...[...text.matchAll(COMMAND)].flatMap(({ index, 0: all, 1: sign, 2: name = '' }) => {
      const place = span(index, index + all.length);
      return sign !== '/' || isAddress(text, place) ? [] : reference('command', text, nameAtEnd(place, name), place);
    }),
    ...inWords(text, 0, () => true),
    ...inPaths(text, 0),
  ]);
  return found.map((one) => ({ ...one, span: moved(one.span, start), nameSpan: moved(one.nameSpan, start) }));
}

const moved = ({ start, end }: Span, by: number): Span => span(start + by, end + by);

/** Returns references in the order of the text. Of overlapping references, the first in the list remains. */
function inOrder(references: readonly PlainReference[]): readonly PlainReference[] {
  const kept: PlainReference[] = [];
  const sorted = references
    .filter(({ name }) => isName(name))
    .map((one, rank) => ({ one, rank }))
    .sort((a, b) => a.one.nameSpan.start - b.one.nameSpan.start || a.rank - b.rank);
  for (const { one } of sorted) if ((kept.at(-1)?.span.end ?? 0) <= one.span.start) kept.push(one);
  return kept;
}

type IsProse = (mark: string, name: Span) => boolean;

/** Returns the references in words. `body` begins at the offset `start` of the file. */
function inWords(body: string, start: number, isProse: IsProse): readonly PlainReference[] {
  const at = (form: PlainForm, mark: string, from: number, name: string): readonly PlainReference[] => {
    const nameSpan = span(start + from, start + from + name.length);
    return isProse(mark, nameSpan) ? [{ kind: 'skill', form, name, span: nameSpan, nameSpan, path: '' }] : [];
  };
  const loosely = (text: string, from: number, pattern: RegExp): readonly PlainReference[] =>
    [...text.matchAll(pattern)].flatMap(({ 0: all, indices, groups: { name = '' } = {} }) =>
      at('loose', all.startsWith('`') ? '`' : '', from + (indices?.groups?.name?.[0] ?? 0), name),
    );
  const parts = linesNearWord(body);
  const items = parts.flatMap(({ text, from }) =>
    [...text.matchAll(BEFORE_WORD), ...text.matchAll(AFTER_WORD)].flatMap((match) =>
      itemsIn(match).flatMap(({ open, name, index }) =>
        at(/[^*_]/.test(open) ? 'words' : 'loose', open, from + index, name),
      ),
    ),
  );
  const calls = [...body.matchAll(CALL)].flatMap(({ index, 0: all, 1: name = '' }) =>
    at('words', '', index + all.lastIndexOf(name), name),
  );
  const verbs = [...body.matchAll(IN_CODE)].flatMap(({ index, 0: all, groups: { name = '' } = {} }) =>
    VERB_AT_END.test(body.slice(Math.max(0, index - MAX_VERB), index))
      ? at(name.includes('-') ? 'code' : 'loose', '`', index + all.length - 1 - name.length, name)
      : [],
  );
  const loose = LOOSE.flatMap((pattern) => parts.flatMap(({ text, from }) => loosely(text, from, pattern)));
  return [...items, ...calls, ...verbs, ...loosely(body, 0, CODE), ...loose];
}

const WORD = /skill|スキル|技能|스킬/gi;

/**
 * Returns the lines with the word *skill*, and the line before and after each, with their offsets. The forms that need
 * the word have at most one line break, and most lines of a long text are far from the word.
 */
function linesNearWord(body: string): readonly { readonly text: string; readonly from: number }[] {
  const parts: { from: number; end: number }[] = [];
  for (const { index } of body.matchAll(WORD)) {
    const last = parts.at(-1);
    const lineEnd = endOfLineFeed(body, index);
    const end = endOfLineFeed(body, lineEnd);
    if (last && end === last.end) continue;
    const start = body.lastIndexOf('\n', index) + 1;
    const from = start < 2 ? 0 : body.lastIndexOf('\n', start - 2) + 1;
    if (last && from <= last.end) last.end = end;
    else parts.push({ from, end });
  }
  return parts.map(({ from, end }) => ({ text: body.slice(from, end), from }));
}

/** Returns the offset after the next line feed, or the end of the text. */
const endOfLineFeed = (text: string, at: number): number => text.indexOf('\n', at) + 1 || text.length;

/** Returns the names in a match of `BEFORE_WORD` or `AFTER_WORD`, each with its offset and the mark before it. */
function itemsIn({ 0: all, index, groups: { items = '' } = {} }: RegExpMatchArray) {
  const from = (index ?? 0) + all.lastIndexOf(items);
  return [...items.matchAll(EACH_ITEM)].map((item) => {
    const { open = '', name = '' } = item.groups ?? {};
    return { open, name, index: from + item.index + item[0].length - name.length };
  });
}

/** Returns the references in paths that are not links. */
function inPaths(text: string, start: number): readonly PlainReference[] {
  const body = text.slice(start);
  return FOLDERS.filter(([part]) => part.test(body)).flatMap(([, pattern]) =>
    [...body.matchAll(pattern)].flatMap(({ index, 0: name }) => {
      const nameSpan = span(start + index, start + index + name.length);
      const [before = ''] =
        /[^\s"'`()[\]<>,;=|]*$/.exec(text.slice(Math.max(start, nameSpan.start - 300), nameSpan.start)) ?? [];
      // The repository at an address may be another one.
      if (before.includes('://')) return [];
      return [{ ...reference('path', text, nameSpan), path: before + name }];
    }),
  );
}

function commands(text: string, start: number, places: MarkdownBlocks): readonly PlainReference[] {
  const addresses = places.links.map(({ urlSpan }) => urlSpan).sort((a, b) => a.start - b.start);
  const { codeSpans } = places;
  const closed = [places.fences.map(spanOf), places.comments.map(spanOf), places.scanned, addresses] as const;
  const [fences, ...others] = closed;
  return [...text.slice(start).matchAll(COMMAND)].flatMap(({ index, 0: all, 1: sign, 2: name = '' }) => {
    const place = span(start + index, start + index + all.length);
    if (!isName(name) || others.some((parts) => spanAround(parts, place))) return [];
    const isCommand = spanAround(fences, place)
      ? sign === '/' && isWholeWordOfLine(text, place)
      : beginsCode(text, place, spanAround(codeSpans, place)) && !isAddress(text, place);
    return isCommand ? [reference('command', text, nameAtEnd(place, name), place)] : [];
  });
}

const nameAtEnd = ({ end }: Span, name: string): Span => span(end - name.length, end);

/** Returns the span of the plugin in a reference such as `/plugin:name`; undefined without a plugin. Never throws. */
export function pluginSpanOf(text: string, { nameSpan: { start } }: PlainReference): Span | undefined {
  const [, plugin] = /(?<![a-z0-9:-])([a-z0-9-]{1,64}):$/.exec(text.slice(Math.max(0, start - 70), start)) ?? [];
  return plugin === undefined ? undefined : span(start - 1 - plugin.length, start - 1);
}

const spanAround = (parts: readonly Span[], { start }: Span): Span | undefined =>
  findTouching(parts, start, (part) => part);

/** Returns whether a command begins its line and white space or the end of the text follows it. */
const isWholeWordOfLine = (text: string, { start, end }: Span): boolean =>
  /(?:^|\n)[ \t>]*$/.test(text.slice(Math.max(0, start - 100), start)) && /^(?:\s|$)/.test(text.slice(end, end + 1));

/** Returns whether a command is in prose, or at the beginning of its code span. */
const beginsCode = (text: string, { start }: Span, code: Span | undefined): boolean =>
  code === undefined || /^[` ]*$/.test(text.slice(code.start, Math.min(start, code.start + 10)));

const isAddress = (text: string, { start, end }: Span): boolean =>
  ADDRESS_BEFORE.test(text.slice(Math.max(0, start - 40), start)) || ADDRESS_BEHIND.test(text.slice(end, end + 40));

function reference(form: PlainReference['form'], text: string, nameSpan: Span, whole = nameSpan): PlainReference {
  return { kind: 'skill', form, name: sliceOf(text, nameSpan), span: whole, nameSpan, path: '' };
}

/** The maximum number of path segments that are read. */
const MAX_DEPTH = 30;

/**
 * Returns the folders in a path that may be skills, which are the folder of a `SKILL.md` and the folders next to the
 * skill's own folder.
 */
function foldersIn(url: string): readonly Span[] {
  const path = url.replace(/[?#].*$/s, '');
  const isBeside = path.startsWith('../');
  if (!isBeside && !path.endsWith('/SKILL.md')) return [];
  const folders: Span[] = [];
  let at = 0;
  for (const part of path.split('/', MAX_DEPTH)) {
    if (isName(part)) folders.push(span(at, at + part.length));
    at += part.length + 1;
  }
  return isBeside ? folders : folders.filter(({ end }) => path.slice(end) === '/SKILL.md');
}
