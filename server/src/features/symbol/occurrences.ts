/**
 * Finds the occurrences and declarations of a target. The search finds the name as text; a match is an occurrence if
 * the symbol at the position of the match has the same target.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import { inner } from '../../analysis/name-fixes.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { allStages } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../../text.ts';
import { clientFileOf, type Dialect, isOfClient } from '../../vocabulary/dialect.ts';
import { filesUsingFields } from '../../workspace/composition-lookups.ts';
import { isSureMention } from '../../workspace/skill-mentions.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import type { SkillSymbol } from './skill-symbol.ts';
import { symbolAt } from './symbol.ts';
import { type CatalogDomain, type SymbolTarget, sameTarget, targetOf } from './target.ts';

/** An occurrence of a name in a file; `span` is only the name, without quotes. */
export interface Occurrence {
  readonly file: SkillFile;
  readonly span: Span;
  /** False for words that may mean something else than the skill (docs/format.md, section 9, "References without a sign"). */
  readonly isSure: boolean;
}

/** Returns the symbol at an offset with its target; undefined if it has no target. */
export function targetAt(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
): { readonly symbol: SkillSymbol; readonly target: SymbolTarget; readonly span: Span } | undefined {
  const symbol = symbolAt(file, offset);
  const target = symbol && targetOf(analysis, file, symbol);
  return symbol && target && { symbol, target, span: nameSpanOf(file, symbol) };
}

/** Returns the span of a symbol's name without quotes and surrounding text. */
function nameSpanOf({ text }: SkillFile, symbol: SkillSymbol): Span {
  const whole = symbol.kind === 'field' ? (symbol.nameSpan ?? symbol.span) : symbol.span;
  const source = sliceOf(text, whole);
  const isQuoted = /^(["']).*\1$/s.test(source) && source.length > 1;
  return isQuoted ? span(whole.start + 1, whole.end - 1) : whole;
}

/** Returns the occurrences in one file, in text order. */
export function occurrencesIn(analysis: Analysis, file: SkillFile, target: SymbolTarget): readonly Occurrence[] {
  if (target.kind === 'local') {
    if (target.uri !== file.uri) return [];
    const spans = [...target.definitions, ...target.uses.map((use) => use.span)];
    return distinct(spans).map((place) => ({ file, span: place, isSure: true }));
  }
  const found: Occurrence[] = [];
  for (const place of wordSpans(file.text, target.name)) {
    if (place.start >= file.frontmatter.bodyStart && !canOccurInBody(file, place, target)) continue;
    const here = targetAt(analysis, file, place.start + Math.min(1, target.name.length - 1));
    if (here && here.span.start === place.start && here.span.end === place.end && sameTarget(target, here.target)) {
      const { symbol } = here;
      const plain = symbol.kind === 'name' ? symbol.plain : undefined;
      found.push({ file, span: place, isSure: !plain || isSureMention(file, plain) });
    }
  }
  return found;
}

/**
 * Returns whether a position in a body can be an occurrence. This check avoids parsing most bodies, which is slow,
 * since prose often mentions skills and tools without a reference. Metadata of artifacts is in a fence marked
 * `artifact`.
 */
function canOccurInBody({ text, dialect }: SkillFile, { start }: Span, target: SymbolTarget): boolean {
  if (target.kind !== 'skill' && target.kind !== 'catalog') return true;
  // Only files that may name the skill are searched, and a `SKILL.md` refers to the skill without a prefix.
  if (target.kind === 'skill' && namesSkillsPlainly(dialect)) return MAY_NAME.test(around(text, start, target.name));
  if (/#(?:skill|tool|interrupt):$/.test(text.slice(Math.max(0, start - 12), start))) return true;
  return (target.kind === 'skill' || IN_METADATA.has(target.domain)) && /\sartifact\b/.test(text);
}

/** Returns whether files of a dialect refer to skills without a sign. */
const namesSkillsPlainly = (dialect: Dialect): boolean => dialect === 'agent-skill' || isOfClient(dialect);

/** A sign, a mark or a word beside a name, one of which every reference has. */
const MAY_NAME = /[/\\$`"'“‘「*_:([]\0|skill|スキル|技能|스킬/i;

/** Returns the text around a name, with a mark in place of the name. */
const around = (text: string, start: number, name: string): string =>
  `${text.slice(Math.max(0, start - 40), start)}\0${text.slice(start + name.length, start + name.length + 40)}`;

const IN_METADATA: ReadonlySet<CatalogDomain> = new Set(['tool', 'model']);

/** Returns the occurrences in all files, ordered by URI. */
export const occurrencesOf = (analysis: Analysis, target: SymbolTarget): readonly Occurrence[] =>
  filesNaming(analysis, target).flatMap((file) => occurrencesIn(analysis, file, target));

/** Returns the files that may name a target; for tools and catalog names, all files that contain the name. */
function filesNaming(analysis: Analysis, target: SymbolTarget): readonly SkillFile[] {
  const { graph } = analysis;
  switch (target.kind) {
    case 'skill': {
      const { name, first } = target;
      const uris = new Set([
        ...analysis.skillsNamed(name, first).map(({ uri }) => uri),
        ...(graph.mentionedBy.get(name) ?? []),
        ...analysis.catalogsNaming(name),
        ...plainUsers(analysis, name),
      ]);
      return graph.tools.has(name) ? textsWith(analysis, name) : inOrder(filesOf(analysis, uris));
    }
    case 'agent':
      return textsWith(analysis, target.name).filter(
        ({ uri, dialect }) => uri === target.uri || dialect === 'agent-skill' || clientFileOf(uri)?.kind === 'command',
      );
    case 'catalog':
      return textsWith(analysis, target.name).filter(({ uri }) => analysis.catalogOf(uri).uri === target.catalog);
    case 'field': {
      const home = analysis.file(target.uri);
      if (home?.dialect === 'catalog' || home?.summary.isTool) return textsWith(analysis, target.name);
      const skill = graph.skills.get(target.uri);
      const uris = new Set([target.uri, ...(skill ? filesUsingFields(graph, skill) : [])]);
      return inOrder(filesOf(analysis, uris));
    }
    default:
      return inOrder(filesOf(analysis, [target.uri]));
  }
}

/** Yields the files with the text of a name that may refer to skills without a sign. */
function* plainUsers({ index }: Analysis, name: string): Iterable<string> {
  for (const { uri, text, dialect } of index.files.values()) {
    if (namesSkillsPlainly(dialect) && text.includes(name)) yield uri;
  }
}

const filesOf = (analysis: Analysis, uris: Iterable<string>): readonly SkillFile[] =>
  [...uris].flatMap((uri) => analysis.file(uri) ?? []);

function textsWith(analysis: Analysis, name: string): readonly SkillFile[] {
  const found: SkillFile[] = [];
  for (const file of analysis.allFiles()) {
    if (file.isSkill && file.text.includes(name)) found.push(file);
  }
  return inOrder(found);
}

const inOrder = (files: readonly SkillFile[]): readonly SkillFile[] =>
  [...files].filter(({ isSkill }) => isSkill).sort((a, b) => (a.uri < b.uri ? -1 : 1));

/** Yields the spans in a string where a name is a whole word. */
function* wordSpans(text: string, name: string): Iterable<Span> {
  if (name === '') return;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? '';
    const after = text[at + name.length] ?? '';
    // The letter of an escape (`"\ntone"`) is not a part of the following word.
    const beginsWord = !WORD.test(before) || !WORD.test(name[0] ?? '') || text[at - 2] === '\\';
    const endsWord = !WORD.test(after) || !WORD.test(name.at(-1) ?? '');
    if (beginsWord && endsWord) yield span(at, at + name.length);
  }
}

const WORD = /\w/;

function distinct(spans: readonly Span[]): readonly Span[] {
  const byStart = new Map(spans.map((place) => [place.start, place]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

/** The declaration of a target; `file` is undefined for a tool snapshot, for which only the URI is known. */
export interface Declaration {
  readonly uri: string;
  readonly file: SkillFile | undefined;
  /** The span of only the name. */
  readonly span: Span;
}

/**
 * Returns the declarations of a target. If several skills have the name, the skill to which `from` resolves the name is
 * first.
 */
export function declarationsOf(analysis: Analysis, from: SkillFile, target: SymbolTarget): readonly Declaration[] {
  const at = (file: SkillFile | undefined, place: Span | undefined): readonly Declaration[] =>
    file && place ? [{ uri: file.uri, file, span: inner(file.text, place) }] : [];
  switch (target.kind) {
    case 'skill': {
      const meant = analysis.resolveSkill(from, target.name);
      const all = analysis.skillsNamed(target.name, target.first).flatMap(({ uri }) => analysis.file(uri) ?? []);
      const sorted = [...all.filter((one) => one.uri === meant?.uri), ...all.filter((one) => one.uri !== meant?.uri)];
      return sorted.flatMap((file) => at(file, file.contract.name?.span));
    }
    case 'agent': {
      const file = analysis.file(target.uri);
      const name = findValue(file?.frontmatter.tree.root, 'name');
      // An agent without a name has that of its file.
      return name ? at(file, name.span) : file ? [{ uri: file.uri, file, span: span(0, 0) }] : [];
    }
    case 'catalog': {
      const catalog = catalogAt(analysis, target.catalog);
      const known = catalog && namesOf(catalog, target.domain)?.get(target.name);
      if (!catalog || !known) return [];
      if (known.span) return at(analysis.file(known.uri ?? ''), known.span);
      if (!known.uri) return [];
      return [{ uri: `${catalog.folder}/${SNAPSHOT_NAME}`, file: undefined, span: span(0, 0) }];
    }
    case 'artifact': {
      const file = analysis.file(target.uri);
      return (file?.body?.artifacts ?? []).flatMap((artifact) =>
        artifact.name === target.name && (!target.artifactKind || artifact.kind === target.artifactKind)
          ? at(file, artifact.nameSpan ?? artifact.kindSpan)
          : [],
      );
    }
    case 'step': {
      const file = analysis.file(target.uri);
      return (file?.contract.composes ?? []).flatMap(({ as }) => (as?.name === target.name ? at(file, as.span) : []));
    }
    case 'stage': {
      const file = analysis.file(target.uri);
      const stages = file?.body ? allStages(file.text, file.body) : [];
      return stages.flatMap(({ name, nameSpan }) => (name === target.name ? at(file, nameSpan) : []));
    }
    case 'flow': {
      const file = analysis.file(target.uri);
      return (file?.contract.composes ?? []).flatMap((entry) => {
        const mapped = pairsOf(entry.outputMapping);
        const given = mapped.flatMap(({ to, toSpan }) => (to === target.name ? at(file, toSpan) : []));
        if (given.length > 0 || mapped.some(({ from }) => from === target.name)) return given;
        // Without a mapping, an output enters the flow under its own name.
        const skill = file && analysis.resolveSide(file, entry.name, 'output');
        const field = skill?.contract.output?.schema.fields.find(({ name }) => name === target.name);
        return at(skill, field?.keySpan);
      });
    }
    case 'field':
      return at(analysis.file(target.uri), target.key);
    case 'local':
      return target.definitions.flatMap((place) => at(analysis.file(target.uri), place));
  }
}

type Catalog = NonNullable<ReturnType<typeof catalogAt>>;

/** Returns the catalog at a URI; undefined for the empty URI. */
export const catalogAt = ({ index }: Analysis, uri: string) => index.catalogs.find((one) => one.uri === uri);

export function namesOf(catalog: Catalog, domain: CatalogDomain) {
  return catalog[`${domain}s`];
}
