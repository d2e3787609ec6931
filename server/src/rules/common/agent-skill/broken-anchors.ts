/** Links to a heading that is not there, in a file that is. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Draft } from '../../../finding.ts';
import { didYouMean, nearestNames } from '../../../nearest.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { anchorsIn, findAnchor, isNameOfPlace } from '../../../workspace/headings.ts';
import { anchorTargets } from '../../../workspace/links.ts';
import { isMeantAsCode } from '../../../workspace/misread-fences.ts';
import type { SkillFolder } from '../../../workspace/skill-folder.ts';
import { fixHere } from '../../rule.ts';

export interface BrokenAnchor {
  readonly anchor: string;
  readonly span: Span;
  /** The path as written; empty for one within the file. */
  readonly path: string;
  /** The anchors of headings that may be meant, best first. */
  readonly near: readonly string[];
}

/** The links of a file of a skill whose heading is missing. What is not known to be Markdown that was read is passed over. */
export function brokenAnchors(file: SkillFile, find: (uri: string) => SkillFile | undefined): readonly BrokenAnchor[] {
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
