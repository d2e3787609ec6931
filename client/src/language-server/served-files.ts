/** Which files the language server serves. Globs decide, since VS Code gives some of these files other language ids. */
import * as vscode from 'vscode';
import { CATALOG_FILES, DEFAULT_FILES, SECTION, type Settings } from '../../../server/src/protocol.ts';

/** Filters that mean the same to the editor and to the protocol. */
export type ServedDocuments = ({ scheme: string; language: string } | { scheme: string; pattern: string })[];

/** Globs relative to a workspace folder; a file outside of them is never touched. */
export function servedGlobs(): readonly string[] {
  const settings = vscode.workspace.getConfiguration(SECTION);
  return [...usable(settings.get<unknown>('files')), ...CATALOG_FILES];
}

/** The server tells what is wrong with this setting; here the default holds in its place. */
function usable(files: unknown): Settings['files'] & object {
  if (!Array.isArray(files)) return DEFAULT_FILES;
  const globs = files.filter((glob) => typeof glob === 'string' && glob.trim() !== '');
  return globs.length > 0 || files.length === 0 ? globs : DEFAULT_FILES;
}

/**
 * A filter for each glob and each scheme of a workspace folder. Other schemes, such as that of a source control view, are
 * left out: their files would count as further skills of the same name. An unsaved document is selected by its language.
 */
export function selectorFor(globs: readonly string[]): ServedDocuments {
  const schemes = new Set(['file', ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]);
  const saved = [...schemes].flatMap((scheme) => globs.map((pattern) => ({ scheme, pattern })));
  return [{ scheme: 'untitled', language: 'skillmd' }, ...saved];
}

/** True for a document that the settings select, except catalogs and legacy packages. The server may find that a `skills/*.md` is not a skill. */
export function isSkill(document: vscode.TextDocument): boolean {
  const globs = servedGlobs().filter((glob) => !CATALOG_FILES.includes(glob));
  const isPackage = document.uri.path.endsWith('.skill.json');
  return !isPackage && vscode.languages.match(selectorFor(globs), document) > 0;
}

/** The document of the active editor, if it is a skill. */
export function activeSkill(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isSkill(document) ? document : undefined;
}
