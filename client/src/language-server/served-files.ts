/**
 * The files that the server serves, selected by globs, because VS Code gives some of these files other language IDs.
 */
import * as vscode from 'vscode';
import { CATALOG_FILES, CLIENT_FILES, PLUGIN_FILES, SECTION, usableGlobs } from '../../../server/src/protocol.ts';

/** Document filters that have the same meaning in the editor and in the protocol. */
export type ServedDocuments = ({ scheme: string; language: string } | { scheme: string; pattern: string })[];

/** Returns the globs of the served files, relative to a workspace folder. The extension never changes other files. */
export const servedGlobs = (): readonly string[] => [
  ...skillGlobs(),
  ...CATALOG_FILES,
  ...PLUGIN_FILES,
  ...CLIENT_FILES,
];

const skillGlobs = (): readonly string[] =>
  usableGlobs(vscode.workspace.getConfiguration(SECTION).get<unknown>('files'));

/**
 * Returns a filter for each glob and each scheme of a workspace folder. Other schemes, such as that of a source control
 * view, are excluded: their files would be duplicate skills. An unsaved document is selected by its language.
 */
export function selectorFor(globs: readonly string[]): ServedDocuments {
  const schemes = new Set(['file', ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]);
  const saved = [...schemes].flatMap((scheme) => globs.map((pattern) => ({ scheme, pattern })));
  return [{ scheme: 'untitled', language: 'skillmd' }, ...saved];
}

/**
 * Returns true for served documents except catalogs, manifests and packages. The server may find that such a document is not a
 * skill.
 */
export function isSkill(document: vscode.TextDocument): boolean {
  const isPackage = document.uri.path.endsWith('.skill.json');
  return !isPackage && vscode.languages.match(selectorFor(skillGlobs()), document) > 0;
}

/** Returns the document of the active editor if it is a skill. */
export function activeSkill(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isSkill(document) ? document : undefined;
}
