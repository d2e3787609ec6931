import type { Analysis } from '../../analysis/analysis.ts';
import { findMovedSkill } from '../../analysis/moved-skill.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, placesHere, withShortTexts } from '../../finding.ts';
import { closestName, nearestNames } from '../../nearest.ts';
import { namesProblem } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type LinkTarget, linkTargets, resolvePath } from '../../skill-folder/links.ts';
import { isInUsualFolder, type MentionedFile, mentionedFiles, mentions } from '../../skill-folder/mentioned-files.ts';
import { isPluginOfClaude } from '../../skill-folder/plugins.ts';
import { urisAbove } from '../../skill-folder/referenced-files.ts';
import { isOnlyShown } from '../../skill-folder/shown-text.ts';
import { type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName } from '../../vocabulary/dialect.ts';
import type { NotCheckedOut } from '../../workspace/workspace-index.ts';
import type { Rule } from '../engine/rule.ts';
import { reportedPaths } from '../manifest/invalid-plugin-manifest.ts';
import {
  anchorDrafts,
  brokenLinkDrafts,
  findMovedFile,
  findOtherCase,
  findOtherForm,
  isPlaceholder,
  repointed,
} from './links.ts';

/**
 * A link to a missing file or heading, a path in code that names a missing file of the skill or of a command's project, or a missing `from` file
 * in a catalog, or a path in the manifest of a plugin. The links in files that a `SKILL.md` links to are checked too.
 */
export const brokenLink: Rule = {
  name: 'broken-link',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 9' },
  dialects: ['composer', 'agent-skill', 'catalog', 'plugin', 'client-file'],
  readsBroken: true,
  *check(file, analysis) {
    for (const draft of brokenLinks(file, analysis)) yield withShortTexts(draft);
  },
};

function* brokenLinks(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  // The documents of other clients do not say that a path must exist.
  if (file.dialect === 'plugin' && !/\/\.claude-plugin\/|\/gemini-extension\.json$/.test(file.uri)) return;
  // A file without frontmatter may be a fragment of a skill. Another rule reports the missing frontmatter.
  if (file.dialect === 'agent-skill' && !file.frontmatter.open) return;
  const folder = analysis.folder(file.uri);
  const reported = file.dialect === 'plugin' ? reportedPaths(file, analysis) : undefined;
  // The documents of clients do not say to which folder a link in an agent or a command is relative.
  for (const target of linkTargets(file)) {
    if (file.dialect === 'client-file' && target.base === undefined) continue;
    if (target.base !== undefined && !isFolderOfVariable(file, analysis, target.base)) continue;
    if (reported?.has(target.span.start)) continue;
    // Undefined until the host has checked the file.
    const isThere = analysis.exists(target.uri);
    const isRight = isThere && !target.path.includes('\\') && !findOtherCase(folder, target.uri);
    if (
      isThere === undefined ||
      isRight ||
      isCall(file, target) ||
      isPlaceholder(target.path) ||
      isOnlyShown(file, target.span)
    )
      continue;
    // A skill has no hidden folders, but the project that it works on has them.
    const isHidden = file.dialect === 'agent-skill' && /^(?:\.\/)?\.[^./]/.test(target.path);
    if (isHidden && !folder?.hasFolder(folderOf(target.uri))) continue;
    if (isThere && target.path.includes('\\')) yield backslashDraft(file, target);
    else
      yield draftAbove(file, analysis, target) ??
        movedDraft(file, analysis, target) ??
        missingDraft(file, analysis, target);
  }
  const elsewhere: MentionedFile[] = [];
  for (const mention of mentionedFiles(file)) {
    const { path, span, uris, folder: own, beside, isShown, mark, plugin } = mention;
    if (plugin !== undefined && !isFolderOfVariable(file, analysis, plugin)) continue;
    if (isShown || beside.some((name) => isOtherSkill(file, analysis, name))) continue;
    const isGone = uris.every((uri) => analysis.exists(uri) === false);
    // If the skill has no folder `scripts`, `scripts/x.sh` may be a file in the project that the skill works on.
    const isOfSkill =
      file.dialect === 'agent-skill' &&
      (/^references\//.test(path) || (/^assets\//.test(path) && !PICTURE.test(path)) || mark === 'variable');
    const isOwn = isOfSkill || mark === 'plugin' || analysis.exists(own) === true;
    const written = sliceOf(file.text, span);
    if (written === path && isElsewhere(file, analysis, mention)) elsewhere.push(mention);
    else if (written !== path) {
      if (uris.some((uri) => analysis.exists(uri) === true))
        yield backslashDraft(file, { span, path: written }, mention.isOfWindows);
    } else if (isGone && isOwn) {
      const draft = missingDraft(file, analysis, { path, span, uri: uris[0] ?? own }, mention.elsewhere);
      // Clients differ on what a path after `@` means, and a script may create a file in an unusual folder.
      yield mark === '@' ||
      mention.isUncertain ||
      (mark !== 'skills' && !isInUsualFolder(path)) ||
      file.dialect === 'client-file'
        ? { ...draft, severity: 'hint' }
        : draft;
    }
  }
  yield* elsewhereDrafts(file, elsewhere);
  if (file.dialect !== 'agent-skill') return;
  yield* anchorDrafts(file, analysis, folder);
  yield* brokenLinkDrafts(file, analysis, folder);
}

/** A picture, which a project has in `assets`, too, or which the skill draws. */
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|ico|bmp)$/i;

/** Returns whether a link is probably code, such as `[0](MON)`: its text is numbers, and its path has no extension. */
const isCall = ({ text }: SkillFile, { span, path }: LinkTarget): boolean =>
  !path.includes('.') && /\[[\d\s,]*\]\($/.test(text.slice(Math.max(0, span.start - 50), span.start));

/** Returns whether a variable has the value that is assumed: the folder of a skill, or of a plugin of Claude Code. */
const isFolderOfVariable = (file: SkillFile, analysis: Analysis, folder: string): boolean =>
  folder === folderOf(file.uri) || analysis.plugins.all.some((one) => one.root === folder && isPluginOfClaude(one));

/** Returns whether the file of a path is only in the folder of the plugin, or only in that of the skill. */
function isElsewhere(file: SkillFile, analysis: Analysis, mention: MentionedFile): boolean {
  const { path, elsewhere, plugin, base, uris } = mention;
  if (!elsewhere || analysis.exists(elsewhere.uri) !== true || !isFolderOfVariable(file, analysis, elsewhere.root))
    return false;
  // A path without a variable may also be relative to the folder of all skills.
  const nearer = uris.slice(0, Math.max(0, uris.indexOf(elsewhere.uri)));
  return [resolvePath(plugin ?? base, path), ...nearer].every((uri) => analysis.exists(uri) === false);
}

/** Reports the paths that need the variable of the other folder: one finding for each of the two variables. */
function* elsewhereDrafts(file: SkillFile, found: readonly MentionedFile[]): Iterable<Draft> {
  for (const root of new Set(found.map(({ elsewhere }) => elsewhere?.root))) {
    const ofOne = found.filter((one) => one.elsewhere?.root === root);
    const [first, ...others] = ofOne;
    if (!first?.elsewhere) continue;
    const { elsewhere, path, span: place } = first;
    const where = elsewhere.root === folderOf(file.uri) ? 'skill' : 'plugin';
    const newText = elsewhere.variable + path;
    yield {
      span: place,
      message:
        others.length === 0
          ? `File \`${path}\` is only in the folder of the ${where}. Write \`${newText}\`.`
          : `\`${path}\` and ${others.length} more ${others.length === 1 ? 'file' : 'files'} are only in the folder of the ${where}. Write \`${elsewhere.variable}\` before their paths.`,
      related: placesHere(file, others, 'This file, too.'),
      fixes: fixHere(
        file,
        others.length === 0 ? `Replace with \`${newText}\`` : `Write \`${elsewhere.variable}\` before these paths`,
        variableEdits(file, ofOne),
      ),
    };
  }
}

/** Returns the edits that write the variable of the other folder wherever the text names the files. */
function variableEdits(file: SkillFile, found: readonly MentionedFile[]): readonly TextEdit[] {
  const wanted = new Set(found);
  return mentions(file).flatMap(({ of, span: { start } }) => {
    const { elsewhere, span: first } = of;
    if (!elsewhere || !wanted.has(of)) return [];
    const prefix = file.text.slice(elsewhere.span.start, first.start);
    // A path without a variable may begin with `./` or not.
    const own = of.mark === undefined ? (file.text.startsWith('./', start - 2) ? './' : '') : prefix;
    const isSame = file.text.startsWith(own, start - own.length);
    return isSame ? [{ span: span(start - own.length, start), newText: elsewhere.variable }] : [];
  });
}

const isOtherSkill = ({ uri }: SkillFile, analysis: Analysis, name: string): boolean =>
  analysis.skillsNamed(name, uri).some((skill) => skill.uri !== uri);

/** Reports a path to the former folder or file of a skill, which still states its name; undefined for another path. */
function movedDraft(file: SkillFile, analysis: Analysis, target: LinkTarget): Draft | undefined {
  const moved = analysis.absence(target.uri) ? undefined : findMovedSkill(analysis, file, target.uri);
  const changed = moved && analysis.exists(moved.uri) !== false ? repointed(file, target, moved.uri) : undefined;
  if (!moved || !changed) return undefined;
  const what = file.dialect === 'plugin' ? 'Path' : 'File';
  return {
    span: target.span,
    message: `${what} \`${target.path}\` does not exist: the skill \`${moved.name}\` was moved. Write \`${changed.path}\`.`,
    fixes: fixHere(file, `Replace with \`${changed.path}\``, changed.edits),
  };
}

/** The causes of missing files that git has not checked out, with the command that helps. */
const NOT_CHECKED_OUT: ReadonlyMap<NotCheckedOut, string> = new Map([
  ['submodule', 'is in a submodule that is not checked out. Run `git submodule update --init`.'],
  ['sparse', 'is outside of the sparse checkout. Run `git sparse-checkout add` with its folder.'],
]);

/** @param elsewhere the variable before the path, and the folder of the skill, for a path in the folder of a plugin */
function missingDraft(
  file: SkillFile,
  analysis: Analysis,
  target: LinkTarget,
  elsewhere?: MentionedFile['elsewhere'],
): Draft {
  const { uri, span, path } = target;
  const absence = analysis.absence(uri);
  if (absence) return { span, severity: 'hint', message: `\`${path}\` ${NOT_CHECKED_OUT.get(absence)}` };
  const near =
    file.dialect === 'plugin'
      ? findSimilarFolder(analysis, target)
      : (findMovedFile(file, analysis, uri) ?? findSimilarSkill(analysis, target));
  const folder = analysis.folder(file.uri);
  const form = findOtherForm(folder, uri);
  if (form !== undefined) {
    return {
      span,
      message: `The name of file \`${path}\` has another Unicode form on the disk, so some systems do not find it. Use the name on the disk.`,
      fixes: replacePath(file, span, form),
    };
  }
  const other = findOtherCase(folder, uri);
  return {
    span,
    message:
      other === undefined
        ? `${file.dialect === 'plugin' ? 'Path' : 'File'} \`${path}\` does not exist. Correct the path, or add the file.`
        : `The file is called \`${other}\`, so case-sensitive file systems do not find \`${path}\`. Use the same letter case.`,
    fixes: [
      ...(near === undefined ? [] : replaceMissing(file, span, near, elsewhere)),
      // A new page would lack the heading to which a link refers.
      ...(other === undefined && !sliceOf(file.text, span).includes('#') ? createPage(file, uri) : []),
    ],
  };
}

/** Returns the path of a `SKILL.md` in a folder with a similar name, beside the missing folder. */
function findSimilarSkill(analysis: Analysis, { uri, path, ...more }: LinkTarget): string | undefined {
  const [, folder, file = ''] = /^(.*[^/])(\/SKILL\.md)$/i.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const near = findSimilarFolder(analysis, { ...more, uri: folderOf(uri), path: folder }, closestName);
  return near && near + file;
}

/** Returns the path in a manifest with the name of a similar folder of skills, which is beside the missing folder. */
function findSimilarFolder(
  analysis: Analysis,
  { uri, path }: LinkTarget,
  find = (name: string, known: readonly string[]) => nearestNames(name, known, 1)[0],
): string | undefined {
  const parent = `${folderOf(uri)}/`;
  const beside = [...analysis.graph.skills.keys()].filter((skill) => skill.startsWith(parent));
  const names = new Set(beside.map((skill) => decoded(skill.slice(parent.length, skill.indexOf('/', parent.length)))));
  const written = path.replace(/\/$/, '');
  const name = fileNameOf(written);
  const near = find(name, [...names]);
  return near === undefined
    ? undefined
    : path.slice(0, written.length - name.length) + near + path.slice(written.length);
}

/** Reports a link that is relative to a folder above, such as the project's; undefined if no such file exists. */
function draftAbove(file: SkillFile, analysis: Analysis, { span, path }: LinkTarget): Draft | undefined {
  const above = urisAbove(file, path).findIndex((uri) => analysis.exists(uri) === true) + 1;
  if (above === 0) return undefined;
  const better = '../'.repeat(above) + path;
  return {
    span,
    // An agent that works in that folder finds the file.
    severity: 'hint',
    message: `File \`${path}\` exists only in a folder above, but links are relative to this file. Write \`${better}\`.`,
    fixes: replacePath(file, span, better),
  };
}

/** Offers to create a missing page in the skill's folder, with a title. */
function createPage(file: SkillFile, uri: string): readonly Fix[] {
  const folder = `${folderOf(file.uri)}/`;
  if (!uri.startsWith(folder) || !uri.endsWith('.md') || isAgentSkillName(fileNameOf(uri))) return [];
  const path = decoded(uri.slice(folder.length));
  if (namesProblem(path) !== undefined) return [];
  const words = fileNameOf(path)
    .slice(0, -'.md'.length)
    .split(/[-_ ]+/)
    .join(' ')
    .trim();
  const text = `# ${words.charAt(0).toUpperCase()}${words.slice(1)}\n`;
  return [{ title: `Create \`${path}\``, safe: false, edits: [], createsFile: { uri, text } }];
}

/** Replaces a missing path by one in the skill's folder. A path in the folder of the plugin gets the variable of that folder. */
function replaceMissing(
  file: SkillFile,
  place: Span,
  near: string,
  elsewhere: MentionedFile['elsewhere'],
): readonly Fix[] {
  const isOfPlugin = elsewhere?.root === folderOf(file.uri);
  if (!elsewhere || !isOfPlugin) return replacePath(file, place, near);
  return replacePath(file, span(elsewhere.span.start, place.end), near, elsewhere.variable);
}

function replacePath(file: SkillFile, span: Span, path: string, variable = ''): readonly Fix[] {
  const [ending = ''] = /[?#].*$/s.exec(sliceOf(file.text, span)) ?? [];
  // A link to a path that contains spaces or brackets needs another syntax.
  return /^[\p{L}\p{M}\p{N}_./+-]+$/u.test(path)
    ? fixHere(file, `Replace with \`${variable}${path}\``, [{ span, newText: variable + path + ending }])
    : [];
}

const backslashDraft = (
  file: SkillFile,
  { span, path }: Pick<LinkTarget, 'span' | 'path'>,
  isOfWindows = false,
): Draft => ({
  span,
  ...(isOfWindows && { severity: 'hint' }),
  message: isOfWindows
    ? `Forward slashes work everywhere, also on Windows. Replace the backslashes in \`${path}\` with \`/\`.`
    : `Only Windows reads the backslashes in \`${path}\` as folder separators. Replace them with \`/\`.`,
  fixes: fixHere(file, 'Replace the backslashes with `/`', [
    { span, newText: sliceOf(file.text, span).replaceAll('\\', '/') },
  ]),
});
