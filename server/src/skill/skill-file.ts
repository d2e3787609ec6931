/**
 * One skill file as a value. The parts of a file are parsed on first use. Parsing never throws, and a file lists its
 * problems. The class `SkillFile` also reads a catalog, which has no body.
 */
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { findEntry, findValue, listItems, type YamlNode } from '../languages/yaml/node.ts';
import { type LineStarts, lineAt, lineEnd, lineStartsOf, type Span, span } from '../text.ts';
import type { ShapeProblem } from '../vocabulary/check-shape.ts';
import {
  type Dialect,
  dialectOf,
  isHooksFile,
  isMisplacedMarketplace,
  isOfAgent,
  isPlainMarkdown,
  isPluginManifest,
} from '../vocabulary/dialect.ts';
import type { ArtifactMetadata, ExampleData, SkillTemplate } from './artifact-data.ts';
import type { Body, Link } from './body.ts';
import type { Condition } from './conditions.ts';
import type { SkillContract } from './contract.ts';
import type { MarkdownFile } from './markdown-file.ts';
import { plainNames } from './plain-references.ts';
import { type BodyParts, type Head, hasBodyOf, readBody, readHead } from './read-file.ts';
import { skillsMentioned } from './references.ts';
import { readSkillWords, type SkillSummary, type SkillWords, summarize } from './summary.ts';
import type { Suppression } from './suppressions.ts';

export type { SkillSummary } from './summary.ts';

/** The data that a workspace keeps about a file: plain data, without methods. */
export interface FileEntry {
  readonly uri: string;
  readonly text: string;
  readonly dialect: Dialect;
  /** False for a plain `skills/*.md` whose frontmatter does not make it a skill; such a file is not checked. */
  readonly isSkill: boolean;
  /** True if the file declares samples that can be composed. */
  readonly hasSamples: boolean;
  readonly summary: SkillSummary;
  readonly words: SkillWords;
}

/** A skill file or a catalog, with a URI, text, and parts that are parsed on first use. */
export class SkillFile implements MarkdownFile {
  readonly uri: string;
  readonly dialect: Dialect;
  readonly text: string;
  /** The body before an edit, until the body of this text is read. */
  #bodyBefore: BodyParts | undefined;
  /** The search terms before an edit. */
  #wordsBefore: SkillWords | undefined;
  #head: Head | undefined;
  #body: BodyParts | undefined;
  #lines: LineStarts | undefined;
  #summary: SkillSummary | undefined;
  #words: SkillWords | undefined;
  #isSkill: boolean | undefined;
  readonly #derived = new Map<unknown, unknown>();

  /** @param dialect that of the file's name if it is omitted */
  constructor(uri: string, text: string, dialect: Dialect = dialectOf(uri) ?? 'composer') {
    this.uri = uri;
    this.dialect = dialect;
    this.text = text;
  }

  /** Returns the file for an entry, with the entry's summary. */
  static of({ uri, text, dialect, summary, words, isSkill }: FileEntry): SkillFile {
    const file = new SkillFile(uri, text, dialect);
    file.#summary = summary;
    file.#words = words;
    file.#isSkill = isSkill;
    return file;
  }

  /** Returns the file after an edit. Unchanged parts are reused, which saves time and does not change the result. */
  edited(text: string): SkillFile {
    const next = new SkillFile(this.uri, text, this.dialect);
    const head = this.#head;
    next.#bodyBefore = this.#body ?? this.#bodyBefore;
    next.#wordsBefore = this.#words ?? this.#wordsBefore;
    if (!head || !hasBodyOf(this.dialect) || !hasSameHead(text, this.text, head)) {
      next.#head = readHead(this.dialect, text, head && { text: this.text, head });
      return next;
    }
    next.#head = head;
    next.#words = this.#words;
    const { bodyStart } = head.frontmatter;
    // The same summary object is used again, so that callers can check by identity whether anything changed for other
    // files.
    if (sameNames(namesInBody(this.dialect, text, bodyStart), namesInBody(this.dialect, this.text, bodyStart))) {
      next.#summary = this.#summary;
    }
    return next;
  }

  get lines(): LineStarts {
    this.#lines ??= lineStartsOf(this.text);
    return this.#lines;
  }

  get frontmatter(): Head['frontmatter'] {
    return this.#readHead().frontmatter;
  }

  get contract(): SkillContract {
    return this.#readHead().contract;
  }

  /** The body; undefined for dialects without a body. */
  get body(): Body | undefined {
    return this.#readBody().body;
  }

  get links(): readonly Link[] {
    return this.body?.links ?? [];
  }

  get scanned(): readonly Span[] {
    return this.body?.scanned ?? [];
  }

  get metadata(): readonly ArtifactMetadata[] {
    return this.#readBody().metadata;
  }

  get examples(): readonly ExampleData[] {
    return this.#readBody().examples;
  }

  get templates(): readonly SkillTemplate[] {
    return this.#readBody().templates.all;
  }

  get conditions(): readonly Condition[] {
    return this.#readBody().conditions;
  }

  /** The problems in the shape of the frontmatter and of the artifacts' metadata. */
  get problems(): readonly ShapeProblem[] {
    const ofHead = this.#readHead().problems;
    const ofMetadata = this.#readBody().problems;
    return ofMetadata.length === 0 ? ofHead : [...ofHead, ...ofMetadata];
  }

  get suppressions(): readonly Suppression[] {
    return this.#readBody().suppressions;
  }

  get isSkill(): boolean {
    this.#isSkill ??= this.#isRead();
    return this.#isSkill;
  }

  get hasSamples(): boolean {
    const { frontmatter, contract } = this.#readHead();
    return this.isSkill && !frontmatter.tree.broken && !isUnclosed(frontmatter) && contract.samples.length > 0;
  }

  get summary(): SkillSummary {
    this.#summary ??= this.#summarize();
    return this.#summary;
  }

  /** The entry of this file in a workspace. */
  get entry(): FileEntry {
    const { uri, text, dialect, isSkill, hasSamples, summary } = this;
    return { uri, text, dialect, isSkill, hasSamples, summary, words: this.#knownWords() };
  }

  /** Returns whether both states of the file share one parsed head, so that the frontmatter is the same. */
  hasHeadOf(other: SkillFile): boolean {
    return this.#readHead() === other.#readHead();
  }

  /** Returns `make(this)`, which is computed once and cached for the lifetime of this object. */
  derive<Value>(make: (file: SkillFile) => Value): Value {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this));
    return this.#derived.get(make) as Value;
  }

  #readHead(): Head {
    this.#head ??= readHead(this.dialect, this.text);
    return this.#head;
  }

  #readBody(): BodyParts {
    this.#body ??= readBody(this.dialect, this.text, this.#readHead(), this.#bodyBefore);
    this.#bodyBefore = undefined;
    return this.#body;
  }

  #knownWords(): SkillWords {
    if (!this.#words) {
      const { frontmatter, contract } = this.#readHead();
      this.#words = readSkillWords(frontmatter.tree.root, contract, this.#wordsBefore);
      this.#wordsBefore = undefined;
    }
    return this.#words;
  }

  #summarize(): SkillSummary {
    const { frontmatter, contract } = this.#readHead();
    const mentioned = namesInBody(this.dialect, this.text, frontmatter.bodyStart);
    return summarize(this.dialect, this.text, frontmatter, contract, mentioned);
  }

  #isRead(): boolean {
    if (this.dialect === 'plugin') return this.#looksLikeManifest();
    if (this.dialect === 'client-file') return isOfAgent(this.uri) || this.frontmatter.open !== undefined;
    if (this.dialect === 'evals') return !this.frontmatter.tree.broken;
    // The service checks its own files.
    if (this.dialect === 'workflow') return false;
    return !isPlainMarkdown(this.uri) || this.#looksLikeSkill();
  }

  /** Returns whether a JSON file is a manifest. Other programs have files of these names, too. */
  #looksLikeManifest(): boolean {
    if (isMisplacedMarketplace(this.uri)) {
      const { root } = this.frontmatter.tree;
      const plugins = listItems(findValue(root, 'plugins'));
      return Boolean(findEntry(root, 'name')) && plugins.length > 0 && plugins.every(isNamedPlugin);
    }
    return (
      isPluginManifest(this.uri) || isHooksFile(this.uri) || this.text.includes('"https://agent-plugins.org/schemas/')
    );
  }

  /** Returns whether a plain `.md` in a `skills` folder has a `name` and a `description`, which make it a skill. */
  #looksLikeSkill(): boolean {
    const { open, content, tree } = this.#readHead().frontmatter;
    if (!open) return false;
    if (findEntry(tree.root, 'name') && findEntry(tree.root, 'description')) return true;
    const source = this.text.slice(content.start, content.end);
    return tree.broken && /^name[ \t]*:/m.test(source) && /^description[ \t]*:/m.test(source);
  }
}

const isNamedPlugin = (entry: YamlNode): boolean => Boolean(findEntry(entry, 'name') && findEntry(entry, 'source'));

/** Returns whether a string begins with the whole frontmatter of the file before the edit. */
function hasSameHead(text: string, before: string, { frontmatter: { close, bodyStart } }: Head): boolean {
  // A fence or a `\r` at the end of the old text may continue in the new text.
  return close !== undefined && before[bodyStart - 1] === '\n' && text.startsWith(before.slice(0, bodyStart));
}

/** Returns the names of the skills that a body may refer to, also in code and comments; each once. */
function namesInBody(dialect: Dialect, text: string, start: number): readonly string[] {
  if (!hasBodyOf(dialect)) return [];
  // The description may name other skills, too.
  const plain = dialect === 'agent-skill' ? plainNames(text, 0) : [];
  return [...new Set([...skillsMentioned(text, start), ...plain])];
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

/**
 * Returns the span to report for a missing key: the `name` entry or the `id` that replaces it, else the opening fence,
 * else the first line with a key.
 */
export function missingKeySpan({ frontmatter: { tree, open }, contract, text, lines }: SkillFile): Span {
  const key = contract.isNamedById ? 'id' : 'name';
  const known = findEntry(tree.root, key)?.span ?? open;
  if (known) return known;
  const line = lineAt(lines, tree.root?.span.start ?? 0);
  return span(lines[line] ?? 0, lineEnd(text, lines, line));
}
