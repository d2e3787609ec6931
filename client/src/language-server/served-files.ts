/** Which files the language server is for. Globs decide, since VS Code gives some of these files language ids of its own. */
import * as vscode from 'vscode';
import { CATALOG_FILES, DEFAULT_FILES, SECTION, type Settings } from '../../../server/src/protocol.ts';

/** Filters that mean the same to the editor and to the protocol. */
export type ServedDocuments = ({ scheme: string; language: string } | { scheme: string; pattern: string })[];

/** Globs relative to a workspace folder; a file outside them is never touched. */
export function servedGlobs(): readonly string[] {
  const settings = vscode.workspace.getConfiguration(SECTION);
  return [...settings.get<NonNullable<Settings['files']>>('files', DEFAULT_FILES), ...CATALOG_FILES];
}

/**
 * One filter a glob, for every kind of place that holds a workspace folder. Versions shown by a source control view have
 * a scheme of their own and stay out: they would count as second skills of the same name. A document that has no file
 * yet is told by its language alone.
 */
export function selectorFor(globs: readonly string[]): ServedDocuments {
  const schemes = new Set(['file', ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]);
  const saved = [...schemes].flatMap((scheme) => globs.map((pattern) => ({ scheme, pattern })));
  return [{ scheme: 'untitled', language: 'skillmd' }, ...saved];
}

/** Whether the settings make a document a skill; a plain `skills/*.md` may turn out to be none. A catalog never is one. */
export function isSkill(document: vscode.TextDocument): boolean {
  const globs = servedGlobs().filter((glob) => !CATALOG_FILES.includes(glob));
  return vscode.languages.match(selectorFor(globs), document) > 0;
}
