/**
 * Documents that nobody edits. Of these a workspace may have ten thousand, so they keep next to nothing: everything is
 * read again when someone looks at it, which costs less than to keep it. Trees take ten times the room of their text, and
 * where a host can read files in between, not even the text is kept.
 */
import { type LineStarts, lineStartsOf } from '../text.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import { keptSummary } from './kept-summary.ts';
import { type Core, type Parts, type Rest, readParts, readRest } from './read-parts.ts';
import type { SkillDocument } from './skill-document.ts';
import type { SkillSummary } from './summary.ts';

/** Reads the text of a file again, at once. It never fails: a file that is gone has an empty text. */
export type ReadText = (uri: string) => string;

/** The document of a text that has just been read; with `again`, the text is read anew by whoever looks at it. */
export function closed(core: Core, again?: ReadText): SkillDocument {
  const kept = again ? { ...core, summary: keptSummary(core.summary) } : core;
  // What its summary was made of is not kept for whoever looks next: nobody does before all files are read, and to collect
  // it again was a sixth of the work of checking 10,000 files.
  return new ClosedDocument(kept, again ?? core.text);
}

/** What is known of a document that has not been read. */
export type Known = Pick<SkillDocument, 'uri' | 'isSkill' | 'hasSamples' | 'summary'>;

/** A document of which nothing has been read but what a host remembers of it. */
export const stored = ({ summary, ...known }: Known, again: ReadText): SkillDocument =>
  new ClosedDocument({ ...known, summary: keptSummary(summary) }, again);

/** True where the text comes from the disk, so that it need not be the one that the summary was made of. */
export const isStored = (document: SkillDocument): boolean => document instanceof ClosedDocument && document.isStored;

/**
 * The same document, whose body nobody has looked at yet. What is read of it stays with this copy: who looks at a whole
 * workspace, one file after the other, drops each with its rest.
 */
export function unread(document: SkillDocument): SkillDocument {
  if (document instanceof ClosedDocument) return document.copy();
  const { text, frontmatter, contract } = document;
  return new ClosedDocument(document, text, { head: { text, parts: { frontmatter, contract } } });
}

/**
 * What was read last of documents that keep their text. A weak reference would do, but what it leads to outlives the
 * collections of what is new: all that was read of neighbours became old, and was collected dearly.
 */
const recent: { readonly document: SkillDocument; readonly read: Read }[] = [];
const MAX_RECENT = 4;

/** What has been read of a document. */
interface Read {
  readonly head: { readonly text: string; parts?: Parts };
  rest?: Rest;
  lines?: LineStarts;
}

/**
 * A class, since an object literal with getters is given a hidden class of its own, which the engine keeps, with all that
 * hangs on it, until its next full collection: collecting what edits had left behind took a third of the work of typing.
 */
class ClosedDocument implements SkillDocument {
  readonly uri: string;
  readonly isSkill: boolean;
  readonly hasSamples: boolean;
  readonly summary: SkillSummary;
  readonly #source: string | ReadText;
  /**
   * While code runs without a pause, a weak reference keeps what it gave out, by the rules of the language: so all that is
   * read of a document at once is read of one and the same text, even where the file changes on the disk meanwhile.
   */
  #known: WeakRef<Read> | Read | undefined;

  constructor({ uri, isSkill, hasSamples, summary }: Known, source: string | ReadText, known?: Read) {
    this.uri = uri;
    this.isSkill = isSkill;
    this.hasSamples = hasSamples;
    this.summary = summary;
    this.#source = source;
    this.#known = known;
  }

  /** Another document that keeps for itself what is read of its body. */
  copy(): SkillDocument {
    const { head } = this.#read();
    return new ClosedDocument(this, head.text, { head });
  }

  #read(): Read {
    const known = this.#known instanceof WeakRef ? this.#known.deref() : this.#known;
    if (known) return known;
    const source = this.#source;
    if (typeof source !== 'string') {
      const read: Read = { head: { text: source(this.uri) } };
      // For as long as somebody uses it.
      this.#known = new WeakRef(read);
      return read;
    }
    for (const { document, read } of recent) if (document === this) return read;
    const read: Read = { head: { text: source } };
    if (recent.unshift({ document: this, read }) > MAX_RECENT) recent.pop();
    return read;
  }

  #parts(): Parts {
    const { head } = this.#read();
    head.parts ??= readParts(this.dialect, head.text);
    return head.parts;
  }

  #rest(): Rest {
    const { uri, dialect, isSkill, hasSamples, summary } = this;
    const read = this.#read();
    read.rest ??= readRest({ uri, dialect, isSkill, hasSamples, summary, text: read.head.text, ...this.#parts() });
    return read.rest;
  }

  get isStored(): boolean {
    return typeof this.#source !== 'string';
  }

  get dialect(): Dialect {
    return this.summary.dialect;
  }

  get text(): string {
    return typeof this.#source === 'string' ? this.#source : this.#read().head.text;
  }

  get lines(): LineStarts {
    const read = this.#read();
    read.lines ??= lineStartsOf(read.head.text);
    return read.lines;
  }

  get frontmatter() {
    return this.#parts().frontmatter;
  }

  get contract() {
    return this.#parts().contract;
  }

  get body() {
    return this.#rest().body;
  }

  get metadata() {
    return this.#rest().metadata;
  }

  get examples() {
    return this.#rest().examples;
  }

  get templates() {
    return this.#rest().templates;
  }

  get conditions() {
    return this.#rest().conditions;
  }

  get problems() {
    return this.#rest().problems;
  }

  get suppressions() {
    return this.#rest().suppressions;
  }
}
