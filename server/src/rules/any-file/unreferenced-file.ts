import type { Analysis } from '../../analysis/analysis.ts';
import { fixHere } from '../../finding.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { inWords, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets, resolvePath } from '../../skill-folder/links.ts';
import { mentionedFiles } from '../../skill-folder/mentioned-files.ts';
import { referencedPaths, repositoryMark } from '../../skill-folder/referenced-files.ts';
import type { SkillFolder } from '../../skill-folder/skill-folder.ts';
import { isSupportFile, unnamedFiles } from '../../skill-folder/unnamed-files.ts';
import { lineEnd, type Span, span } from '../../text.ts';
import { decoded, fileNameOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { addedLinks } from './links.ts';

/** The largest number of files in a message, and of related locations. */
const MAX_LISTED = 5;

/** Reports, in one finding, all files of a skill to which no text refers. */
export const unreferencedFile: Rule = {
  name: 'unreferenced-file',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'Agent Skills: an agent reads a bundled file when the text refers to it' },
  dialects: ['agent-skill'],
  isDecided: (file, analysis) => analysis.folder(file.uri) !== undefined,
  *check(file, analysis) {
    const folder = analysis.folder(file.uri);
    if (!folder?.isComplete || isOfRepository(file, analysis)) return;
    const paths = findUnreferenced(file, analysis, folder);
    if (paths.length === 0) return;
    const listed = paths.slice(0, MAX_LISTED).map((path) => ({ path, uri: resolvePath(folder.uri, path) }));
    yield {
      span: placeIn(file),
      message: messageOf(paths),
      fixes:
        paths.length > MAX_LISTED
          ? []
          : fixHere(file, paths.length === 1 ? `Link to \`${paths[0]}\`` : 'Link to these files', [
              addedLinks(file, folder, paths),
            ]),
      related: listed.map(({ uri }) => ({ uri, span: span(0, 0), message: 'No text refers to this file' })),
    };
  },
};

/** Returns whether the skill is at the root of a repository, which has files that do not belong to the skill. */
const isOfRepository = ({ uri }: SkillFile, analysis: Analysis): boolean =>
  analysis.exists(repositoryMark(uri)) === true;

function findUnreferenced(file: SkillFile, analysis: Analysis, folder: SkillFolder): readonly string[] {
  // Only folders in which the skill refers to a file are checked. Clients may list the other folders.
  const referenced = new Set(referencedPaths(file, folder));
  const shown = new Set([...referenced].flatMap((path) => (isSupportFile(path) ? [] : folderIn(path))));
  const candidates = folder.files.filter(
    ({ path, text }) =>
      shown.has(folderIn(path)) &&
      !referenced.has(path) &&
      !isSupportFile(path) &&
      // A path without an extension and without text may be a link to a folder.
      (text !== undefined || fileNameOf(path).includes('.')),
  );
  const paths = unnamedFiles(file, folder, candidates, referenced).map(({ path }) => path);
  if (paths.length === 0) return [];
  // A misspelt name counts as a reference to the file, and is reported as a broken link.
  const missing = [...linkTargets(file), ...mentionedFiles(file).map(({ uris: [uri = ''] }) => ({ uri }))]
    .filter(({ uri }) => analysis.exists(uri) === false)
    .map(({ uri }) => decoded(fileNameOf(uri)));
  const meant = new Set(missing.flatMap((name) => [name, ...nearestNames(name, paths.map(fileNameOf), 1)]));
  return paths.filter((path) => !meant.has(fileNameOf(path)));
}

const folderIn = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function messageOf(paths: readonly string[]): string {
  const [first, ...others] = paths;
  if (others.length === 0) {
    return `Nothing in this skill refers to \`${first}\`, so agents may not find it. Link to it, or remove the file.`;
  }
  const left = paths.length - MAX_LISTED;
  const list =
    left > 0
      ? `${paths
          .slice(0, MAX_LISTED)
          .map((path) => `\`${path}\``)
          .join(', ')} and ${left} more`
      : inWords(paths, 'and');
  return `Nothing in this skill refers to ${paths.length} of its files, so agents may not find them: ${list}. Link to them, or remove the files.`;
}

/** Returns the span of the skill's name, because the text does not mention the files. */
function placeIn({ frontmatter, text, lines }: SkillFile): Span {
  const name = findEntry(frontmatter.tree.root, 'name')?.value;
  return name?.span ?? span(0, lineEnd(text, lines, 0));
}
