/** The file, or the heading in it, that a link or a path in code leads to. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span, touches } from '../../text.ts';
import { findAnchor } from '../../workspace/headings.ts';
import { anchorTargets, linkTargets } from '../../workspace/links.ts';
import { mentionedFiles } from '../../workspace/mentioned-files.ts';

interface FoundLink {
  /** The address as written. */
  readonly span: Span;
  readonly uri: string;
  /** The file, where its text is known, and the heading in it. */
  readonly place: { readonly file: SkillFile; readonly span: Span } | undefined;
}

/** The links to files that are known to exist, and to headings; a rule reports the others. */
export function foundLinks(analysis: Analysis, file: SkillFile): readonly FoundLink[] {
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

export const linkAt = (analysis: Analysis, file: SkillFile, offset: number): FoundLink | undefined =>
  foundLinks(analysis, file).find((link) => touches(link.span, offset));

function placeOf(analysis: Analysis, from: SkillFile, uri: string, anchor: string | undefined): FoundLink['place'] {
  const file = analysis.file(uri) ?? analysis.folder(from.uri)?.findMarkdown(uri);
  const heading = file && anchor !== undefined ? findAnchor(file, anchor) : undefined;
  return file && heading ? { file, span: heading } : undefined;
}
