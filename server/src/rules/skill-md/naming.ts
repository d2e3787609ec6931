/** Names of agent skills: lower-case letters of any script, digits and single hyphens (docs/format.md, section 9). */

import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOf } from '../../analysis/targets.ts';
import { isFoundInPlace } from '../../clients/matrix/prediction.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, type YamlScalar } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import { isName } from '../../skill/kebab-name.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { fileNameOf, folderOf, nameFromUri, skillsFolderOf } from '../../vocabulary/dialect.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import { type IndexedSkill, isHidden } from '../../workspace/workspace-index.ts';

const MAX_NAME = 64;

/** Returns the normalized form in which names are compared. */
export const normalName = (name: string): string => name.normalize('NFKC').trim();

/**
 * Returns the reasons why a string is not a valid name, each as a phrase that continues a sentence about the name;
 * empty for a valid name.
 */
export function findNameProblems(written: string): readonly string[] {
  const name = normalName(written.slice(0, 10_000));
  const length = [...name].length;
  const odd = [...new Set(name.match(/[^\p{L}\p{M}\p{N}\s-]/gu) ?? [])].slice(0, 5);
  const contents = [
    ...(name === name.toLowerCase() ? [] : ['capital letters']),
    ...(/\s/.test(name) ? ['spaces'] : []),
    ...odd.map((character) => `\`${character}\``),
    ...(name.includes('--') ? ['two hyphens in a row'] : []),
    ...(length > MAX_NAME ? [`${length} characters (the limit is ${MAX_NAME})`] : []),
  ];
  return [
    ...(contents.length > 0 ? [`has ${listed(contents)}`] : []),
    ...(name.startsWith('-') ? ['begins with a hyphen'] : []),
    ...(name.endsWith('-') ? ['ends with a hyphen'] : []),
  ];
}

/** Returns whether a file is a template for new skills: its folder is called `_TEMPLATE`, and its name is another one. */
export function isSkillTemplate(file: SkillFile, name: string): boolean {
  const folder = findFolderName(file) ?? '';
  return /(?:^|[._-])templates?$/i.test(folder) && normalName(name) !== normalName(folder);
}

/** Returns the value of `name`, if it is a scalar. */
export const nameNode = ({ frontmatter }: SkillFile): YamlScalar | undefined => {
  const node = findValue(frontmatter.tree.root, 'name');
  return node?.kind === 'scalar' ? node : undefined;
};

/** Returns the name of the file's folder, unchanged; undefined if the file is not in a named folder. */
export const findFolderName = ({ uri }: SkillFile): string | undefined =>
  uri.startsWith('untitled:') ? undefined : nameFromUri(uri) || undefined;

/** Returns a fix for each valid name in `names`. */
export function renameTo(file: SkillFile, names: readonly (string | undefined)[]): readonly Fix[] {
  const node = nameNode(file);
  return [...new Set(names)].flatMap((name) => {
    if (!node || name === undefined || !isName(name)) return [];
    return fixHere(file, `Rename to \`${name}\``, setScalar(file.text, node, name));
  });
}

/** Returns the fix that gives the folder of a skill a valid name; no fix if such a folder exists. */
export function renameFolderTo({ uri }: SkillFile, analysis: Analysis, name: string): readonly Fix[] {
  const from = folderOf(uri);
  const to = `${folderOf(from)}/${name}`;
  if (!isName(name) || analysis.exists(to) || analysis.file(`${to}/SKILL.md`) || analysis.findLink(uri)) return [];
  return [{ title: `Rename the folder to \`${name}\``, safe: false, edits: [], moves: { from, to } }];
}

/** Returns whether a skill is in a hidden folder that none of its target clients reads. Another rule reports that. */
export function isHiddenFromTargets(uri: string, analysis: Analysis): boolean {
  const isHidden = fileNameOf(folderOf(uri)).startsWith('.');
  const subject = isHidden ? analysis.agentSkills.find(uri) : undefined;
  if (!subject) return false;
  const { clients } = targetsOf(analysis, subject);
  return clients.length > 0 && !clients.some((client) => isFoundInPlace(client, subject));
}

/** The largest number of other skills with the same name that a finding shows. */
export const MOST_SAME = 20;

/**
 * Returns the first skills with the same name in the same `skills` folder. Skills in other folders may be for other
 * clients, and target clients do not find those in hidden folders.
 */
export function findSameNamed(file: SkillFile, analysis: Analysis): readonly IndexedSkill[] {
  const name = file.contract.name?.name;
  const folder = skillsFolderOf(file.uri);
  if (name === undefined || fileNameOf(folder) !== 'skills') return [];
  const [first] = analysis.graph.named(name);
  const own = analysis.graph.skills.get(file.uri);
  if (!first || (own && isHidden(analysis.graph, own)) || isHiddenFromTargets(file.uri, analysis)) return [];
  const found: IndexedSkill[] = [];
  for (const other of analysis.graph.keep(first, byFolder).get(folder) ?? []) {
    if (found.length === MOST_SAME) break;
    if (other.uri !== file.uri && !isHiddenFromTargets(other.uri, analysis)) found.push(other);
  }
  return found;
}

/** Returns the files `SKILL.md` with the name of a skill, by their `skills` folder. */
const byFolder = (graph: ResolvedGraph, { summary: { name = '' } }: IndexedSkill) =>
  groupBy(
    graph.named(name).filter(({ summary }) => summary.dialect === 'agent-skill'),
    ({ uri }) => skillsFolderOf(uri),
  );
