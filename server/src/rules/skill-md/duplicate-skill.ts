import type { Analysis } from '../../analysis/analysis.ts';
import { commandOfSkill } from '../../analysis/client-tools.ts';
import { targetClients } from '../../analysis/targets.ts';
import type { Draft, RelatedLocation } from '../../finding.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import { isSameVersion } from '../../workspace/resolve-skill.ts';
import { type IndexedSkill, isOfAccount } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { findFolderName, findSameNamed, MOST_SAME, nameNode, renameTo } from './naming.ts';

/**
 * Reports a file that defines the same version of a skill as another file, or that has the `id` of another skill.
 * Different versions of one skill are allowed.
 */
export const duplicateSkill: Rule = {
  name: 'duplicate-skill',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Side by side"' },
  dialects: [...SKILLS, 'agent-skill'],
  *check(file, analysis) {
    if (file.dialect === 'agent-skill') {
      yield* checkNeighbours(file, analysis);
      yield* checkCommand(file, analysis);
      yield* checkCommandOfOpenCode(file, analysis);
      return;
    }
    yield* checkId(file, analysis);
    const { name, version } = file.contract;
    if (!name || !version) return;
    const same = ({ uri, summary }: IndexedSkill) =>
      uri !== file.uri && isSameVersion(summary.version, version.name) && SKILLS.includes(summary.dialect);
    // A skill may hide skills with the same name in the account and in other workspace folders.
    const scope = isOfAccount(analysis.graph, file.uri);
    const others = analysis
      .skillsNamed(name.name, file.uri)
      .filter((other) => same(other) && isOfAccount(analysis.graph, other.uri) === scope);
    if (others.length === 0) return;
    const where = others.length === 1 ? 'another file' : `${others.length} other files`;
    const spelling = others.find(({ summary }) => summary.version !== version.name)?.summary.version;
    yield {
      span: name.span,
      message:
        spelling === undefined
          ? `\`${name.name}\` ${version.name} is also defined in ${where}, so a reference to it is ambiguous. Rename one, or change its version.`
          : `\`${name.name}\` ${version.name} is the same version as ${spelling} in ${where}, because build metadata does not count. Rename one, or change its version.`,
      related: placesOf(others, analysis),
    };
  },
};

/** Returns the places of the names of the first skills. */
const placesOf = (others: readonly IndexedSkill[], analysis: Analysis): readonly RelatedLocation[] =>
  others.slice(0, MOST_SAME).flatMap(({ uri }) => {
    const place = analysis.keep(placesOf, uri, ({ contract }) => contract.name?.span);
    return place ? [{ uri, span: place, message: 'Also defined here' }] : [];
  });

/** Reports an `id` that is also the `id` of a skill with another name, so that a reference to it is ambiguous. */
function* checkId(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const { id, name } = file.summary;
  const node = id === undefined ? undefined : findSkillEntry(file.frontmatter.tree.root, 'id')?.value;
  if (id === undefined || !node || analysis.isSkillName(id)) return;
  const scope = isOfAccount(analysis.graph, file.uri);
  const others = analysis
    .skillsNamed(id, file.uri)
    .filter(({ uri, summary }) => summary.name !== name && isOfAccount(analysis.graph, uri) === scope);
  const [first] = others;
  if (!first) return;
  yield {
    span: node.span,
    message: `\`${id}\` is also the \`id\` of \`${first.summary.name}\`, so a reference to it is ambiguous. Change one of them.`,
    related: others.flatMap(({ uri }) => {
      const place = findSkillEntry(analysis.file(uri)?.frontmatter.tree.root, 'id')?.value.span;
      return place ? [{ uri, span: place, message: 'The same `id`' }] : [];
    }),
  };
}

/** Reports a command of Claude Code with the same name, which is in the same folder `.claude` or the same plugin. */
function* checkCommand(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const command = commandOfSkill(analysis, file);
  if (!command) return;
  const used = command.isUsed ? ', which Claude Code uses instead of a skill in a plugin' : '';
  yield {
    severity: 'hint',
    span: nameNode(file)?.span ?? missingKeySpan(file),
    message: `\`${command.path}\` defines a command with the same name${used}. Delete the command, or rename one of them.`,
    related: [{ uri: command.uri, span: span(0, 0), message: 'The command' }],
  };
}

/** Reports a command of OpenCode in the same project with the name of a skill (observed: 1.18.33). */
function* checkCommandOfOpenCode(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const [, project, client] = /^(.*)\/\.(opencode|claude|agents)\/skills?\/[^/]+\/[^/]+$/.exec(file.uri) ?? [];
  const { name } = file.summary;
  if (project === undefined || name === undefined) return;
  if (client !== 'opencode' && !targetClients(analysis, file).some(({ id }) => id === 'opencode')) return;
  const paths = ['command', 'commands'].map((folder) => `.opencode/${folder}/${encodeURIComponent(name)}.md`);
  const path = paths.find((one) => analysis.file(`${project}/${one}`));
  if (path === undefined) return;
  yield {
    severity: 'hint',
    span: nameNode(file)?.span ?? missingKeySpan(file),
    message: `\`${decoded(path)}\` defines a command with the same name, which OpenCode uses instead of the skill. Delete the command, or rename one of them.`,
    related: [{ uri: `${project}/${path}`, span: span(0, 0), message: 'The command' }],
  };
}

/** Reports two skills with the same name in one folder, because a client loads only one of the skills or lists both. */
function* checkNeighbours(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const others = findSameNamed(file, analysis);
  const node = nameNode(file);
  if (!node || others.length === 0) return;
  const [first] = others.map(({ uri }) => decoded(fileNameOf(folderOf(uri))));
  yield {
    severity: 'warning',
    span: node.span,
    message: `The skill in the folder \`${first}\` also has the name \`${String(node.value)}\`, so clients load only one of the two, or cannot distinguish them. Give each skill the name of its folder.`,
    related: placesOf(others, analysis),
    fixes: renameTo(
      file,
      [findFolderName(file)].filter((name) => name !== node.value),
    ),
  };
}
