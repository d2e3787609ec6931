/**
 * Enables and disables a skill in its workspace (docs/format.md, section 6, "Permissions"), for actions, lenses and
 * views.
 */

import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver-types';
import type { Analysis } from '../analysis/analysis.ts';
import { findGoverningCatalog, isDisabledHere } from '../analysis/permissions.ts';
import type { FileEdits } from '../finding.ts';
import { mapEntries, nodeAt } from '../languages/yaml/node.ts';
import { isDisabled, permissionOf, readPermissions } from '../permissions/may-use.ts';
import { setEnabled } from '../permissions/toggle.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { asTitle, type Span } from '../text.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { toWorkspaceEdit } from './actions/code-actions.ts';
import type { Locate } from './locate.ts';

/**
 * Returns the edits to the skill's catalog; `no-catalog` if the skill has no catalog, undefined if the catalog cannot
 * be edited.
 */
export function permissionEdits(
  analysis: Analysis,
  { uri, summary }: IndexedSkill,
  enabled: boolean,
): FileEdits | 'no-catalog' | undefined {
  const governing = findGoverningCatalog(analysis, uri);
  const catalog = governing && analysis.file(governing.uri);
  if (!catalog) return 'no-catalog';
  const edits = summary.name === undefined ? [] : setEnabled(catalog, summary.name, enabled);
  return edits.length > 0 ? { uri: catalog.uri, edits } : undefined;
}

/**
 * Returns the actions at the name of a skill, and at its permission in a catalog. `disableCommand` is a client command
 * with the argument `{uri}`, which offers to create a missing catalog.
 */
export function permissionActions(
  analysis: Analysis,
  file: SkillFile,
  range: Range,
  only: readonly string[] | undefined,
  locate: Locate,
  disableCommand: string | undefined,
): CodeAction[] {
  if (only && !only.some((kind) => KIND === kind || KIND.startsWith(`${kind}.`))) return [];
  const at = locate.offset(file, range.start);
  const isHere = ({ start, end }: Span): boolean => start <= at && at <= end;
  if (file.dialect === 'catalog') return inCatalog(analysis, file, isHere, locate);
  const { name } = file.contract;
  if (!name || !isHere(name.span)) return [];
  const isOff = isDisabledHere(analysis, file);
  const found = permissionEdits(analysis, file, isOff);
  if (found === undefined) return [];
  const action = { title: titleOf(name.name, isOff), kind: KIND };
  if (found !== 'no-catalog') return [{ ...action, edit: toWorkspaceEdit(analysis, [found], locate) }];
  if (disableCommand === undefined) return [];
  return [{ ...action, command: { title: action.title, command: disableCommand, arguments: [{ uri: file.uri }] } }];
}

const KIND: string = CodeActionKind.RefactorRewrite;

const titleOf = (name: string, enables: boolean): string =>
  asTitle(`${enables ? 'Enable' : 'Disable'} \`${name}\` in this workspace`);

function inCatalog(analysis: Analysis, file: SkillFile, isHere: (span: Span) => boolean, locate: Locate): CodeAction[] {
  const entry = mapEntries(nodeAt(file.frontmatter.tree.root, ['permissions'])).find(({ key }) => isHere(key.span));
  if (!entry) return [];
  const name = String(entry.key.value);
  const permission = permissionOf(readPermissions(file), name);
  const isOff = permission !== undefined && isDisabled(permission);
  const edits = setEnabled(file, name, isOff);
  if (edits.length === 0) return [];
  return [
    { title: titleOf(name, isOff), kind: KIND, edit: toWorkspaceEdit(analysis, [{ uri: file.uri, edits }], locate) },
  ];
}
