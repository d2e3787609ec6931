/**
 * Broken links in the Markdown files of a skill. A broken link is reported at the link from the `SKILL.md` to the file
 * with the broken link.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, RelatedLocation } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { closestTypo, didYouMean, inWords, isOtherVersion, nearestNames } from '../../nearest.ts';
import type { MarkdownFile } from '../../skill/markdown-file.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { anchorTargets, type LinkTarget, linkTargets, resolvePath } from '../../skill-folder/links.ts';
import { anchorsIn, findAnchor, isNameOfPlace } from '../../skill-folder/misread-fences.ts';
import { changedSegments, relativePath } from '../../skill-folder/paths.ts';
import { manifestPaths } from '../../skill-folder/plugins.ts';
import { nearbyFiles, type ReferencedFile, referencedFiles } from '../../skill-folder/referenced-files.ts';
import { isOnlyShown } from '../../skill-folder/shown-text.ts';
import type { SkillFolder } from '../../skill-folder/skill-folder.ts';
import { lineAt, lineBreakOf, lineEnd, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';

/** Paths of templates and examples. A link in a template may be valid only in a file that is made from the template. */
const EXAMPLE_PATH = /(?:^|\/)(?:assets|templates?|examples?|fixtures)\/|(?:^|[/_.-])template(?=[_.-])[^/]*$/i;

/** The maximum number of links in a message. */
const MAX_LISTED = 5;

/** Reports each file in a skill's folder that has broken links. */
export function* brokenLinkDrafts(
  skill: SkillFile,
  analysis: Analysis,
  folder: SkillFolder | undefined,
): Iterable<Draft> {
  if (!folder) return;
  for (const neighbour of referencedFiles(skill, folder)) {
    if (EXAMPLE_PATH.test(neighbour.path)) continue;
    const broken = brokenIn(neighbour, analysis, folder);
    if (broken.length > 0) yield draftOf(neighbour, broken);
  }
}

interface BrokenLink {
  /** The address as written. */
  readonly address: string;
  readonly span: Span;
}

function brokenIn({ file, links }: ReferencedFile, analysis: Analysis, folder: SkillFolder): readonly BrokenLink[] {
  const files = links.flatMap(({ path, span, uris }) => {
    const isGone = uris.every((uri) => analysis.exists(uri) === false);
    return isGone && isRealLink(path, uris, folder) && !isOnlyShown(file, span) ? [{ address: path, span }] : [];
  });
  const anchors = [...brokenAnchors(file, (uri) => folder.findMarkdown(uri))].map(({ path, anchor, span }) => ({
    address: `${path}#${anchor}`,
    span,
  }));
  return [...files, ...anchors].sort((a, b) => a.span.start - b.span.start);
}

/** Returns true if a link is not an example: its target is a Markdown file or is in an existing folder. */
function isRealLink(path: string, uris: readonly string[], folder: SkillFolder): boolean {
  if (isPlaceholder(path) || /^~|(?:^|\/)path\/to\//.test(path)) return false;
  const isMarkdown = /\.(?:md|markdown|mdx)$/i.test(path);
  return isMarkdown || (path.includes('/') && uris.some((uri) => folder.hasFolder(folderOf(uri))));
}

function draftOf({ file, path, via }: ReferencedFile, broken: readonly BrokenLink[]): Draft {
  const addresses = [...new Set(broken.map(({ address }) => address))];
  const listed = addresses.slice(0, MAX_LISTED);
  const left = addresses.length - listed.length;
  const list = left > 0 ? `${listed.map((one) => `\`${one}\``).join(', ')} and ${left} more` : inWords(listed, 'and');
  return {
    span: via,
    // The finding is only a hint, because the link in the `SKILL.md` itself is valid.
    severity: 'hint',
    message: `\`${path}\` links to ${list}, which ${addresses.length === 1 ? 'does' : 'do'} not exist. Correct ${addresses.length === 1 ? 'the link' : 'the links'} in that file.`,
    related: broken
      .slice(0, MAX_LISTED)
      .map(({ address, span }): RelatedLocation => ({ uri: file.uri, span, message: `\`${address}\` does not exist` })),
  };
}

/** A link to a missing heading in an existing file. */
interface BrokenAnchor {
  readonly anchor: string;
  readonly span: Span;
  /** The path as written; empty for a link within the file. */
  readonly path: string;
  /** The file without the heading. */
  readonly target: MarkdownFile;
}

/** Yields the links in a file to missing headings. Links to files that were not read as Markdown are skipped. */
function* brokenAnchors(file: MarkdownFile, find: (uri: string) => MarkdownFile | undefined): Iterable<BrokenAnchor> {
  for (const { uri, path, anchor, span } of anchorTargets(file)) {
    const target = uri === file.uri ? file : find(uri);
    if (!target?.body || target.body.scanned.length > 0) continue;
    if (isNameOfPlace(anchor) && !findAnchor(target, anchor) && !isOnlyShown(file, span))
      yield { anchor, span, path, target };
  }
}

/** Reports the links in a file to missing headings. */
export function* anchorDrafts(file: SkillFile, analysis: Analysis, folder: SkillFolder | undefined): Iterable<Draft> {
  const find = (uri: string) => analysis.file(uri) ?? folder?.findMarkdown(uri);
  for (const { anchor, span, path, target } of brokenAnchors(file, find)) {
    const known = anchorsIn(target).headings.map((one) => one.anchor);
    const near = nearestNames(anchor, known, 1);
    const where = path === '' ? 'in this file' : `in \`${path}\``;
    yield {
      span,
      // The link still opens the file.
      severity: 'hint',
      message: `Heading \`#${anchor}\` does not exist ${where}.${didYouMean(near.map((name) => `#${name}`))}`,
      fixes: near.flatMap((name) => fixHere(file, `Replace with \`#${name}\``, [{ span, newText: name }])),
    };
  }
}

// Suggestions for broken links.

/**
 * Returns the path in the folder that differs from the path of `uri` only in letter case; undefined if there is none.
 */
export function findOtherCase(folder: SkillFolder | undefined, uri: string): string | undefined {
  const path = folder?.pathOf(uri);
  if (!folder?.isComplete || path === undefined || folder.has(uri)) return undefined;
  return folder.files.find((file) => file.path.toLowerCase() === path.toLowerCase())?.path;
}

/**
 * Returns the path in the folder that has the same letters as the path of `uri` in another Unicode form, such as `e` with a
 * separate accent, as macOS writes it; undefined if there is none.
 */
export function findOtherForm(folder: SkillFolder | undefined, uri: string): string | undefined {
  const path = folder?.pathOf(uri)?.normalize('NFC');
  if (!folder?.isComplete || path === undefined || folder.has(uri)) return undefined;
  return folder.files.find((file) => file.path.normalize('NFC') === path)?.path;
}

/**
 * Returns the path of the only file in the folder with the same name, otherwise of the file beside it whose name is
 * misspelt or has another extension; undefined if no file or several files have that name.
 */
export function findMovedFile(file: SkillFile, analysis: Analysis, missing: string): string | undefined {
  const folder = analysis.folder(file.uri);
  const other = findOtherForm(folder, missing) ?? findOtherCase(folder, missing);
  if (other !== undefined) return other;
  const name = decoded(fileNameOf(missing)).toLowerCase();
  const near = folder
    ? folder.files.map(({ path }) => path).filter((path) => fileNameOf(path).toLowerCase() === name)
    : nearbyFiles(file, missing)
        .filter((uri) => analysis.exists(uri) === true)
        .map((uri) => decoded(uri.slice(folderOf(file.uri).length + 1)));
  if (near.length > 0) return near.length === 1 && name.includes('.') ? near[0] : undefined;
  return folder && findMisspeltFile(folder, missing);
}

/**
 * Returns the path of the file in the same folder, and with the same extension, of which the name is a misspelling;
 * otherwise of the only file that differs in its extension.
 */
function findMisspeltFile(folder: SkillFolder, missing: string): string | undefined {
  const [, parent, name, extension] = /^(.*\/|)([^/]+)(\.\w+)$/.exec(folder.pathOf(missing) ?? '') ?? [];
  if (parent === undefined || name === undefined || extension === undefined) return undefined;
  const names = folder.files.flatMap(({ path }) => {
    const isBeside = path.startsWith(parent) && path.endsWith(extension);
    const other = path.slice(parent.length, -extension.length);
    return isBeside && !other.includes('/') && !isOtherVersion(name, other) ? [other] : [];
  });
  // A plural is another word in a list of keys, but not beside a missing file.
  const near = closestTypo(name, names) ?? names.find((other) => other === `${name}s` || name === `${other}s`);
  if (near !== undefined) return parent + near + extension;
  // A number after a dot belongs to a version.
  if (/^\.\d+$/.test(extension)) return undefined;
  const [other, ...more] = folder.files.filter(({ path }) => path.replace(/\.\w+$/, '') === parent + name);
  return more.length > 0 ? undefined : other?.path;
}

/**
 * Returns whether a path contains a placeholder (`{baseDir}/x`, `<name>.md`, `$DIR/x`) or refers to a repository beside
 * the current repository (`../name`).
 */
export const isPlaceholder = (path: string): boolean => /[{}<>$‹›…*]|\.\.\.|^(?:\.\.\/)+[^./]+$/.test(path);

/**
 * Returns the edit that adds links to files: after the last list item that links to a file in the folder, or at the end
 * of the text.
 */
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

/** Returns a path that leads to another file, and its edits; undefined if no path in this file can lead there. */
export function repointed(
  file: SkillFile,
  { span: place, path }: LinkTarget,
  uri: string,
): { readonly path: string; readonly edits: readonly TextEdit[] } | undefined {
  const manifest = file.dialect === 'plugin' ? manifestPaths(file) : undefined;
  const base = manifest ? manifest.find((one) => one.span.start === place.start)?.folder : folderOf(file.uri);
  // A path in a manifest must be in the folder of its plugin.
  if (base === undefined || (manifest && !uri.startsWith(`${base}/`))) return undefined;
  const [written = path] = /^[^?#]*/.exec(sliceOf(file.text, place)) ?? [];
  const after = relativePath(base, uri, written);
  const edits = changedSegments(span(place.start, place.start + written.length), written, after);
  return { path: decoded(after), edits };
}
