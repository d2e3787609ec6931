/**
 * A rule's page is its documentation and its fixture. A page consists of cases, each in its own section:
 *
 *     ## Failing                files with findings, marked `^^^ rule: message` under the line
 *     ## Fixed                  the files after the first fix of the page's rule (`## Fixed: TITLE` for a later one)
 *     ## Valid                  files without findings
 *
 * A case has one or more fences of at least four backticks. The info string is a language and the path of the file:
 * ```` ````skill skills/draft.skill.md ````. The first file is checked. `Fixed` has only the files that the fix
 * changes. A fence with the language `baseline` has the earlier text of a file. A fence with the language `unreadable`
 * contains the reason why the file is unreadable, as in `workspace/unreadable.ts`. A file beside a skill with the language
 * `executable` or `plain` has, or does not have, the executable bit; one with `crlf` has these line endings.
 */

import type { FolderFile } from '../../../server/src/abilities/folder.ts';
import { networkCalls } from '../../../server/src/abilities/network.ts';
import { findMovedSkill } from '../../../server/src/analysis/moved-skill.ts';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import type { Finding, Fix } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import type { Rule } from '../../../server/src/rules/engine/rule.ts';
import { findSampleFailures } from '../../../server/src/rules/engine/sample-failures.ts';
import { isServerFile, needsNetworkScan, urisToProbe } from '../../../server/src/skill-folder/referenced-files.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { applyEdits, lineEnd, lineStartsOf, positionAt } from '../../../server/src/text.ts';
import { serverNames } from '../../../server/src/tools/read-servers.ts';
import { folderOf } from '../../../server/src/vocabulary/dialect.ts';
import type { Unreadable } from '../../../server/src/workspace/unreadable.ts';
import { compose } from '../composer/composing.ts';

export interface PageFile {
  readonly language: string;
  readonly path: string;
  /** The content in the page, markers included. */
  readonly content: string;
  /** The offset of the content in the page. */
  readonly start: number;
  readonly end: number;
}

export interface PageCase {
  readonly kind: 'failing' | 'fixed' | 'valid';
  readonly title: string;
  readonly files: readonly PageFile[];
}

export interface Page {
  readonly title: string;
  readonly cases: readonly PageCase[];
}

export function parsePage(page: string): Page {
  const cases: { kind: PageCase['kind']; title: string; files: PageFile[] }[] = [];
  const pattern = /^## (Failing|Fixed|Valid)(?:: (.*))?$|^(`{4,})(\w+) (\S+)\n([\s\S]*?)^\3$/gm;
  for (const match of page.matchAll(pattern)) {
    if (match[1]) {
      cases.push({ kind: match[1].toLowerCase() as PageCase['kind'], title: match[2] ?? '', files: [] });
      continue;
    }
    const content = match[6] ?? '';
    const start = match.index + match[0].indexOf('\n') + 1;
    cases
      .at(-1)
      ?.files.push({ language: match[4] ?? '', path: match[5] ?? '', content, start, end: start + content.length });
  }
  return { title: /^# (.*)$/m.exec(page)?.[1] ?? '', cases };
}

const MARKER = /^(\s*)(\^+) ([a-z][a-z0-9-]*): (.*)$/;

/** The text of a file without its marker lines. */
export const withoutMarkers = (content: string): string =>
  content
    .split('\n')
    .filter((line) => !MARKER.test(line))
    .join('\n');

export const ROOT = 'file:///page';

/** A workspace with only the files of a case. Links point to these files or to nothing. */
export function openFiles(files: readonly PageFile[]): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT] });
  for (const { language, path, content } of files) {
    const uri = `${ROOT}/${path}`;
    const text = withoutMarkers(content);
    if (language === 'unreadable') workspace.apply({ kind: 'unreadable', uri, reason: text.trim() as Unreadable });
    else workspace.apply({ kind: language === 'baseline' ? 'released' : 'text', uri, text });
  }
  const uris = new Set(files.map(({ path }) => `${ROOT}/${path}`));
  for (const file of workspace.analysis.allFiles()) {
    if (file.dialect === 'agent-skill')
      workspace.apply({
        kind: 'folder',
        uri: file.uri,
        folder: new SkillFolder(folderOf(file.uri), filesBeside(files, file.uri)),
      });
    const folder = workspace.analysis.folder(file.uri);
    const isThere = (uri: string): boolean => [...uris].some((one) => one === uri || one.startsWith(`${uri}/`));
    if (needsNetworkScan(file)) {
      const calls = networkCalls(filesBeside(files, file.uri));
      workspace.apply({ kind: 'network-calls', uri: file.uri, calls });
    }
    const findMoved = (missing: string) => findMovedSkill(workspace.analysis, file, missing)?.uri;
    for (const uri of urisToProbe(file, { get: isThere }, folder, [ROOT], findMoved)) {
      const content = files.find(({ path }) => `${ROOT}/${path}` === uri)?.content;
      const isRead = file.dialect === 'catalog' || isServerFile(uri, [ROOT]);
      const servers = isRead && content !== undefined ? serverNames(content) : undefined;
      workspace.apply({ kind: 'exists', uri, exists: isThere(uri), ...(servers && { servers }) });
    }
  }
  return workspace;
}

const filesBeside = (files: readonly PageFile[], uri: string): readonly FolderFile[] => {
  const folder = `${folderOf(uri)}/`;
  return files.flatMap(({ language, path, content }) => {
    const own = `${ROOT}/${path}`;
    if (!own.startsWith(folder) || own === uri) return [];
    const text = withoutMarkers(content);
    const mode = language === 'executable' || language === 'plain' ? { isExecutable: language === 'executable' } : {};
    const written = language === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
    return [{ path: own.slice(folder.length), text: written, ...mode }];
  });
};

/** A workspace with the page's rule turned on, and its samples composed. */
export function openCase(files: readonly PageFile[], rule: Rule): Workspace {
  const workspace = openFiles(files);
  if (rule.severity === 'off' || rule.offIn)
    workspace.apply({ kind: 'severities', severities: { [rule.name]: 'hint' } });
  for (const { path } of files) composeSamples(workspace, `${ROOT}/${path}`);
  return workspace;
}

/** Composes the samples of a file, as hosts do in a worker. */
export function composeSamples(workspace: Workspace, uri: string): void {
  const analysis = workspace.analysis;
  const file = analysis.file(uri);
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!file || !skillPackage) return;
  const names = new Set(file.hasSamples ? skillPackage.samples.map(({ name }) => name) : []);
  const outcomes = [...names].map((sample) => {
    const result = compose(prepareRequest(skillPackage, invocationContextOf(analysis, uri), sample).request);
    return { sample, errors: result.ok ? [] : result.errors };
  });
  workspace.apply({ kind: 'samples', uri, failures: findSampleFailures(analysis, file, outcomes) });
}

export function findingsIn(workspace: Workspace, path: string): readonly Finding[] {
  const file = workspace.analysis.file(`${ROOT}/${path}`);
  return file ? check(file, workspace.analysis) : [];
}

/** The text of a file with a marker line under every finding, as the page should contain it. */
export function withMarkers(text: string, findings: readonly Finding[]): string {
  const lines = lineStartsOf(text);
  const markers = findings.map((finding) => {
    const start = positionAt(lines, finding.span.start);
    const end = Math.min(finding.span.end, lineEnd(text, lines, start.line));
    const width = Math.max(1, end - finding.span.start);
    return {
      line: start.line,
      text: `${' '.repeat(start.character)}${'^'.repeat(width)} ${finding.rule}: ${finding.message}`,
    };
  });
  return text
    .split('\n')
    .flatMap((line, number) => [
      line,
      ...markers.filter((marker) => marker.line === number).map((marker) => marker.text),
    ])
    .join('\n');
}

/** The files that a fix changes, by path. */
export function textsAfterFix(workspace: Workspace, fix: Fix): ReadonlyMap<string, string> {
  return new Map(
    fix.edits.map(({ uri, edits }) => {
      const text = workspace.analysis.file(uri)?.text ?? '';
      return [uri.slice(ROOT.length + 1), applyEdits(text, edits)];
    }),
  );
}
