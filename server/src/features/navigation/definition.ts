/** Where the symbol under the cursor is declared: in this file, in another, in the catalog. */
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentLink,
  type Location,
  type LocationLink,
} from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span, touches } from '../../text.ts';
import { anchorTargets, linkTargets } from '../../workspace/links.ts';
import { mentionedFiles } from '../../workspace/mentioned-files.ts';
import { findAnchor } from '../../workspace/misread-fences.ts';
import { meantReferences } from '../../workspace/resolve-skill.ts';
import type { Locate } from '../locate.ts';
import { type Declaration, declarationsOf, occurrencesIn, occurrencesOf, targetAt } from '../symbol/occurrences.ts';

/** Links where the client takes them, else locations; the likeliest first. */
export function definition(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
  links: boolean,
): Location[] | LocationLink[] {
  const here = targetAt(analysis, file, offset);
  const link = here ? undefined : linkAt(analysis, file, offset);
  const origin = here?.span ?? link?.span;
  if (!origin) return [];
  const declared = here ? declarationsOf(analysis, file, here.target) : [];
  const linked = link ? [{ uri: link.uri, file: link.place?.file, span: link.place?.span ?? link.span }] : [];
  const places = [...declared, ...linked].map((place) => locationOf(place, locate));
  if (!links) return places;
  const originSelectionRange = locate.range(file, origin);
  return places.map(({ uri, range }) => ({
    originSelectionRange,
    targetUri: uri,
    targetRange: range,
    targetSelectionRange: range,
  }));
}

const START = { line: 0, character: 0 };

const locationOf = ({ uri, file, span }: Declaration, locate: Locate): Location => ({
  uri,
  range: file ? locate.range(file, span) : { start: START, end: START },
});

/** Every place that names the symbol under the cursor, over all files. */
export function references(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
  includeDeclaration: boolean,
): Location[] {
  const here = targetAt(analysis, file, offset);
  if (!here) return [];
  const declared = new Set(
    declarationsOf(analysis, file, here.target).map((place) => `${place.uri} ${place.span.start}`),
  );
  return occurrencesOf(analysis, here.target)
    .filter((one) => includeDeclaration || !declared.has(`${one.file.uri} ${one.span.start}`))
    .map((one) => ({ uri: one.file.uri, range: locate.range(one.file, one.span) }));
}

/** The places of one file that name the symbol under the cursor; declarations and assignments are writes. */
export function highlights(analysis: Analysis, file: SkillFile, offset: number, locate: Locate): DocumentHighlight[] {
  const here = targetAt(analysis, file, offset);
  if (!here) return [];
  const { target } = here;
  const written = new Set(
    declarationsOf(analysis, file, target)
      .filter(({ uri }) => uri === file.uri)
      .map(({ span }) => span.start),
  );
  if (target.kind === 'local') for (const { span, isWrite } of target.uses) if (isWrite) written.add(span.start);
  return occurrencesIn(analysis, file, target).map(({ span }) => ({
    range: locate.range(file, span),
    kind: written.has(span.start) ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}

/** Who names the skills of certain files, from without. */
interface UsesOfFiles {
  readonly skills: readonly string[];
  readonly places: readonly Location[];
}

/** Of the files, or all files in the folders, that are `uris`; skills that another file defines too are not missed. */
export function usesOfFiles(analysis: Analysis, uris: readonly string[], locate: Locate): UsesOfFiles {
  const isOne = (uri: string) => uris.some((one) => uri === one || uri.startsWith(`${one}/`));
  const names = new Set(
    [...analysis.graph.skills.values()].flatMap(({ uri, summary }) =>
      isOne(uri) && summary.name !== undefined ? [summary.name] : [],
    ),
  );
  const used = [...names].sort().map((name) => {
    const isLeft = analysis.skillsNamed(name).some(({ uri }) => !isOne(uri));
    const others = isLeft
      ? []
      : occurrencesOf(analysis, { kind: 'skill', name }).filter(({ file }) => !isOne(file.uri));
    return { name, places: others.map(({ file, span }) => ({ uri: file.uri, range: locate.range(file, span) })) };
  });
  const missed = used.filter(({ places }) => places.length > 0);
  return { skills: missed.map(({ name }) => name), places: missed.flatMap(({ places }) => places) };
}

// Links that an editor follows: to files beside the skill, to skills that it names, and to where a catalog's tools
// come from.

/** Only links to files that are known to exist; a rule reports the others. A heading is told by its line, as editors take it. */
export function documentLinks(analysis: Analysis, file: SkillFile, locate: Locate): DocumentLink[] {
  const toFiles = foundLinks(analysis, file).map(({ span, uri, place }) => {
    const line = place && locate.range(place.file, place.span).start.line + 1;
    return { range: locate.range(file, span), target: line === undefined ? uri : `${uri}#L${line}` };
  });
  const toSkills = meantReferences(analysis.graph, file).flatMap(({ form, name, span }) => {
    const skill = form === 'link' ? undefined : analysis.resolveSkill(file, name);
    return skill && skill.uri !== file.uri ? [{ range: locate.range(file, span), target: skill.uri }] : [];
  });
  return [...toFiles, ...toSkills];
}

// The file, or the heading in it, that a link or a path in code leads to.

interface FoundLink {
  /** The address as written. */
  readonly span: Span;
  readonly uri: string;
  /** The file, where its text is known, and the heading in it. */
  readonly place: { readonly file: SkillFile; readonly span: Span } | undefined;
}

/** The links to files that are known to exist, and to headings; a rule reports the others. */
function foundLinks(analysis: Analysis, file: SkillFile): readonly FoundLink[] {
  const isThere = (uri: string) => analysis.exists(uri) ?? analysis.file(uri) !== undefined;
  const anchors = file.dialect === 'agent-skill' ? anchorTargets(file) : [];
  const written = linkTargets(file).map((target) => ({ uris: [target.uri], span: target.span }));
  const files = [...written, ...mentionedFiles(file)].flatMap(({ uris, span: place }): FoundLink[] => {
    const uri = uris.find(isThere);
    const anchor = anchors.find((one) => one.span.end === place.end)?.anchor;
    return uri === undefined ? [] : [{ span: place, uri, place: placeOf(analysis, file, uri, anchor) }];
  });
  const own = anchors.flatMap(({ uri, path, anchor, span: place }): FoundLink[] => {
    const heading = path === '' ? findAnchor(file, anchor) : undefined;
    return heading ? [{ span: span(place.start - 1, place.end), uri, place: { file, span: heading } }] : [];
  });
  return [...files, ...own];
}

const linkAt = (analysis: Analysis, file: SkillFile, offset: number): FoundLink | undefined =>
  foundLinks(analysis, file).find((link) => touches(link.span, offset));

function placeOf(analysis: Analysis, from: SkillFile, uri: string, anchor: string | undefined): FoundLink['place'] {
  const file = analysis.file(uri) ?? analysis.folder(from.uri)?.findMarkdown(uri);
  const heading = file && anchor !== undefined ? findAnchor(file, anchor) : undefined;
  return file && heading ? { file, span: heading } : undefined;
}
