/**
 * One skill file as a readonly value: read this first. `parseSkill` is total: whatever the bytes, there is a document,
 * with its problems. A catalog is read by the same function and has no body.
 */
import { type LineStarts, lineStartsOf, span } from '../text.ts';
import {
  type ArtifactMetadata,
  type ExampleData,
  readExamples,
  readMetadata,
  readTemplate,
  type SkillTemplate,
} from './artifact-data.ts';
import { type Artifact, type Body, parseBody } from './body.ts';
import { closed, type ReadText } from './closed-document.ts';
import { type Condition, readConditions } from './conditions.ts';
import { readContract, type SkillContract } from './contract.ts';
import { type Dialect, dialectOf, isPlainMarkdown } from './dialect.ts';
import { type Frontmatter, parseFrontmatter, parseYaml } from './frontmatter.ts';
import { skillsMentioned } from './references.ts';
import { type SkillSummary, summarize } from './summary.ts';
import { readSuppressions, type Suppression } from './suppressions.ts';
import { agentSkillKeys } from './vocabulary/agent-skill-keys.ts';
import { artifactKeys } from './vocabulary/artifact-keys.ts';
import { catalogKeys } from './vocabulary/catalog-keys.ts';
import { checkShape, type ShapeProblem } from './vocabulary/check-shape.ts';
import type { KeyTable } from './vocabulary/shape.ts';
import { skillKeys } from './vocabulary/skill-keys.ts';
import { findEntry, type YamlTree } from './yaml/node.ts';

export { isStored, type ReadText, stored, unread } from './closed-document.ts';
export type { SkillSummary } from './summary.ts';

export interface SkillDocument {
  readonly uri: string;
  readonly dialect: Dialect;
  /** False for a plain `skills/*.md` whose frontmatter does not make it a skill; nothing is said about such a file. */
  readonly isSkill: boolean;
  readonly text: string;
  readonly lines: LineStarts;
  readonly frontmatter: Frontmatter;
  readonly contract: SkillContract;
  /** Undefined for the dialects without a body. */
  readonly body: Body | undefined;
  readonly metadata: readonly ArtifactMetadata[];
  readonly examples: readonly ExampleData[];
  readonly templates: readonly SkillTemplate[];
  readonly conditions: readonly Condition[];
  /** Where the frontmatter and the metadata of artifacts do not have the shape of their vocabularies. */
  readonly problems: readonly ShapeProblem[];
  readonly suppressions: readonly Suppression[];
  readonly summary: SkillSummary;
}

/**
 * Parses one file. `previous` is the same file before the edit; what did not change is taken over from it, which
 * changes the cost and never the result. With `again`, which reads the text anew, the document does not keep it.
 */
export function parseSkill(uri: string, text: string, previous?: SkillDocument, again?: ReadText): SkillDocument {
  const dialect = dialectOf(uri) ?? 'composer';
  const hasBody = hasBodyOf(dialect);
  const known = hasBody && previous && hasSameHead(text, previous) ? previous : undefined;
  const frontmatter = known?.frontmatter ?? readFrontmatter(dialect, text);
  const contract = known?.contract ?? contractOf(dialect, frontmatter);
  const mentioned = hasBody ? skillsMentioned(text, frontmatter.bodyStart) : [];
  const isSkill = !isPlainMarkdown(uri) || looksLikeSkill(text, frontmatter);
  // A summary is made of the frontmatter and of the skills that the body mentions. Where both are as they were it stays
  // the same object, which the workspace sees at a glance: 60 of the 1,060 us of an edit went into comparing the two.
  const summary =
    known && sameNames(mentioned, skillsMentioned(known.text, frontmatter.bodyStart))
      ? known.summary
      : summarize(dialect, text, frontmatter.tree, contract, mentioned);
  const core = { uri, dialect, isSkill, text, summary };
  if (!previous) return closed(core, { frontmatter, contract }, again);
  // What is being edited is looked at in a moment, and the text before it should be held no longer.
  const head: Head = { ...core, frontmatter, contract };
  const rest = readRest(head, previous);
  return withParts(core, {
    head: () => head,
    rest: () => rest,
  });
}

const readFrontmatter = (dialect: Dialect, text: string): Frontmatter =>
  hasBodyOf(dialect) ? parseFrontmatter(text) : wholeFile(text);

/** What is read of a document before its body is looked at. */
export function readParts(dialect: Dialect, text: string): Parts {
  const frontmatter = readFrontmatter(dialect, text);
  return { frontmatter, contract: contractOf(dialect, frontmatter) };
}

const contractOf = (dialect: Dialect, { tree }: Frontmatter): SkillContract =>
  readContract(dialect === 'catalog' ? undefined : tree.root);

export type Core = Pick<SkillDocument, 'uri' | 'dialect' | 'isSkill' | 'text' | 'summary'>;
export type Parts = Pick<SkillDocument, 'frontmatter' | 'contract'>;
export type Head = Core & Parts;
export type Rest = Omit<SkillDocument, keyof Head | 'lines'>;

/** What is read of a document whose body is looked at. */
export function readRest({ dialect, text, frontmatter, contract }: Head, previous?: SkillDocument): Rest {
  const { root } = frontmatter.tree;
  const body = hasBodyOf(dialect) ? parseBody(text, frontmatter.bodyStart, previous?.body) : undefined;
  const artifacts = dialect === 'composer' ? (body?.artifacts ?? []) : [];
  const metadata = artifacts.flatMap((artifact) => readMetadata(text, artifact));
  return {
    body,
    metadata,
    examples: artifacts.flatMap((artifact) => readExamples(text, artifact)),
    templates: artifacts.flatMap((artifact) => readTemplate(text, artifact, previous)),
    conditions: dialect === 'composer' || dialect === 'contract' ? readConditions(root, contract, metadata) : [],
    problems: [
      ...checkShape(root, tableOf(dialect)),
      ...metadata.flatMap(({ artifact, tree }) => checkMetadata(artifact, tree)),
    ],
    suppressions: readSuppressions(text, [frontmatter.tree, ...metadata.map(({ tree }) => tree)], body),
  };
}

const withParts = (core: Core, parts: Unread): SkillDocument => new Reading(core, parts);

/** How what is read of a document is come by. */
interface Unread {
  readonly head: () => Head;
  readonly rest: () => Rest;
}

/**
 * A document that reads its parts when they are asked for. It is a class since an object literal with getters is given a
 * hidden class of its own, which the engine keeps, with all that hangs on it, until its next full collection: every edit
 * left its whole document behind, and collecting those took a third of the work of typing.
 */
class Reading implements SkillDocument {
  readonly uri: string;
  readonly dialect: Dialect;
  readonly isSkill: boolean;
  readonly text: string;
  readonly summary: SkillSummary;
  readonly #parts: Unread;
  #lines: LineStarts | undefined;

  constructor({ uri, dialect, isSkill, text, summary }: Core, parts: Unread) {
    this.uri = uri;
    this.dialect = dialect;
    this.isSkill = isSkill;
    this.text = text;
    this.summary = summary;
    this.#parts = parts;
  }

  get lines(): LineStarts {
    this.#lines ??= lineStartsOf(this.text);
    return this.#lines;
  }

  get frontmatter(): Frontmatter {
    return this.#parts.head().frontmatter;
  }

  get contract(): SkillContract {
    return this.#parts.head().contract;
  }

  get body(): Body | undefined {
    return this.#parts.rest().body;
  }

  get metadata(): readonly ArtifactMetadata[] {
    return this.#parts.rest().metadata;
  }

  get examples(): readonly ExampleData[] {
    return this.#parts.rest().examples;
  }

  get templates(): readonly SkillTemplate[] {
    return this.#parts.rest().templates;
  }

  get conditions(): readonly Condition[] {
    return this.#parts.rest().conditions;
  }

  get problems(): readonly ShapeProblem[] {
    return this.#parts.rest().problems;
  }

  get suppressions(): readonly Suppression[] {
    return this.#parts.rest().suppressions;
  }
}

const hasBodyOf = (dialect: Dialect): boolean => dialect === 'composer' || dialect === 'agent-skill';

/** Whether a text begins with the whole frontmatter of the file before the edit, so that it has the same one. */
function hasSameHead(text: string, { text: before, frontmatter: { close, bodyStart } }: SkillDocument): boolean {
  // A fence that the text ends with may go on, and so may a `\r`.
  return close !== undefined && before[bodyStart - 1] === '\n' && text.startsWith(before.slice(0, bodyStart));
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

/** The vocabulary of a dialect's frontmatter. */
export function tableOf(dialect: Dialect): KeyTable {
  if (dialect === 'catalog') return catalogKeys;
  return dialect === 'agent-skill' ? agentSkillKeys : skillKeys;
}

/** An artifact's metadata under the vocabulary of its kind; what is wrong in it is a matter of the artifact. */
function checkMetadata({ kind }: Artifact, { root, broken }: YamlTree): readonly ShapeProblem[] {
  if (broken || !root) return [];
  return checkShape(root, artifactKeys[kind]).map((problem) => ({
    ...problem,
    rule: problem.rule ?? 'invalid-artifact-metadata',
  }));
}

/** A YAML file as if it were all frontmatter: no fences, no body. */
function wholeFile(text: string): Frontmatter {
  const content = span(text.startsWith('\uFEFF') ? 1 : 0, text.length);
  const tree = parseYaml(text, content);
  return { open: undefined, close: undefined, content, bodyStart: text.length, tree };
}

/** Whether a plain `.md` in a `skills` folder has the `name` and `description` that make it a skill (section 1). */
function looksLikeSkill(text: string, { open, content, tree }: Frontmatter): boolean {
  if (!open) return false;
  if (findEntry(tree.root, 'name') && findEntry(tree.root, 'description')) return true;
  const source = text.slice(content.start, content.end);
  return tree.broken && /^name[ \t]*:/m.test(source) && /^description[ \t]*:/m.test(source);
}
