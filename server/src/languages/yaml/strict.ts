/**
 * Parses YAML once, without repairs, as other programs do: the first error, and the nodes as they are written. A reader
 * of another library decides from them (server/src/clients).
 */
import { Composer, type Document, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml';
import { type Span, span } from '../../text.ts';
import type { YamlNode } from './node.ts';
import { MAX_YAML_LENGTH } from './parse.ts';
import { readYamlQuickly } from './quick-yaml.ts';

export type StrictNode = StrictScalar | StrictMap | StrictList | StrictAlias;

interface Written {
  /** Offsets in UTF-16 code units in the parsed text. */
  readonly span: Span;
  /** The tag, for example `!about` or `tag:yaml.org,2002:str`. */
  readonly tag?: string;
  readonly hasAnchor?: true;
}

export interface StrictScalar extends Written {
  readonly kind: 'scalar';
  /** The value in the core schema of YAML 1.2, without regard to the tag. */
  readonly value: string | number | boolean | null;
  readonly isPlain: boolean;
  readonly isBlock: boolean;
  /** The text, without quotes. */
  readonly source: string;
}

export interface StrictMap extends Written {
  readonly kind: 'map';
  readonly flow: boolean;
  /** A missing key has the kind `scalar`, an empty source and an empty span. */
  readonly entries: readonly { readonly key: StrictNode; readonly value: StrictNode }[];
}

export interface StrictList extends Written {
  readonly kind: 'list';
  readonly flow: boolean;
  readonly items: readonly StrictNode[];
}

/** An alias. `target` is undefined if no anchor before it has its name. */
export interface StrictAlias extends Written {
  readonly kind: 'alias';
  readonly target: StrictNode | undefined;
}

export interface StrictError {
  /**
   * The code of the library `yaml`; `FLOW_INDENT` for brackets that are not indented, `OPEN_DOUBLE` and `OPEN_SINGLE`
   * for a missing quote;
   * `TOO_LONG`, `TOO_DEEP` or `FAILED` if the text was not read.
   */
  readonly code: string;
  readonly at: number;
}

export interface StrictTree {
  /** Undefined for a text without content. */
  readonly root: StrictNode | undefined;
  /** In the order of the text, at most 100. */
  readonly errors: readonly StrictError[];
  readonly comments: readonly Span[];
  /** The version in a directive `%YAML`. */
  readonly version?: string;
  /** A directive that is neither `%YAML` nor `%TAG`. */
  readonly directive?: string;
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  resolveKnownTags: false,
  logLevel: 'error',
} as const;
const MAX_DEPTH = 200;
const MAX_ERRORS = 100;

/** Parses a span of a text as one YAML document (YAML 1.2, core schema). Linear time; never throws. */
export function parseStrictly(text: string, place: Span): StrictTree {
  const failed = (code: string): StrictTree => ({ root: undefined, errors: [{ code, at: place.start }], comments: [] });
  if (place.end - place.start > MAX_YAML_LENGTH) return failed('TOO_LONG');
  const quick = readYamlQuickly(text, place);
  if (quick?.root && !quick.broken) {
    return { root: ofYamlNode(quick.root), errors: [], comments: quick.comments.map(({ span: one }) => one) };
  }
  try {
    return readOnce(text.slice(place.start, place.end), place.start);
  } catch {
    // The library throws for a few texts, for example if a value is nested very deeply.
    return failed('FAILED');
  }
}

function ofYamlNode(node: YamlNode): StrictNode {
  if (node.kind === 'list') return { ...node, items: node.items.map(ofYamlNode) };
  if (node.kind === 'map') {
    const entries = node.entries.map(({ key, value }) => ({ key: ofYamlNode(key), value: ofYamlNode(value) }));
    return { kind: 'map', span: node.span, flow: node.flow, entries };
  }
  const { span: place, value, style, source } = node;
  const isBlock = style === 'literal' || style === 'folded';
  return { kind: 'scalar', span: place, value, isPlain: style === 'plain', isBlock, source };
}

/** Parses `text`, which is at the offset `base` of the file. */
function readOnce(text: string, base: number): StrictTree {
  const errors: StrictError[] = [];
  const comments: Span[] = [];
  let version: string | undefined;
  let directive: string | undefined;
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const report = (place: Place, libraryCode: string, message = ''): void => {
    const start = typeof place === 'number' ? place : 'offset' in place ? place.offset : (place[0] ?? 0);
    const code = ownCode(message) ?? libraryCode;
    if (errors.length < MAX_ERRORS && !TAG_CODES.has(code)) errors.push({ code, at: start + base });
  };
  // The handler of the library makes an Error with a stack trace each time, which is slow for thousands of errors.
  Object.assign(composer, {
    onError: (place: Place, code: string, message: string, isWarning?: boolean) =>
      isWarning || report(place, code, message),
  });
  const documents: Document.Parsed[] = [];
  const compose = (
    tokens: Iterable<{ readonly type: string; readonly offset?: number; readonly source?: string }>,
  ): void => {
    for (const token of tokens) {
      if (token.type === 'error') report(token.offset ?? 0, 'UNEXPECTED_TOKEN');
      if (token.type === 'directive') {
        const [, name, value] = /^%(\S+)\s*(\S*)/.exec(token.source ?? '') ?? [];
        if (name === 'YAML') version = value;
        else if (name !== 'TAG') directive = name;
      }
      documents.push(...(composer.next(token as never) as Iterable<Document.Parsed>));
    }
  };
  let isScalarNext = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalarNext && lexeme.startsWith('#')) {
      comments.push(span(parser.offset + base, parser.offset + base + lexeme.length));
    }
    isScalarNext = lexeme === '\x1f';
    compose(parser.next(lexeme));
    if (documents.length > 1) break;
    if (parser.stack.length > MAX_DEPTH) {
      report(parser.offset, 'TOO_DEEP');
      break;
    }
  }
  compose(parser.end());
  documents.push(...(composer.end(true, text.length) as Iterable<Document.Parsed>));
  const [document, second] = documents;
  for (const { pos, code, message } of document?.errors ?? []) report(pos, code, message);
  if (second) report(second.range[0], 'MULTIPLE_DOCS');
  errors.sort((a, b) => a.at - b.at);
  const root = document?.contents ? nodeOf(document.contents, { base, anchors: new Map() }, 0) : undefined;
  return {
    root,
    errors,
    comments,
    ...(version !== undefined && { version }),
    ...(directive !== undefined && { directive }),
  };
}

function ownCode(message: string): string | undefined {
  if (message.startsWith('Flow ')) return 'FLOW_INDENT';
  if (message.startsWith('Missing closing ')) return message.includes('"') ? 'OPEN_DOUBLE' : 'OPEN_SINGLE';
  return undefined;
}

/** The place at which the library reports an error. */
type Place = number | readonly number[] | { readonly offset: number };

/** A tag is not an error here: libraries differ in the tags that they know. */
const TAG_CODES: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']);

interface Builder {
  readonly base: number;
  readonly anchors: Map<string, StrictNode>;
}

function nodeOf(node: unknown, builder: Builder, at: number): StrictNode {
  const { base, anchors } = builder;
  if (isAlias(node)) {
    const [start = 0, end = 0] = node.range ?? [];
    return { kind: 'alias', span: span(start + base, end + base), target: anchors.get(node.source) };
  }
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return nothingAt(at + base);
  const [start = at, end = at] = node.range ?? [];
  const written: Written = {
    span: span(start + base, end + base),
    ...(node.tag !== undefined && { tag: node.tag }),
    ...(node.anchor && { hasAnchor: true }),
  };
  const made = contentOf(node, written, builder);
  if (node.anchor) anchors.set(node.anchor, made);
  return made;
}

function contentOf(node: unknown, written: Written, builder: Builder): StrictNode {
  if (isMap(node)) {
    let at = written.span.start - builder.base;
    const entries = node.items.map((pair) => {
      const key = nodeOf(pair.key, builder, at);
      at = key.span.end - builder.base;
      const value = nodeOf(pair.value, builder, at);
      at = Math.max(at, value.span.end - builder.base);
      return { key, value };
    });
    return { kind: 'map', ...written, flow: node.flow === true, entries };
  }
  if (isSeq(node)) {
    const at = written.span.start - builder.base;
    const items = node.items.map((item) => nodeOf(item, builder, at));
    return { kind: 'list', ...written, flow: node.flow === true, items };
  }
  if (!isScalar(node)) return nothingAt(written.span.start);
  const { value, type, source = '' } = node;
  const isPlain = type === 'PLAIN' || type === undefined;
  const scalar = typeof value === 'number' || typeof value === 'boolean' || value === null ? value : String(value);
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  return { kind: 'scalar', ...written, value: scalar, isPlain, isBlock, source };
}

const nothingAt = (at: number): StrictScalar => ({
  kind: 'scalar',
  span: span(at, at),
  value: null,
  isPlain: true,
  isBlock: false,
  source: '',
});
