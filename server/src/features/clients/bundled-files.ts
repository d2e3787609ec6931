/** The files that the body of a `SKILL.md` leads to, which a model reads when it needs them. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { BundledFile } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { linkTargets } from '../../workspace/links.ts';
import { type MentionedFile, mentionedFiles } from '../../workspace/mentioned-files.ts';

interface Named {
  readonly uri: string;
  readonly path: string;
  readonly span: Span;
  readonly isThere: boolean | undefined;
}

/** Each file once, in the order of the body: those that it links to, and those that its code and commands name. */
export function bundledFiles(analysis: Analysis, file: SkillFile): readonly BundledFile[] {
  const linked = linkTargets(file).map((target): Named => ({ ...target, isThere: analysis.exists(target.uri) }));
  const mentioned = mentionedFiles(file).flatMap((mention) => findNamed(analysis, mention));
  const files = new Map<string, BundledFile>();
  for (const { uri, path, span, isThere } of [...linked, ...mentioned].sort((a, b) => a.span.start - b.span.start)) {
    if (uri === file.uri || files.has(uri)) continue;
    files.set(uri, { uri, path, link: { uri: file.uri, span }, ...(isThere !== undefined && { isThere }) });
  }
  return [...files.values()];
}

/** A path in code may be that of the project: one that is missing counts where the skill has such a folder. */
function findNamed(analysis: Analysis, { uris, path, span, folder }: MentionedFile): readonly Named[] {
  const own = uris[0] ?? folder;
  const there = uris.find((uri) => analysis.exists(uri) === true);
  if (there !== undefined) return [{ uri: there, path, span, isThere: true }];
  if (analysis.exists(own) === undefined) return [{ uri: own, path, span, isThere: undefined }];
  return analysis.exists(folder) === true ? [{ uri: own, path, span, isThere: false }] : [];
}
