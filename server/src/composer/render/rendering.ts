/**
 * The data of one rendering: its request, the parsed templates that it can reach, and markers that locate its output.
 */
import {
  allNodes,
  bodiesOf,
  type Node,
  type Tag,
  type Template,
  type TextNode,
} from '../../languages/minijinja/ast.ts';
import { parseTemplate } from '../../languages/minijinja/parser.ts';
import type { TemplateReference } from '../../languages/minijinja/scopes.ts';
import { referenceOf } from '../../languages/minijinja/scopes.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { applyEdits, type Span, shift, sliceOf, span, type TextEdit } from '../../text.ts';
import type { NamedTemplate, Outcome, TemplateEngine } from './engine.ts';

export interface ParsedTemplate {
  readonly source: TemplateSource;
  /** The syntax tree; spans are offsets in the file. */
  readonly template: Template;
  /** The name of the template that includes it first; undefined for the main template. */
  readonly includedBy: string | undefined;
}

export type ParsedTemplates = ReadonlyMap<string, ParsedTemplate>;

export interface Rendering {
  readonly engine: TemplateEngine;
  readonly request: RenderRequest;
  readonly main: ParsedTemplate;
  /** The templates that `main` can reach, and `main` itself. */
  readonly templates: ParsedTemplates;
  /** The templates that the engine does not load. Rendering fails only if it includes an unloadable template. */
  readonly unloadable: Map<string, Explanation>;
}

/**
 * The text that replaces an unloadable template, and whose rendering fails because it includes a template that cannot
 * exist.
 */
const FAILING = '{% include "\0" %}';

/**
 * Renders with `texts` as the sources of the templates. A template that cannot be loaded fails when it is included.
 * Never throws.
 */
export function runWith({ engine, request, unloadable }: Rendering, texts: Iterable<NamedTemplate>): Outcome {
  const loadable = Array.from(texts, ({ name, text }) => ({ name, text: unloadable.has(name) ? FAILING : text }));
  return engine.run(loadable, request.main, request.context);
}

/**
 * Parses the main template and all templates that it includes or imports at any depth, in the order of the text. If a
 * template computes the name of another template, parses all templates. The result is empty if no template has the name
 * `main`.
 */
export function parseReachable({ main, templates }: RenderRequest): ParsedTemplates {
  const sources = new Map<string, TemplateSource>();
  for (const source of templates) if (!sources.has(source.name)) sources.set(source.name, source);
  const parsed = new Map<string, ParsedTemplate>();
  const pending: { readonly name: string; readonly by: string | undefined }[] = [{ name: main, by: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, by } = next;
    const source = sources.get(name);
    if (source === undefined || parsed.has(name)) continue;
    const template = parseTemplate(source.text, source.span.start);
    parsed.set(name, { source, template, includedBy: by });
    const taken = [...referencesOf(template)].flatMap(({ names, dynamic }) =>
      dynamic ? [...sources.keys()] : names.map((reference) => reference.name),
    );
    // `pending` is a stack, so the template to read next is pushed last.
    for (const one of taken.reverse()) pending.push({ name: one, by: name });
  }
  return parsed;
}

function* referencesOf({ nodes }: Template): Iterable<TemplateReference> {
  for (const node of allNodes(nodes)) {
    if (node.kind === 'include') yield referenceOf('include', node.template, node.span);
    else if (node.kind === 'extends') yield referenceOf('extends', node.template, node.span);
    else if (node.kind === 'import') yield referenceOf('import', node.template, node.span);
    else if (node.kind === 'from-import') yield referenceOf('from', node.template, node.span);
  }
}

// The request and the result of rendering; `render.ts` exports these types.

/** A template that can be rendered or included, under the name that `{% include %}` uses. */
export interface TemplateSource {
  readonly name: string;
  readonly uri: string;
  /** The span of `text` in the file. */
  readonly span: Span;
  readonly text: string;
  /** The ID of the artifact. */
  readonly artifact: string;
}

/** `main` is the name of a template. If several templates have the same name, the first template is used. */
export interface RenderRequest {
  readonly main: string;
  readonly templates: readonly TemplateSource[];
  readonly context: Readonly<Record<string, Json>>;
  /** The names of parameters whose values were made up. */
  readonly madeUp?: readonly string[];
}

/**
 * A part `[start, end)` of the output, in UTF-16 code units. `authored` is literal text of a template, `value` the
 * output of an expression, `madeUp` the output of an expression that reads a made-up value. `span` is the node in the
 * file.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: 'authored' | 'value' | 'madeUp';
  readonly uri: string;
  readonly span: Span;
  readonly artifact: string;
}

export type FailureReason =
  | 'syntax'
  | 'undefined'
  | 'unknown-filter'
  | 'unknown-test'
  | 'unknown-function'
  | 'missing-template'
  | 'invalid-operation'
  | 'fuel'
  | 'memory'
  | 'output'
  | 'panic'
  | 'recursion';

export interface RenderFailure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly uri: string;
  readonly span: Span;
  /** The known name that is most similar to the misspelt name. The message does not contain the known name. */
  readonly suggestion?: string;
}

export type Explanation = Pick<RenderFailure, 'reason' | 'message' | 'span' | 'suggestion'>;

/**
 * `read` contains the main template and all templates that it includes, whether or not the run reaches them. The pieces
 * cover the text without gaps. If `exact` is false, the origins are not known, and one piece covers the whole text.
 */
export type RenderResult = { readonly read: readonly ReadTemplate[] } & (
  | { readonly ok: true; readonly text: string; readonly pieces: readonly Piece[]; readonly exact: boolean }
  | { readonly ok: false; readonly failure: RenderFailure }
);

/**
 * The artifact of a template that was read. `includedBy` is the template that includes it; undefined for the main
 * template.
 */
export interface ReadTemplate {
  readonly artifact: string;
  readonly includedBy: string | undefined;
}

// Locates each part of the output by rendering the templates again with markers around all literal text and
// expressions. Text that is captured first and printed later (macros, `set`, `filter` and `call` blocks) is one piece
// without markers, and the origin of the piece is the node that prints the text.

/** The characters of markers. A marker is `open` or `close`, the decimal number of its origin, and `stop`. */
interface Markers {
  readonly open: string;
  readonly close: string;
  readonly stop: string;
}

/** The node that a pair of markers encloses. */
export type Origin = Pick<Piece, 'kind' | 'uri' | 'span' | 'artifact'>;

const FIRST_PRIVATE = 0xe000;
const LAST_PRIVATE = 0xf8ff;

/** Returns three private-use characters that no string contains; undefined if fewer than three characters are left. */
export function chooseMarkers(texts: readonly string[]): Markers | undefined {
  const taken = new Set<string>();
  for (const text of texts) for (const [found] of text.matchAll(/[\ue000-\uf8ff]/g)) taken.add(found);
  const free: string[] = [];
  for (let code = FIRST_PRIVATE; code <= LAST_PRIVATE && free.length < 3; code++) {
    const character = String.fromCharCode(code);
    if (!taken.has(character)) free.push(character);
  }
  const [open, close, stop] = free;
  return open && close && stop ? { open, close, stop } : undefined;
}

/**
 * Returns the text of a template with markers, and adds the marked nodes to `origins`. The number in a marker is the
 * index of its node in `origins`.
 */
export function addMarkers({ source, template }: ParsedTemplate, markers: Markers, origins: Origin[]): string {
  const texts: TextNode[] = [];
  const edits: TextEdit[] = [];
  const enclose = (kind: Piece['kind'], place: Span, outer: Span, inside: string) => {
    const number = origins.push({ kind, uri: source.uri, span: place, artifact: source.artifact }) - 1;
    const newText = `${markers.open}${number}${markers.stop}${inside}${markers.close}${number}${markers.stop}`;
    edits.push({ span: shift(outer, -template.base), newText });
  };
  const written = (place: Span) => sliceOf(template.text, shift(place, -template.base));
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (node.kind === 'text') texts.push(node);
      else if (node.kind === 'output' || node.kind === 'filter-block' || node.kind === 'call-block') {
        enclose('value', node.span, node.span, written(node.span));
      } else if (node.kind !== 'macro' && node.kind !== 'set-block') {
        for (const body of bodiesOf(node)) walk(body.nodes);
      }
    }
  };
  walk(template.nodes);
  const effective = effectiveTexts(template, texts);
  const rawTags = new Map(template.tags.map((tag) => [tag.content.start, tag.span]));
  texts.forEach((node, i) => {
    const place = effective[i];
    if (node.raw) {
      // The markers are outside of the tags, which may trim the white space inside.
      const outer = rawTags.get(node.span.start) ?? node.span;
      if (place) enclose('authored', place, outer, `{% raw %}${written(place)}{% endraw %}`);
    } else if (place) enclose('authored', place, node.span, written(place));
    else edits.push({ span: shift(node.span, -template.base), newText: '' });
  });
  return applyEdits(template.text, edits);
}

/**
 * Returns the pieces of a marked output. Returns undefined if the output without markers is not `plain`, or if the
 * markers do not nest or do not enclose all of the output. In nested pairs, only the outermost pair counts, because the
 * text inside was captured.
 */
export function readPieces(
  marked: string,
  plain: string,
  markers: Markers,
  origins: readonly Origin[],
): readonly Piece[] | undefined {
  const pattern = new RegExp(`([${markers.open}${markers.close}])(\\d+)${markers.stop}`, 'g');
  const pieces: Piece[] = [];
  const opened: string[] = [];
  let at = 0;
  let length = 0;
  let start = 0;
  for (let match = pattern.exec(marked); match !== null; match = pattern.exec(marked)) {
    const [whole, marker, number = ''] = match;
    const size = match.index - at;
    if (size > 0 && opened.length === 0) return undefined;
    if (!plain.startsWith(marked.slice(at, match.index), length)) return undefined;
    length += size;
    at = match.index + whole.length;
    if (marker === markers.open) {
      if (opened.length === 0) start = length;
      opened.push(number);
      continue;
    }
    const origin = origins[Number(number)];
    if (opened.pop() !== number || origin === undefined) return undefined;
    if (opened.length === 0 && length > start) pieces.push({ start, end: length, ...origin });
  }
  return opened.length === 0 && at === marked.length && length === plain.length ? pieces : undefined;
}

// Trims white space around tags, as the engine does with its default options.

/** The white space of the engine is Unicode's `White_Space`. Unlike `\s`, it contains U+0085 and not U+FEFF. */
const BLANK = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${BLANK}]+`);
const BLANKS = new RegExp(`^[${BLANK}]$`);

/**
 * Returns the printed span of each text node, trimmed next to tags with `-` and without the template's last line break;
 * undefined for a text node without output.
 */
function effectiveTexts(template: Template, nodes: readonly TextNode[]): readonly (Span | undefined)[] {
  const { text, base, tags } = template;
  const ending = tagsByPlace(tags, ({ span: place }) => place.end);
  const beginning = tagsByPlace(tags, ({ span: place }) => place.start);
  const written = base + textEnd(text);
  return nodes.map((node) => {
    const [before, after] = node.raw
      ? rawTrimMarks(template, node.span)
      : [ending.get(node.span.start)?.trimAfter, beginning.get(node.span.end)?.trimBefore];
    let { start } = node.span;
    let end = Math.min(node.span.end, written);
    const slice = text.slice(start - base, Math.max(start, end) - base);
    if (before === '-') start += LEADING.exec(slice)?.[0].length ?? 0;
    if (after === '-') while (end > start && BLANKS.test(text.charAt(end - base - 1))) end--;
    return end > start ? span(start, end) : undefined;
  });
}

/** The engine drops one line break at the end of a template: `\n`, `\r\n` or `\r`. */
function textEnd(text: string): number {
  let end = text.length;
  if (text[end - 1] === '\n') end--;
  if (text[end - 1] === '\r') end--;
  return end;
}

const tagsByPlace = (tags: readonly Tag[], place: (tag: Tag) => number) =>
  new Map(tags.map((tag) => [place(tag), tag]));

/** Returns the characters at the inner ends of `{% raw -%}` and `{%- endraw %}`, which may be `-`. */
function rawTrimMarks({ text, base }: Template, { start, end }: Span): readonly (string | undefined)[] {
  return [text[start - base - 3], text[end - base + 2]];
}
