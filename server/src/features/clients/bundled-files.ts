/** The files that the body of a `SKILL.md` leads to, which a model reads when it needs them. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { BundledFile } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../workspace/links.ts';

/** Each file once, in the order of the body. */
export function bundledFiles(analysis: Analysis, file: SkillFile): readonly BundledFile[] {
  const files = new Map<string, BundledFile>();
  for (const { uri, path, span } of linkTargets(file)) {
    if (uri === file.uri || files.has(uri)) continue;
    const isThere = analysis.exists(uri);
    files.set(uri, { uri, path, link: { uri: file.uri, span }, ...(isThere !== undefined && { isThere }) });
  }
  return [...files.values()];
}
