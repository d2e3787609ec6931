/** A Markdown file to which a skill links. Only its links are read at first, because most linked files need nothing else. */
import type { Fence, Heading, Link } from '../languages/markdown/blocks.ts';
import { NO_PROSE, parseChunks, readLinks } from '../languages/markdown/chunks.ts';
import { findFences } from '../languages/yaml/frontmatter.ts';
import { type LineStarts, lineStartsOf, type Span, span } from '../text.ts';
import { closingLinesOf, type Dialect, dialectOf } from '../vocabulary/dialect.ts';

/** The blocks of a body. All spans are offsets in the file. */
export interface MarkdownBody {
  readonly span: Span;
  readonly headings: readonly Heading[];
  readonly fences: readonly Fence[];
  readonly links: readonly Link[];
  readonly scanned: readonly Span[];
}

/** A file with Markdown: a skill file, or a file to which a skill links. */
export interface MarkdownFile {
  readonly uri: string;
  readonly text: string;
  readonly dialect: Dialect;
  readonly lines: LineStarts;
  readonly body: MarkdownBody | undefined;
  /** The links of the body, at least those whose address may be a path or an anchor. */
  readonly links: readonly Link[];
  /** The parts of the body in which only headings and fences were read (`Body.scanned`). */
  readonly scanned: readonly Span[];
  /** Returns `make(this)`, which is computed once and cached for the lifetime of this object. */
  derive<Value>(make: (file: MarkdownFile) => Value): Value;
}

export class LinkedFile implements MarkdownFile {
  readonly uri: string;
  readonly text: string;
  readonly dialect: Dialect;
  readonly #start: number;
  #found: Pick<MarkdownBody, 'links' | 'scanned'> | undefined;
  #body: MarkdownBody | undefined;
  #lines: LineStarts | undefined;
  readonly #derived = new Map<unknown, unknown>();

  constructor(uri: string, text: string) {
    this.uri = uri;
    this.text = text;
    this.dialect = dialectOf(uri) ?? 'composer';
    this.#start = findFences(text, closingLinesOf(this.dialect)).bodyStart;
  }

  get lines(): LineStarts {
    this.#lines ??= lineStartsOf(this.text);
    return this.#lines;
  }

  get links(): readonly Link[] {
    return this.#readLinks().links;
  }

  get scanned(): readonly Span[] {
    return this.#readLinks().scanned;
  }

  get body(): MarkdownBody {
    this.#body ??= {
      span: span(this.#start, this.text.length),
      ...parseChunks(this.text, this.#start, NO_PROSE).blocks,
    };
    return this.#body;
  }

  derive<Value>(make: (file: MarkdownFile) => Value): Value {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this));
    return this.#derived.get(make) as Value;
  }

  #readLinks(): Pick<MarkdownBody, 'links' | 'scanned'> {
    this.#found ??= readLinks(this.text, this.#start);
    return this.#found;
  }
}
