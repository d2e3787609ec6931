/** Links that lead nowhere in the Markdown files beside a `SKILL.md`. They are told where the `SKILL.md` leads there. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Draft, RelatedPlace } from '../../../finding.ts';
import { inWords } from '../../../nearest.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { folderOf } from '../../../vocabulary/dialect.ts';
import { isMeantAsCode } from '../../../workspace/misread-fences.ts';
import { type Neighbour, neighbourLinks, neighboursOf } from '../../../workspace/neighbours.ts';
import type { SkillFolder } from '../../../workspace/skill-folder.ts';
import { brokenAnchors } from './broken-anchors.ts';
import { isPlaceholder } from './nearby.ts';

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
