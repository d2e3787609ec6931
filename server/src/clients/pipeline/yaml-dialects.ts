/**
 * The differences of libraries from `yaml` 2.9 for JavaScript. The differences were measured: `npm run lab -- --dialects` runs
 * the libraries on many texts, and `lab/dialects/dialects.json` has the results.
 */
import type { StrictError, StrictMap, StrictNode, StrictScalar, StrictTree } from '../../languages/yaml/strict.ts';
import { type Span, span } from '../../text.ts';
import type { StopAt } from './open.ts';
import { coreValue, isWord, RESOLVERS, type Resolved, type Resolver } from './plain-scalars.ts';
import type { Field, FieldValue, StopCode } from './reading.ts';

/**
 * A library with its version. `yaml`: 2.9; `js-yaml-3`: 3.14, also in gray-matter 4 and front-matter 4; `js-yaml-4-1`:
 * 4.1; `js-yaml-4`: 4.3; `bun`: `Bun.YAML` of 1.4; `serde`: serde_yaml 0.9 for Rust; `go-yaml`:
 * yaml.v3 for Go; `pyyaml`: PyYAML 6. The last three were translated from libyaml, or libyaml from them.
 */
export type YamlDialect = 'yaml' | 'js-yaml-3' | 'js-yaml-4-1' | 'js-yaml-4' | 'bun' | 'serde' | 'go-yaml' | 'pyyaml';

export type Duplicates = 'error' | 'first' | 'last';

/** The keys of a frontmatter. */
export interface ParsedKeys {
  readonly keys: ReadonlyMap<string, Field>;
  readonly isRepaired?: true;
}

/** Parses a span of a text. */
export type Parse = (text: string, place: Span) => StrictTree;

/** The differences of a library. */
interface Differences {
  readonly resolve: Resolver;
  /** Characters that are line breaks, in addition to LF and CRLF. */
  readonly breaks?: RegExp;
  /** Characters that are an error. */
  readonly forbidden?: RegExp;
  /** Errors of `yaml` that the library does not report. */
  readonly accepts?: readonly Accepted[];
  /** A tag that the library does not know, or that does not fit: an error, or without effect. */
  readonly tags: 'known' | 'error' | 'ignored';
  /** `<<` includes the keys of another map: if it has no quotes, or always. */
  readonly merges?: 'plain' | 'always';
  /** A list or map as a key: its text in YAML, its text in JavaScript, or an error. */
  readonly complexKeys: 'yaml' | 'javascript' | 'error';
  /** The key of `: value`. */
  readonly emptyKey: '' | 'null' | 'error';
  /** Tabs that are an error although they are not indentation (`tabIn`). */
  readonly tabs?: 'tokens' | 'lines';
  /** The first key must not have an anchor or a tag. */
  readonly refusesKeyProperties?: true | undefined;
  /** `1` and `"1"` are different keys. */
  readonly hasTypedKeys?: true;
  /** A version in `%YAML` that is not 1.x, and perhaps directives that are not known, are an error. */
  readonly directives?: 'versions' | 'all';
  /** Several documents are a list. */
  readonly hasDocuments?: true;
  /** The values `=` and `<<`, an anchor twice, and dates that do not exist are an error. */
  readonly isPython?: true;
  /** The escape `\/` in quotes is an error. */
  readonly refusesSlash?: true;
  /** A block at the end of the text has no line break at its end if the text has none. */
  readonly cutsBlocks?: true;
}

/**
 * `long-key`: a key of more than 1,024 characters; `joined-comment`: a comment directly after a value; `flow-column`:
 * brackets whose lines are not indented; `quote-column`: the same for quotes; `tab-indent`: tabs as indentation, which do
 * not count; `comma-first`: a value that begins with a comma; `question-first`: a value `? x`, which is a key of its own;
 * `anchor-map`: a map on the line of its key, if it begins with an anchor or a tag.
 */
type Accepted =
  | 'long-key'
  | 'joined-comment'
  | 'flow-column'
  | 'quote-column'
  | 'tab-indent'
  | 'comma-first'
  | 'anchor-map'
  | 'question-first';

const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const CR = /\r(?!\n)/g;
const LIBYAML_BREAKS = /\r(?!\n)|[\u0085\u2028\u2029]/g;

const JS_YAML_3 = {
  resolve: RESOLVERS['js-yaml-3'],
  breaks: CR,
  forbidden: CONTROLS,
  accepts: ['long-key', 'joined-comment', 'flow-column', 'quote-column', 'tab-indent', 'question-first'],
  tags: 'error',
  directives: 'versions',
  merges: 'plain',
  complexKeys: 'javascript',
  emptyKey: 'error',
  refusesKeyProperties: true,
} as const satisfies Differences;

const LIBYAML = {
  resolve: RESOLVERS.serde,
  breaks: LIBYAML_BREAKS,
  forbidden: CONTROLS,
  accepts: ['joined-comment', 'flow-column', 'quote-column'],
  tags: 'ignored',
  complexKeys: 'error',
  emptyKey: 'error',
  tabs: 'lines',
  directives: 'all',
  cutsBlocks: true,
} as const satisfies Differences;

const DIFFERENCES: Readonly<Record<YamlDialect, Differences>> = {
  yaml: { resolve: RESOLVERS.core, tags: 'known', complexKeys: 'yaml', emptyKey: '', hasTypedKeys: true },
  'js-yaml-3': JS_YAML_3,
  'js-yaml-4-1': {
    ...JS_YAML_3,
    resolve: RESOLVERS['js-yaml-4-1'],
    accepts: ['long-key', 'joined-comment', 'flow-column', 'quote-column'],
  },
  'js-yaml-4': {
    ...JS_YAML_3,
    refusesKeyProperties: undefined,
    resolve: RESOLVERS['js-yaml-4'],
    accepts: ['long-key', 'joined-comment', 'flow-column', 'quote-column', 'anchor-map'],
  },
  bun: {
    resolve: RESOLVERS.bun,
    breaks: CR,
    accepts: ['long-key', 'comma-first'],
    hasDocuments: true,
    tags: 'ignored',
    merges: 'always',
    complexKeys: 'javascript',
    emptyKey: 'null',
  },
  serde: LIBYAML,
  'go-yaml': { ...LIBYAML, resolve: RESOLVERS['go-yaml'], merges: 'plain', refusesSlash: true },
  pyyaml: {
    ...LIBYAML,
    resolve: RESOLVERS.pyyaml,
    merges: 'plain',
    tags: 'error',
    tabs: 'tokens',
    directives: 'versions',
    isPython: true,
  },
};

/** The characters that are parsed at most, if a library accepts what the parser does not. */
const MOST_PARSED = 40_000;
/** The values that aliases may repeat. */
const MOST_VALUES = 10_000;
const MOST_DEPTH = 200;
/** The characters of a quoted text in which an escape is looked for. */
const MOST_QUOTED = 20_000;

/**
 * Returns whether all libraries read a tree without errors in the same way: words, short numbers, text in quotes without
 * escapes, blocks, and lists and maps of these.
 */
export function isOrdinary(source: string, yaml: Span, { root, errors, version }: StrictTree): boolean {
  if (errors.length > 0 || version !== undefined || UNCOMMON.test(source.slice(yaml.start, yaml.end))) return false;
  const isCommon = (node: StrictNode, isFlow: boolean): boolean => {
    if (node.kind === 'alias' || node.tag !== undefined || node.hasAnchor) return false;
    if (node.kind === 'list') return node.items.every((item) => isCommon(item, node.flow));
    if (node.kind === 'map') {
      const names = new Set(node.entries.map(({ key }) => (key.kind === 'scalar' ? key.source : '')));
      return (
        names.size === node.entries.length &&
        node.entries.every(({ key, value }) => isCommonKey(key) && isCommon(value, node.flow))
      );
    }
    // Some libraries read a block at the end of the text without its line break.
    if (node.isBlock) return node.span.end < yaml.end || source[yaml.end - 1] === '\n';
    if (/[\\\n]/.test(source.slice(node.span.start, node.span.end))) return false;
    if (!node.isPlain) return true;
    if (/^(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(node.source) || /^(?:true|false|)$/.test(node.source)) return true;
    return isWord(node.source) && (!isFlow || /^[\w .()*/-]*$/.test(node.source));
  };
  return root?.kind === 'map' && !root.flow && isCommon(root, false);
}

/** Tabs, control characters, other line breaks, byte order marks, and lines of hyphens or dots. */
const UNCOMMON =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|^(?:---|\.\.\.|%)|\r(?!\n)/m;

const isCommonKey = (key: StrictNode): boolean =>
  key.kind === 'scalar' &&
  key.isPlain &&
  key.source.length < 200 &&
  /^[A-Za-z][\w -]*$/.test(key.source) &&
  isWord(key.source);

/** A stop that is thrown. It is no `Error`, because a stack for each would cost more than the rest. */
class Failure {
  constructor(
    readonly code: StopCode,
    readonly at: number,
    readonly key?: string,
  ) {}
}

/** Reads the keys of a YAML text in a span of a file with a library. Never throws. */
export function readYaml(
  text: string,
  yaml: Span,
  dialect: YamlDialect,
  duplicates: Duplicates,
  parse: Parse,
): ParsedKeys | StopAt {
  const differences = DIFFERENCES[dialect];
  try {
    const parsed = treeOf(text, yaml, differences, parse);
    return { keys: new Evaluation(parsed, differences, duplicates).keysOf(parsed.tree) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const at = Math.max(yaml.start, Math.min(error.at, yaml.end));
    return { code: error.code, at, ...(error.key !== undefined && { key: error.key }) };
  }
}

/** Returns whether keys are perhaps twice, so that it matters which one is taken. `strict` is the reading with `error`. */
export const mayHaveDuplicates = (strict: ParsedKeys | StopAt, dialect: YamlDialect): boolean =>
  'code' in strict ? strict.code === 'parse/duplicate-key' : DIFFERENCES[dialect].hasTypedKeys === true;

/** A tree of a text that was changed for the parser, and where an offset of it is in the file. */
interface Parsed {
  readonly source: string;
  /** The end of the YAML in `source`. */
  readonly end: number;
  readonly tree: StrictTree;
  readonly offsetOf: (at: number) => number;
}

function treeOf(text: string, yaml: Span, differences: Differences, parse: Parse): Parsed {
  const { breaks, forbidden, accepts, tabs, directives, hasDocuments } = differences;
  const written = text.slice(yaml.start, yaml.end);
  const refused = forbidden ? written.search(forbidden) : -1;
  if (refused >= 0) throw new Failure('parse/syntax', yaml.start + refused);
  const edits: Edit[] = [];
  const offsetOf = (at: number): number => originalOffset(edits, at);
  let source = text;
  let place = yaml;
  if (breaks && written.search(breaks) >= 0) {
    source = text.slice(0, yaml.start) + written.replace(breaks, '\n') + text.slice(yaml.end);
  }
  let first: Failure | undefined;
  for (let budget = MOST_PARSED; ; budget -= place.end - place.start) {
    const tree = parse(source, place);
    const error = tree.errors.find((one) => !isAccepted(one, source, accepts));
    const added = error && budget > 0 ? editsFor(tree.errors, error, source, place, accepts, edits) : [];
    if (error) first ??= failureOf(error, source, place, offsetOf);
    if (!error || added.length === 0) {
      if (error?.code === 'MULTIPLE_DOCS' && hasDocuments) throw new Failure('parse/not-a-map', offsetOf(error.at));
      // If it was not closed anywhere, the first error is nearer to the cause.
      if (error) throw error.at < place.end || !first ? failureOf(error, source, place, offsetOf) : first;
      checkDirectives(tree, yaml.start, directives);
      const tab = tabs ? tabIn(source, place, tree, tabs) : -1;
      if (tab >= 0) throw new Failure('parse/syntax', offsetOf(tab));
      return { source, end: place.end, tree, offsetOf };
    }
    const length = source.length;
    source = edited(source, added);
    place = span(place.start, place.end + source.length - length);
    // The last change first: the offsets of the others stay those before it.
    edits.push(...[...added].reverse());
  }
}

function checkDirectives({ version, directive }: StrictTree, at: number, directives: Differences['directives']): void {
  const isOld = version !== undefined && directives !== undefined && !/^1\./.test(version);
  if (isOld || (directive !== undefined && directives === 'all')) throw new Failure('parse/syntax', at);
}

/** A change of a text. */
interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

function originalOffset(edits: readonly Edit[], offset: number): number {
  let at = offset;
  for (const edit of [...edits].reverse()) {
    if (at > edit.at) at = Math.max(edit.at, at - edit.inserted.length + edit.removed);
  }
  return at;
}

function isAccepted({ code, at }: StrictError, source: string, accepts: readonly Accepted[] = []): boolean {
  if (code === 'KEY_OVER_1024_CHARS') return accepts.includes('long-key');
  if (code === 'MISSING_CHAR' && source[at] === '#') return accepts.includes('joined-comment');
  if (code === 'BAD_SCALAR_START' && source[at] === ',') return accepts.includes('comma-first');
  return false;
}

/** Returns the changes with which the parser reads what the library accepts, in the order of the text. */
function editsFor(
  errors: readonly StrictError[],
  { code, at }: StrictError,
  source: string,
  place: Span,
  accepts: readonly Accepted[] = [],
  edits: readonly Edit[] = [],
): readonly Edit[] {
  if (code === 'TAB_AS_INDENT' && accepts.includes('tab-indent')) {
    const edit = withoutTab(source, at, edits);
    return edit ? [edit, ...withoutTabsBelow(errors, source, edit)] : [];
  }
  if (code === 'FLOW_INDENT' && accepts.includes('flow-column'))
    return indentedLines(source, at, endOfBrackets(source, at, place.end));
  // The parser ends quotes at a line that is not indented.
  if (code.startsWith('OPEN_') && accepts.includes('quote-column'))
    return indentedLines(source, at, endOfQuotes(source, at, place.end, code === 'OPEN_DOUBLE' ? '"' : "'"));
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && accepts.includes('anchor-map') && /^[&!]/.test(source.slice(at, at + 1)))
    return [{ at, removed: 0, inserted: '\n ' }];
  if (accepts.includes('question-first') && source.startsWith('? ', at)) return [{ at, removed: 0, inserted: '\n' }];
  return [];
}

/** Returns the offset of the next quote that closes a text; undefined if it is not closed. */
function endOfQuotes(source: string, from: number, end: number, quote: string): number | undefined {
  for (let at = from; at < end; at++) {
    if (quote === '"' && source[at] === '\\') at++;
    else if (source[at] === quote) {
      if (quote === '"' || source[at + 1] !== quote) return at;
      at++;
    }
  }
  return undefined;
}

/** Returns the offset of the bracket that closes an open one, if quotes have no brackets; undefined if it is not closed. */
function endOfBrackets(source: string, from: number, end: number): number | undefined {
  let depth = 1;
  for (let at = from; at < end; at++) {
    if (source[at] === '[' || source[at] === '{') depth++;
    else if (source[at] === ']' || source[at] === '}') depth--;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Indents the lines from the one of `at`, or the next one, to the one of `end`. */
function indentedLines(source: string, at: number, end: number | undefined): readonly Edit[] {
  if (end === undefined) return [];
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const edits: Edit[] = [];
  let start = source.slice(lineStart, at).trim() === '' ? lineStart : source.indexOf('\n', at) + 1;
  while (start > 0 && start <= end) {
    const isDeep = source.slice(start, start + DEEP).trim() === '';
    if (!isDeep) edits.push({ at: start, removed: 0, inserted: ' '.repeat(DEEP) });
    start = source.indexOf('\n', start) + 1;
  }
  return edits;
}

function edited(source: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const { at, removed, inserted } of edits) {
    result += source.slice(from, at) + inserted;
    from = at + removed;
  }
  return result + source.slice(from);
}

/**
 * Removes a tab as js-yaml 3 does: a key after a tab belongs to the map around it; after spaces and a tab, or with a
 * dash, it is indented, but then the next line must not be so.
 */
function withoutTab(source: string, at: number, edits: readonly Edit[]): Edit | undefined {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const [, spaces = '', tabs = '', first] = /^( *)(\t[ \t]*)(.?)/.exec(source.slice(lineStart, lineStart + 200)) ?? [];
  if (tabs === '') return undefined;
  if (spaces === '' && first !== '-') return { at: lineStart, removed: tabs.length, inserted: '' };
  const above = source.lastIndexOf('\n', lineStart - 2) + 1;
  const isSecond = edits.some((edit) => edit.at >= above && edit.at < lineStart);
  return isSecond
    ? undefined
    : { at: lineStart + spaces.length, removed: tabs.length, inserted: ' '.repeat(tabs.length) };
}

/** Removes the tabs of further lines that begin with them, so that the text is not parsed again for each line. */
function withoutTabsBelow(errors: readonly StrictError[], source: string, first: Edit): readonly Edit[] {
  let last = first.inserted === '' ? first.at : Infinity;
  return errors.flatMap(({ code, at }) => {
    const edit = code === 'TAB_AS_INDENT' ? withoutTab(source, at, []) : undefined;
    if (edit?.inserted !== '' || edit.at <= last) return [];
    last = edit.at;
    return [edit];
  });
}

/** More than any line of a frontmatter is indented. */
const DEEP = 60;

function failureOf(error: StrictError, source: string, place: Span, offsetOf: (at: number) => number): Failure {
  const at = Math.min(error.at, place.end);
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY') {
    const lineEnd = source.indexOf('\n', at);
    const line = source.slice(at, lineEnd < 0 ? place.end : Math.min(lineEnd, place.end));
    const colon = line.search(/:(?:[ \t]|$)/);
    if (colon >= 0) return new Failure('parse/colon', offsetOf(at + colon));
  }
  return new Failure('parse/syntax', offsetOf(at));
}

/**
 * Returns the first tab at which a library stops, or -1. `tokens`: every tab outside quotes, blocks and
 * comments; `lines`: a tab before the first token of a line.
 */
function tabIn(source: string, place: Span, tree: StrictTree, kind: 'tokens' | 'lines'): number {
  if (!source.slice(place.start, place.end).includes('\t')) return -1;
  const allowed: Span[] = [...tree.comments];
  const refused: number[] = [];
  const collect = (node: StrictNode): void => {
    if (node.kind === 'scalar') {
      if (!node.isPlain || kind === 'lines') allowed.push(node.span);
      const margin = /^[|>][-+]?[^\n\d]*\n(?: *\n)* *(?=\t)/.exec(source.slice(node.span.start, node.span.end))?.[0];
      if (node.isBlock && kind === 'lines' && margin !== undefined) refused.push(node.span.start + margin.length);
    } else if (node.kind === 'list') {
      if (node.flow && kind === 'lines') allowed.push(node.span);
      else node.items.forEach(collect);
    } else if (node.kind === 'map') {
      if (node.flow && kind === 'lines') allowed.push(node.span);
      else for (const { key, value } of node.entries) [key, value].forEach(collect);
    }
  };
  if (tree.root) collect(tree.root);
  const [inBlock] = refused;
  if (inBlock !== undefined) return inBlock;
  allowed.sort((a, b) => a.start - b.start);
  const tabs = kind === 'tokens' ? /\t/g : /(?<=^[ ]*(?:-[ ]*)*)\t/gm;
  tabs.lastIndex = place.start;
  let next = 0;
  for (let found = tabs.exec(source); found && found.index < place.end; found = tabs.exec(source)) {
    while (next < allowed.length && (allowed[next]?.end ?? 0) <= found.index) next++;
    if ((allowed[next]?.start ?? Number.POSITIVE_INFINITY) > found.index) return found.index;
  }
  return -1;
}

/** A value, and the number of values in it. */
interface Evaluated {
  readonly value: FieldValue;
  readonly size: number;
  readonly isDate?: true;
}

/** Makes values of nodes. */
class Evaluation {
  private readonly known = new Map<StrictNode, Evaluated>();
  private repeated = 0;

  private readonly source: string;
  private readonly end: number;
  private readonly isOldVersion: boolean;
  private readonly offsetOf: (at: number) => number;

  constructor(
    { source, end, tree, offsetOf }: Parsed,
    private readonly differences: Differences,
    private readonly duplicates: Duplicates,
  ) {
    this.source = source;
    this.end = end;
    this.isOldVersion = tree.version === '1.1' && differences.tags === 'known';
    this.offsetOf = offsetOf;
  }

  /** Returns the top-level keys. No content is a map without keys. */
  keysOf({ root }: StrictTree): ReadonlyMap<string, Field> {
    if (!root || (root.kind === 'scalar' && root.source === '' && root.isPlain)) {
      return new Map();
    }
    if (root.kind === 'scalar' && root.isPlain && root.value === null) return new Map();
    if (root.kind !== 'map') throw this.fail('parse/not-a-map', root.span.start);
    this.checkTag(root);
    const first = root.entries[0]?.key;
    if (this.differences.refusesKeyProperties && (first?.hasAnchor || first?.tag !== undefined))
      throw this.fail('parse/syntax', first.span.start);
    const keys = new Map<string, Field>();
    for (const [name, { node, evaluated }] of this.entriesOf(root, 0)) {
      const { value, isDate } = evaluated;
      const text = node.kind === 'scalar' ? node.source : undefined;
      keys.set(name, { value, ...(text !== undefined && { text }), ...(isDate && { isDate }) });
    }
    return keys;
  }

  private fail(code: StopCode, at: number, key?: string): Failure {
    return new Failure(code, this.offsetOf(at), key);
  }

  private entriesOf(map: StrictMap, depth: number): Map<string, { node: StrictNode; evaluated: Evaluated }> {
    const { duplicates, differences } = this;
    const entries = new Map<string, { node: StrictNode; evaluated: Evaluated; isMerged?: true; type?: string }>();
    for (const { key, value } of map.entries) {
      if (this.isMerge(key)) {
        if (this.merge(entries, value, depth)) continue;
      }
      const { name, type } = this.nameOf(key, depth);
      const known = entries.get(name);
      const isTwice = known !== undefined && !known.isMerged;
      if (isTwice && duplicates === 'error' && (!differences.hasTypedKeys || known.type === type))
        throw this.fail('parse/duplicate-key', key.span.start, name);
      if (isTwice && duplicates === 'first') continue;
      const target = value.kind === 'alias' ? (value.target ?? value) : value;
      if (known) entries.delete(name);
      entries.set(name, { node: target, evaluated: this.valueOf(value, depth + 1), type });
    }
    return entries;
  }

  private isMerge(key: StrictNode): boolean {
    const { merges } = this.differences;
    return merges !== undefined && key.kind === 'scalar' && key.source === '<<' && (merges === 'always' || key.isPlain);
  }

  /** Adds the keys of other maps that are not there yet. Returns false if `<<` is a key like any other. */
  private merge(
    entries: Map<string, { node: StrictNode; evaluated: Evaluated; isMerged?: true }>,
    value: StrictNode,
    depth: number,
  ): boolean {
    const target = this.targetOf(value);
    const sources = (target.kind === 'list' ? target.items : [target]).map((one) => this.targetOf(one));
    const maps = sources.filter((one): one is StrictMap => one.kind === 'map');
    if (maps.length < sources.length) {
      if (this.differences.merges !== 'always') throw this.fail('parse/syntax', value.span.start);
      if (target.kind !== 'list') return false;
    }
    for (const map of maps) {
      for (const [name, entry] of this.entriesOf(map, depth + 1)) {
        if (++this.repeated > MOST_VALUES) throw this.fail('parse/syntax', value.span.start);
        if (!entries.has(name)) entries.set(name, { ...entry, isMerged: true });
      }
    }
    return true;
  }

  private targetOf(node: StrictNode): StrictNode {
    if (node.kind !== 'alias') return node;
    if (!node.target) throw this.fail('parse/syntax', node.span.start);
    return node.target;
  }

  /** Returns the key as the library writes it, and its type. */
  private nameOf(key: StrictNode, depth: number): { name: string; type: string } {
    const { complexKeys, emptyKey } = this.differences;
    const node = this.targetOf(key);
    if (node.kind !== 'scalar' && complexKeys === 'error') throw this.fail('parse/syntax', key.span.start);
    const { value } = this.valueOf(node, depth + 1);
    if (value === null) {
      const isEmpty = node.kind === 'scalar' && node.source === '';
      if (isEmpty && emptyKey === 'error') throw this.fail('parse/syntax', key.span.start);
      return { name: emptyKey === '' ? '' : 'null', type: 'null' };
    }
    if (typeof value !== 'object') return { name: String(value), type: typeof value };
    return { name: complexKeys === 'yaml' ? flowText(value) : String(value), type: 'object' };
  }

  private valueOf(node: StrictNode, depth: number): Evaluated {
    if (depth > MOST_DEPTH) throw this.fail('parse/syntax', node.span.start);
    if (node.kind === 'alias') {
      const evaluated = this.valueOf(this.targetOf(node), depth);
      this.repeated += evaluated.size;
      if (this.repeated > MOST_VALUES) throw this.fail('parse/syntax', node.span.start);
      return evaluated;
    }
    const known = this.known.get(node);
    if (known) return known;
    this.checkTag(node);
    const evaluated = this.contentOf(node, depth);
    this.known.set(node, evaluated);
    return evaluated;
  }

  private contentOf(node: Exclude<StrictNode, { readonly kind: 'alias' }>, depth: number): Evaluated {
    if (node.kind === 'scalar') return this.scalarOf(node);
    if (node.kind === 'list') {
      const items = node.items.map((item) => this.valueOf(item, depth + 1));
      if (node.tag === `${CORE}omap` && this.differences.tags === 'known') return joined(items);
      return { value: items.map(({ value }) => value), size: items.reduce((sum, { size }) => sum + size, 1) };
    }
    const entries = [...this.entriesOf(node, depth)];
    const value = Object.fromEntries(entries.map(([name, { evaluated }]) => [name, evaluated.value]));
    return { value, size: entries.reduce((sum, [, { evaluated }]) => sum + evaluated.size, 1) };
  }

  private scalarOf(node: StrictScalar): Evaluated {
    const { tag } = node;
    if (this.differences.isPython && tag === undefined && node.isPlain && /^(?:=|<<)$/.test(node.source))
      throw this.fail('parse/syntax', node.span.start);
    if (this.differences.refusesSlash) this.checkSlash(node);
    if (this.differences.cutsBlocks && node.isBlock && node.span.end >= this.end && this.source[this.end - 1] !== '\n')
      return { value: node.source.replace(/\n$/, ''), size: 1 };
    const made = tag === undefined ? this.plainOf(node) : this.taggedOf(node, tag);
    if (typeof made === 'object' && made !== null && 'date' in made) return { value: made.date, size: 1, isDate: true };
    return { value: made, size: 1 };
  }

  private checkSlash({ span: { start, end } }: StrictScalar): void {
    if (this.source[start] !== '"') return;
    const found = /^(?:[^\\]|\\[^/])*?(?=\\\/)/.exec(this.source.slice(start, Math.min(end, start + MOST_QUOTED)));
    if (found) throw this.fail('parse/syntax', start + found[0].length);
  }

  private plainOf({ isPlain, source, value }: StrictScalar): Resolved {
    if (!isPlain || source === '') return isPlain ? null : source;
    return this.resolve(source) ?? value;
  }

  private resolve(source: string): Resolved | undefined {
    // Only `yaml` reads a document of YAML 1.1 by other rules.
    return this.isOldVersion ? RESOLVERS.pyyaml(source) : this.differences.resolve(source);
  }

  private taggedOf(node: StrictScalar, tag: string): Resolved | readonly number[] {
    const { tags } = this.differences;
    const core = tag.startsWith(CORE) ? tag.slice(CORE.length) : undefined;
    if (tags === 'ignored' && core !== 'str' && node.source === '' && node.isPlain) return null;
    if (core === 'str' || core === undefined) return node.source;
    const value = this.resolve(node.source) ?? coreValue(node.source);
    if (tags === 'ignored' && !node.isPlain) return node.source;
    if (this.differences.isPython && core === 'null') return null;
    // Bytes are not a text; how many they are does not matter.
    if (core === 'binary' && tags !== 'ignored') return [];
    if (core === 'timestamp' && tags !== 'ignored') return RESOLVERS['js-yaml-4'](node.source) ?? node.source;
    const fits =
      core === 'int'
        ? Number.isInteger(value) || (tags === 'ignored' && typeof value === 'number')
        : core === 'float'
          ? typeof value === 'number' && (tags !== 'known' || /[.e]/i.test(node.source)) && !/^[^.]*:/.test(node.source)
          : core === 'bool'
            ? typeof value === 'boolean'
            : core === 'null' && value === null;
    if (fits) return value;
    if (tags !== 'error') return node.source;
    throw this.fail('parse/syntax', node.span.start);
  }

  /** Stops at a tag that the library does not know. */
  private checkTag({ tag, kind, span: { start } }: StrictNode): void {
    const { tags } = this.differences;
    if (tag === undefined || tag === '!' || tags !== 'error') return;
    const name = tag.startsWith(CORE) ? tag.slice(CORE.length) : undefined;
    if (name === undefined || KNOWN_TAGS.get(kind)?.includes(name) !== true) throw this.fail('parse/syntax', start);
  }
}

const CORE = 'tag:yaml.org,2002:';
/** The tags that js-yaml and PyYAML know, by the kind of node. */
const KNOWN_TAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['scalar', ['str', 'int', 'float', 'bool', 'null', 'binary', 'timestamp', 'merge']],
  ['map', ['map', 'set']],
  ['list', ['seq', 'omap', 'pairs']],
]);

/** Returns the map of a list of maps. */
function joined(items: readonly Evaluated[]): Evaluated {
  const maps = items.map(({ value }) => value as Readonly<Record<string, FieldValue>>);
  return { value: Object.assign({}, ...maps), size: items.reduce((sum, { size }) => sum + size, 1) };
}

/** Returns a value as YAML writes it in one line. */
function flowText(value: FieldValue): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(flowText).join(', ')} ]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value as Readonly<Record<string, FieldValue>>);
  const parts = entries.map(([key, one]) => (one === null ? key : `${key}: ${flowText(one)}`));
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
