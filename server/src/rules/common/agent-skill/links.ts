/** Links that lead nowhere in the Markdown files beside a `SKILL.md`. They are told where the `SKILL.md` leads there. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Draft, RelatedPlace } from '../../../finding.ts';
import { didYouMean, inWords, nearestNames } from '../../../nearest.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { lineAt, lineBreakOf, lineEnd, type Span, span, type TextEdit } from '../../../text.ts';
import { decoded, fileNameOf, folderOf } from '../../../vocabulary/dialect.ts';
import { anchorTargets, linkTargets, resolvePath } from '../../../workspace/links.ts';
import { anchorsIn, findAnchor, isMeantAsCode, isNameOfPlace } from '../../../workspace/misread-fences.ts';
import { type Neighbour, nearbyFiles, neighbourLinks, neighboursOf } from '../../../workspace/neighbours.ts';
import type { SkillFolder } from '../../../workspace/skill-folder.ts';
import { fixHere } from '../../rule.ts';

/** What is to be filled in leads somewhere else once it is filled in. */
const MATERIAL = /(?:^|\/)(?:assets|templates?|examples?|fixtures)\//i;

/** So many links are named in a message. */
const MAX_TOLD = 5;

/** One finding for each file with such links. */
export function* draftsBeside(skill: SkillFile, analysis: Analysis, folder: SkillFolder | undefined): Iterable<Draft> {
  if (!folder) return;
  for (const neighbour of neighboursOf(skill, folder)) {
    if (MATERIAL.test(neighbour.path)) continue;
    const broken = brokenIn(neighbour, analysis, folder);
    if (broken.length > 0) yield draftOf(neighbour, broken);
  }
}

interface BrokenLink {
  /** As written. */
  readonly address: string;
  readonly span: Span;
}

function brokenIn({ file }: Neighbour, analysis: Analysis, folder: SkillFolder): readonly BrokenLink[] {
  const files = neighbourLinks(file, folder).flatMap(({ path, span, uris }) => {
    const isGone = uris.every((uri) => analysis.exists(uri) === false);
    return isGone && isMeant(path, uris, folder) && !isMeantAsCode(file, span) ? [{ address: path, span }] : [];
  });
  const anchors = brokenAnchors(file, (uri) => folder.findMarkdown(uri)).map(({ path, anchor, span }) => ({
    address: `${path}#${anchor}`,
    span,
  }));
  return [...files, ...anchors].sort((a, b) => a.span.start - b.span.start);
}

/** Examples link to code and to words; a link is meant where it leads to Markdown, or into a folder that is there. */
function isMeant(path: string, uris: readonly string[], folder: SkillFolder): boolean {
  if (isPlaceholder(path) || /^~|(?:^|\/)path\/to\//.test(path)) return false;
  const isMarkdown = /\.(?:md|markdown|mdx)$/i.test(path);
  return isMarkdown || (path.includes('/') && uris.some((uri) => folder.hasFolder(folderOf(uri))));
}

function draftOf({ file, path, via }: Neighbour, broken: readonly BrokenLink[]): Draft {
  const addresses = [...new Set(broken.map(({ address }) => address))];
  const told = addresses.slice(0, MAX_TOLD);
  const left = addresses.length - told.length;
  const list = left > 0 ? `${told.map((one) => `\`${one}\``).join(', ')} and ${left} more` : inWords(told, 'and');
  return {
    span: via,
    // Whoever follows the first link has found something.
    severity: 'hint',
    message: `\`${path}\`, to which this leads, links to ${list}, and ${addresses.length === 1 ? 'that is' : 'those are'} not there. Correct ${addresses.length === 1 ? 'the link' : 'the links'} in that file.`,
    related: broken
      .slice(0, MAX_TOLD)
      .map(({ address, span }): RelatedPlace => ({ uri: file.uri, span, message: `\`${address}\` is not there.` })),
  };
}

/** Links to a heading that is not there, in a file that is. */
interface BrokenAnchor {
  readonly anchor: string;
  readonly span: Span;
  /** The path as written; empty for one within the file. */
  readonly path: string;
  /** The anchors of headings that may be meant, best first. */
  readonly near: readonly string[];
}

/** The links of a file of a skill whose heading is missing. What is not known to be Markdown that was read is passed over. */
function brokenAnchors(file: SkillFile, find: (uri: string) => SkillFile | undefined): readonly BrokenAnchor[] {
  return anchorTargets(file).flatMap(({ uri, path, anchor, span }) => {
    const target = uri === file.uri ? file : find(uri);
    const isRead = target?.body && target.body.scanned.length === 0;
    if (!isRead || !isNameOfPlace(anchor) || findAnchor(target, anchor) || isMeantAsCode(file, span)) return [];
    const known = anchorsIn(target).headings.map((one) => one.anchor);
    return [{ anchor, span, path, near: nearestNames(anchor, known, 1) }];
  });
}

export function* anchorDrafts(file: SkillFile, analysis: Analysis, folder: SkillFolder | undefined): Iterable<Draft> {
  const find = (uri: string) => analysis.file(uri) ?? folder?.findMarkdown(uri);
  for (const { anchor, span, path, near } of brokenAnchors(file, find)) {
    const where = path === '' ? 'in this file' : `in \`${path}\``;
    yield {
      span,
      // The file is found all the same.
      severity: 'hint',
      message: `There is no heading \`#${anchor}\` ${where}, so that the link leads to its beginning.${didYouMean(near.map((name) => `#${name}`))}`,
      fixes: near.flatMap((name) => fixHere(file, `Replace with \`#${name}\``, [{ span, newText: name }])),
    };
  }
}

// The file that an address which leads nowhere may mean.

/** The path below the folder whose letters differ in nothing but their case. */
export function findOtherCase(folder: SkillFolder | undefined, uri: string): string | undefined {
  const path = folder?.pathOf(uri);
  if (!folder?.isWhole || path === undefined || folder.has(uri)) return undefined;
  return folder.files.find((file) => file.path.toLowerCase() === path.toLowerCase())?.path;
}

/** The path of the one file of the same name in the folder; undefined where there is none, or more than one. */
export function findNearby(file: SkillFile, analysis: Analysis, missing: string): string | undefined {
  const folder = analysis.folder(file.uri);
  const other = findOtherCase(folder, missing);
  if (other !== undefined) return other;
  const name = decoded(fileNameOf(missing)).toLowerCase();
  const near = folder
    ? folder.files.map(({ path }) => path).filter((path) => fileNameOf(path).toLowerCase() === name)
    : nearbyFiles(file, missing)
        .filter((uri) => analysis.exists(uri) === true)
        .map((uri) => decoded(uri.slice(folderOf(file.uri).length + 1)));
  return near.length === 1 && name.includes('.') ? near[0] : undefined;
}

/** A path that is meant to be filled in (`{baseDir}/x`, `<name>.md`, `$DIR/x`), or another repository beside this one. */
export const isPlaceholder = (path: string): boolean => /[{}<>$‹›…*]|\.\.\.|^(?:\.\.\/)+[^./]+$/.test(path);

/** The edit that adds links to files: below the last item of a list that links to others, else at the end. */
export function addedLinks(file: SkillFile, folder: SkillFolder, paths: readonly string[]): TextEdit {
  const { text, lines } = file;
  const items = linkTargets(file).flatMap(({ uri, span: { start } }) => {
    const line = lineAt(lines, start);
    const [, marker] = /^(\s{0,8}[-*+] )/.exec(text.slice(lines[line], start)) ?? [];
    return folder.has(uri) && marker !== undefined ? [{ end: lineEnd(text, lines, line), marker }] : [];
  });
  const newline = lineBreakOf(text);
  const linked = (marker: string) => paths.map((path) => `${marker}${linkTo(folder, path)}`).join(newline);
  const last = items.at(-1);
  if (last) return { span: span(last.end, last.end), newText: newline + linked(last.marker) };
  const end = text.trimEnd().length;
  return { span: span(end, text.length), newText: newline + newline + linked('- ') + newline };
}

function linkTo(folder: SkillFolder, path: string): string {
  const address = path.replace(/[\s()<>%?#]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const title = folder.findMarkdown(resolvePath(folder.uri, path))?.body?.headings[0]?.text.trim() ?? '';
  const isPlain = /^[\p{L}\p{N} ,.:'’&()/–—-]{1,80}$/u.test(title);
  return `[${isPlain ? title : fileNameOf(path).replace(/[[\]\\`<>*]/g, '')}](${address})`;
}
