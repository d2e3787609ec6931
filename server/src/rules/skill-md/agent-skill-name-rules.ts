/** Rules about the name of a `SKILL.md`. */
import { isDirectSkill } from '../../analysis/plugin-losses.ts';
import { type Draft, type Fix, fixHere } from '../../finding.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { findEntry, stringOf } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import { isName, kebabName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { repositoryMark } from '../../skill-folder/referenced-files.ts';
import { span } from '../../text.ts';
import { textDraft, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';
import {
  findFolderName,
  findNameProblems,
  findSameNamed,
  isHiddenFromTargets,
  isSkillTemplate,
  nameNode,
  normalName,
  renameFolderTo,
  renameTo,
} from './naming.ts';

export const agentSkillName: Rule = {
  name: 'agent-skill-name',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  *check(file) {
    const node = nameNode(file);
    const name = stringOf(node);
    if (!node || !name?.trim()) {
      for (const problem of valueProblems(file, 'agent-skill-name')) {
        const draft = textDraft(file, problem);
        if (name !== undefined) yield { ...draft, fixes: renameTo(file, [findFolderName(file)]) };
        else yield node ? draft : { ...draft, fixes: replaceStructure(file) };
      }
      return;
    }
    const faults = findNameProblems(name);
    if (faults.length === 0 || isSkillTemplate(file, name)) return;
    const folder = findFolderName(file);
    // `agent-skill-name-folder` would report any other name than a valid name of the folder.
    const [better, other] = folder && isName(folder) ? [folder] : [kebabName(name), folder];
    yield {
      span: node.span,
      message: `\`${shortened(name)}\` ${listed(faults)}. Use only lower-case letters, digits and single hyphens${better ? `, for example \`${better}\`` : ''}.`,
      fixes: renameTo(file, [better, other]),
    };
  },
};

/** Offers a name in place of a list or a map: the only item of a list, or the name of the folder. */
function replaceStructure(file: SkillFile): readonly Fix[] {
  const { key, value } = findEntry(file.frontmatter.tree.root, 'name') ?? {};
  const only = value?.kind === 'list' && value.items.length === 1 ? stringOf(value.items[0]) : undefined;
  const name = [only, findFolderName(file)].find((one) => one !== undefined && isName(one));
  if (!key || !value || name === undefined) return [];
  const edit = { span: span(key.span.end, value.span.end), newText: `: ${formatScalar(name)}` };
  return fixHere(file, `Rename to \`${name}\``, [edit]);
}

const shortened = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

/**
 * A name that differs from the name of the folder. The finding is only a warning, because plugins prefix names and most
 * clients accept it.
 */
export const agentSkillNameFolder: Rule = {
  name: 'agent-skill-name-folder',
  severity: 'warning',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  *check(file, analysis) {
    const node = nameNode(file);
    const name = stringOf(node);
    const folder = findFolderName(file);
    // `agent-skill-name` reports an invalid name, and its fixes also solve this problem.
    if (!node || !name?.trim() || !folder || findNameProblems(name).length > 0) return;
    if (isSkillTemplate(file, name)) return;
    if (normalName(name) === normalName(folder) || isHiddenFromTargets(file.uri, analysis)) return;
    // The root folder of a repository may have any name. `duplicate-skill` reports equal names, with the same fix.
    const subject = analysis.agentSkills.find(file.uri);
    // A skill that is the root or the folder of skills of a plugin is called by its `name`.
    if (subject && isDirectSkill(subject)) return;
    if (analysis.exists(repositoryMark(file.uri)) === true || findSameNamed(file, analysis).length > 0) return;
    yield {
      span: node.span,
      message: `The name \`${name}\` differs from the folder name \`${folder}\`, so clients that find skills by folder do not find it. Rename one of the two.`,
      fixes: isName(folder) ? renameTo(file, [folder]) : renameFolderTo(file, analysis, name),
      ...habitOf(name, folder),
    };
  },
};

/**
 * Returns the habit by which the names of many skills differ from their folders: a first or a last word that only the
 * names or only the folders have, or another spelling. Other differences have no common cause.
 */
function habitOf(name: string, folder: string): Pick<Draft, 'shared'> {
  const many = differenceOf(wordsOf(name), wordsOf(folder));
  return many === undefined ? {} : { shared: { cause: many, many, title: 'Rename to the name of the folder' } };
}

type Words = readonly [string, ...string[]];

function differenceOf(name: Words, folder: Words): string | undefined {
  const [whole, ofFolder] = [name.join('-'), folder.join('-')];
  if (whole === ofFolder) return 'have folders with another spelling than their names';
  if (ofFolder.endsWith(`-${whole}`)) return `have folders that begin with ${shownWord(folder[0], 'first')}`;
  if (ofFolder.startsWith(`${whole}-`)) return `have folders that end with ${shownWord(folder.at(-1), 'last')}`;
  if (whole.startsWith(`${ofFolder}-`)) return `have names that end with ${shownWord(name.at(-1), 'last')}`;
  const hasOwnWord = name.length > 1 && name[0] !== folder[0];
  return hasOwnWord ? `have names that begin with ${shownWord(name[0], 'first')}` : undefined;
}

/** Returns the words of a name in lower case. */
const wordsOf = (name: string): Words => name.toLowerCase().split(/[-_. ]/) as [string, ...string[]];

const shownWord = (word = '', at: 'first' | 'last'): string =>
  /^[0-9]+$/.test(word) ? 'a number' : at === 'first' ? `\`${word}-\`` : `\`-${word}\``;
