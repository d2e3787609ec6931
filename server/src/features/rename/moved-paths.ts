/** Changes the paths to and from files and folders that move, so that they lead to the same files as before. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../skill-folder/links.ts';
import { mentions } from '../../skill-folder/mentioned-files.ts';
import { changedSegments, relativePath } from '../../skill-folder/paths.ts';
import { manifestPaths } from '../../skill-folder/plugins.ts';
import { type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { decoded, fileNameOf, folderOf, resolvePath } from '../../vocabulary/dialect.ts';
import { resolveReference } from '../../workspace/resolve-skill.ts';
import { skillMentions } from '../../workspace/skill-mentions.ts';
import { type Move, movedUri } from './plan.ts';

/** Returns the edits under the URIs before the moves, for each file with such paths; ordered by URI. Never throws. */
export function movedPathEdits(analysis: Analysis, moves: readonly Move[]): readonly FileEdits[] {
  const isMoved = (uri: string): boolean => movedUri(uri, moves) !== uri;
  const { files } = analysis.index;
  // The client cannot move a file to the place of another one.
  if ([...files.keys()].some((uri) => isMoved(uri) && files.has(movedUri(uri, moves)))) return [];
  // A path into a moved folder from outside contains the name of the folder.
  const names = moves.flatMap(({ from }) => [fileNameOf(from), decoded(fileNameOf(from))]);
  const mayChange = ({ uri, text }: { readonly uri: string; readonly text: string }): boolean =>
    isMoved(uri) || names.some((name) => text.includes(name));
  return [...files.values()]
    .filter(mayChange)
    .sort((a, b) => (a.uri < b.uri ? -1 : 1))
    .flatMap(({ uri }): readonly FileEdits[] => {
      const file = analysis.file(uri);
      const edits = file?.isSkill ? editsIn(analysis, file, moves) : [];
      return edits.length > 0 ? [{ uri, edits }] : [];
    });
}

/** A path with the file or folder to which it leads. */
interface WrittenPath {
  readonly span: Span;
  readonly target: string;
  /** The URI of the folder to which the path is relative. */
  readonly base: string;
}

function editsIn(analysis: Analysis, file: SkillFile, moves: readonly Move[]): readonly TextEdit[] {
  const found = [
    ...pathsIn(file),
    ...mentionedPaths(analysis, file, moves),
    ...pathsInText(analysis, file, moves),
  ].flatMap(({ span: place, target, base }) => {
    const newBase = movedUri(base, moves);
    const newTarget = movedUri(target, moves);
    const written = sliceOf(file.text, place);
    const isSame = newTarget === target && newBase === base;
    if (isSame || analysis.exists(target) === false || resolvePath(newBase, decoded(written)) === newTarget) return [];
    return changedSegments(place, written, relativePath(newBase, newTarget, written));
  });
  const sorted = found.sort((a, b) => a.span.start - b.span.start);
  return sorted.filter((one, at) => (sorted[at - 1]?.span.end ?? 0) <= one.span.start);
}

/** Returns the links of a file, and the paths in a manifest. */
function pathsIn(file: SkillFile): readonly WrittenPath[] {
  if (file.dialect === 'plugin')
    return manifestPaths(file).map(({ uri, span, folder }) => ({ span, target: uri, base: folder }));
  return linkTargets(file).map(({ uri, span: { start, end }, base = folderOf(file.uri) }) => {
    const [path = ''] = /^[^?#]*/.exec(file.text.slice(start, end)) ?? [];
    return { span: span(start, start + path.length), target: uri, base };
  });
}

/** Returns the paths of files that the text names without a link, each from the folder to which it is relative. */
const mentionedPaths = (analysis: Analysis, file: SkillFile, moves: readonly Move[]): readonly WrittenPath[] =>
  mentions(file).flatMap(({ of: { uris, base, mark }, span: { start, end } }) => {
    const isThere = (uri: string) => analysis.exists(uri) !== false;
    const target = uris.find((uri) => isThere(uri) && movedUri(uri, moves) !== uri) ?? uris.find(isThere);
    if (target === undefined || sliceOf(file.text, span(start, end)).includes('\\')) return [];
    if (mark === 'skills') {
      const path = decoded(target.slice(base.length + 1));
      return target.startsWith(`${base}/`) ? [{ span: span(end - path.length, end), target, base }] : [];
    }
    const levels = sliceOf(file.text, span(start, end)).split('/').length;
    const folder = Array.from({ length: levels }).reduce<string>(folderOf, target);
    return [{ span: span(start, end), target, base: folder }];
  });

/** Returns the paths to skills in prose and in commands, each from its beginning to the folder of the skill. */
const pathsInText = (analysis: Analysis, file: SkillFile, moves: readonly Move[]): readonly WrittenPath[] =>
  skillMentions(file).flatMap((mention) => {
    const { form, path, nameSpan } = mention;
    const skill = form === 'path' ? resolveReference(analysis.graph, file, mention) : undefined;
    if (!skill || path.includes('\\')) return [];
    const target = folderOf(skill.uri);
    // The beginning, such as `./` or `${ROOT}/`, remains.
    const [, rest = path] = /^(?:.*[$}~%]\w*\/|@?(?:\.\/)*)?(.*)$/.exec(path) ?? [];
    const isRelative = path.startsWith('../');
    if (!isRelative && !target.endsWith(`/${rest}`)) return [];
    const base = isRelative ? folderOf(file.uri) : target.slice(0, -rest.length - 1);
    // The folder to which the path is relative is not known, so a path out of it cannot be written.
    if (!isRelative && !movedUri(target, moves).startsWith(`${movedUri(base, moves)}/`)) return [];
    return [{ span: span(nameSpan.end - rest.length, nameSpan.end), target, base }];
  });
