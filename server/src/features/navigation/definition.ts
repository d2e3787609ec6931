/** Definitions, references, highlights and document links. */
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentLink,
  type Location,
  type LocationLink,
} from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { MarkdownFile } from '../../skill/markdown-file.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { anchorTargets, linkTargets } from '../../skill-folder/links.ts';
import { mentions } from '../../skill-folder/mentioned-files.ts';
import { findAnchor } from '../../skill-folder/misread-fences.ts';
import { type Span, span, touches } from '../../text.ts';
import { resolvedReferences } from '../../workspace/resolve-skill.ts';
import type { Locate, Located } from '../locate.ts';
import { type Declaration, declarationsOf, occurrencesIn, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import { skillTarget } from '../symbol/target.ts';

/** Returns links if the client supports links, otherwise locations; the most likely target is first. */
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

/** A declaration, or the target of a link. */
type LinkedPlace = Omit<Declaration, 'file'> & { readonly file: Located | undefined };

const START = { line: 0, character: 0 };

const locationOf = ({ uri, file, span }: LinkedPlace, locate: Locate): Location => ({
  uri,
  range: file ? locate.range(file, span) : { start: START, end: START },
});

/** Returns the occurrences of the symbol under the cursor in all files. */
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

/** Returns the occurrences of the symbol under the cursor in one file; declarations and assignments are writes. */
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

/** The skills that some files define and other files use, and the locations of these uses. */
interface UsesOfFiles {
  readonly skills: readonly string[];
  readonly places: readonly Location[];
}

/** Returns the sure uses of skills in the files or folders `uris`, without skills that another file also defines. */
export function usesOfFiles(analysis: Analysis, uris: readonly string[], locate: Locate): UsesOfFiles {
  const isOne = (uri: string) => uris.some((one) => uri === one || uri.startsWith(`${one}/`));
  const defined = new Map(
    [...analysis.graph.skills.values()].flatMap(({ uri, summary }) =>
      isOne(uri) && summary.name !== undefined ? [[summary.name, uri] as const] : [],
    ),
  );
  const used = [...defined.keys()].sort().map((name) => {
    const isLeft = [...(analysis.graph.byName.get(name) ?? [])].some((uri) => !isOne(uri));
    const others = isLeft
      ? []
      : occurrencesOf(analysis, skillTarget(analysis, name, defined.get(name))).filter(
          ({ file, isSure }) => isSure && !isOne(file.uri),
        );
    return { name, places: others.map(({ file, span }) => ({ uri: file.uri, range: locate.range(file, span) })) };
  });
  const missed = used.filter(({ places }) => places.length > 0);
  return { skills: missed.map(({ name }) => name), places: missed.flatMap(({ places }) => places) };
}

/**
 * Returns the links to existing files, to skills, and to the sources of a catalog's tools; a rule reports broken links.
 * The target of a link to a heading contains the heading's line number, which editors support.
 */
export function documentLinks(analysis: Analysis, file: SkillFile, locate: Locate): DocumentLink[] {
  const toFiles = foundLinks(analysis, file).map(({ span, uri, place }) => {
    const line = place && locate.range(place.file, place.span).start.line + 1;
    return { range: locate.range(file, span), target: line === undefined ? uri : `${uri}#L${line}` };
  });
  const toSkills = resolvedReferences(analysis.graph, file).flatMap(({ form, name, span }) => {
    const skill = form === 'link' || form === 'path' ? undefined : analysis.resolveSkill(file, name);
    return skill && skill.uri !== file.uri ? [{ range: locate.range(file, span), target: skill.uri }] : [];
  });
  return [...toFiles, ...toSkills];
}

/** A link, or a path in code, with the file or the heading to which it refers. */
interface FoundLink {
  /** The span of the link target as written. */
  readonly span: Span;
  readonly uri: string;
  /** The heading and its file; undefined if the link has no heading or the text of the file is unknown. */
  readonly place: { readonly file: MarkdownFile; readonly span: Span } | undefined;
}

/** Returns the links to existing files and headings; a rule reports broken links. */
function foundLinks(analysis: Analysis, file: SkillFile): readonly FoundLink[] {
  const isThere = (uri: string) => analysis.exists(uri) ?? analysis.file(uri) !== undefined;
  const anchors = file.dialect === 'agent-skill' ? anchorTargets(file) : [];
  const written = linkTargets(file).map(({ uri, span: place }) => ({ uris: filesAt(file, uri), span: place }));
  const named = mentions(file).map(({ of: { uris }, span: place }) => ({ uris, span: place }));
  const files = [...written, ...named].flatMap(({ uris, span: place }): FoundLink[] => {
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

/** Returns the files to open for the target of a link. A path in a manifest may be the folder of a skill or a plugin. */
const filesAt = ({ dialect }: SkillFile, uri: string): readonly string[] =>
  dialect !== 'plugin'
    ? [uri]
    : [`${uri}/SKILL.md`, `${uri}/.claude-plugin/plugin.json`, ...(/\.\w+$/.test(uri) ? [uri] : [])];

const linkAt = (analysis: Analysis, file: SkillFile, offset: number): FoundLink | undefined =>
  foundLinks(analysis, file).find((link) => touches(link.span, offset));

function placeOf(analysis: Analysis, from: SkillFile, uri: string, anchor: string | undefined): FoundLink['place'] {
  const file = analysis.file(uri) ?? analysis.folder(from.uri)?.findMarkdown(uri);
  const heading = file && anchor !== undefined ? findAnchor(file, anchor) : undefined;
  return file && heading ? { file, span: heading } : undefined;
}
