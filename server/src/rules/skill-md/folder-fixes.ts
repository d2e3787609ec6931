/** The fixes for a folder of skills that some target clients do not read (docs/rules/agent-skill-not-loaded.md). */
import type { Analysis } from '../../analysis/analysis.ts';
import { type FolderReaders, skillsInFolder } from '../../analysis/unread-folders.ts';
import type { Fix } from '../../finding.ts';
import { fixIn } from '../../finding.ts';
import { formatScalar, insertEntry } from '../../languages/yaml/edit.ts';
import { findEntry, findValue } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { TextEdit } from '../../text.ts';
import { CATALOG_NAME, decoded } from '../../vocabulary/dialect.ts';

/** Returns the fixes for the skills in the folder of the skill at `uri`; first for this skill, unless `isAboutAll`. */
export function folderFixes(analysis: Analysis, uri: string, own: FolderReaders, isAboutAll: boolean): readonly Fix[] {
  if (own.readers.length === 0) return [];
  const all = skillsInFolder(analysis, own).map((one) => one.uri);
  const names = listed(own.others.map(({ name }) => name));
  const clients = own.others.map(({ id }) => id);
  const share = (what: string, skills: readonly string[]): Fix => ({
    title: `Make ${what} available to ${names}`,
    safe: false,
    edits: [],
    shares: { skills, clients },
  });
  return [
    ...(isAboutAll && all.length > 1 ? [] : [share('the skill', [uri])]),
    ...(all.length > 1 ? [share(`the ${all.length} skills in \`${own.folder.path}\``, all)] : []),
    ...onlyFixes(analysis, uri, own),
  ];
}

/** Returns the fix that says in the catalog which clients the skills of a folder are for. */
function onlyFixes(analysis: Analysis, uri: string, { folder, readers }: FolderReaders): readonly Fix[] {
  const title = `These skills are only for ${listed(readers.map(({ name }) => name))}`;
  const ids = `[${readers.map(({ id }) => formatScalar(id, true)).join(', ')}]`;
  const catalog = analysis.findCatalog(uri);
  if (!catalog) {
    const root = analysis.graph.roots.find((one) => uri.startsWith(`${one}/`));
    // A new catalog has effects on skills of the own format, which declare their tools in it.
    const hasOthers = [...analysis.graph.skills.values()].some(({ summary }) => !summary.agentSkill);
    if (root === undefined || hasOthers) return [];
    const text = `agent_skills:\n  only:\n    ${formatScalar(pathFrom(root, folder.uri), true)}: ${ids}\n`;
    const createsFile = { uri: `${root}/${CATALOG_NAME}`, text };
    return [{ title: `${title}, in a new \`${CATALOG_NAME}\``, safe: false, edits: [], createsFile }];
  }
  const file = catalog.isBroken ? undefined : analysis.file(catalog.uri);
  if (!file) return [];
  return fixIn(title, [{ uri: catalog.uri, edits: onlyEdits(file, pathFrom(catalog.folder, folder.uri), ids) }]);
}

/** Returns the edits to a catalog that name the clients of a folder. */
function onlyEdits({ text, frontmatter }: SkillFile, path: string, ids: string): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  const targets = findValue(root, 'agent_skills');
  const only = findValue(targets, 'only');
  const key = formatScalar(path, true);
  const known = findEntry(only, path);
  if (known) {
    const isMissing = known.value.span.start === known.value.span.end;
    return [{ span: known.value.span, newText: isMissing ? ` ${ids}` : ids }];
  }
  if (only && only.kind !== 'list') return insertEntry(text, only, path, ids);
  if (only) return [];
  if (targets?.kind === 'map')
    return insertEntry(text, targets, 'only', targets.flow ? `{${key}: ${ids}}` : `\n  ${key}: ${ids}`);
  if (targets) return targets.kind === 'list' ? [] : insertEntry(text, targets, 'only', `\n  ${key}: ${ids}`);
  return root?.kind === 'map' ? insertEntry(text, root, 'agent_skills', `\n  only:\n    ${key}: ${ids}`) : [];
}

/** Returns the path from a folder to one below it. */
const pathFrom = (folder: string, below: string): string => decoded(below.slice(folder.length + 1));
