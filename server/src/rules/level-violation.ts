import type { Fix } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import { removeEntry } from '../languages/yaml/remove.ts';
import type { SkillDocument } from '../skill/document.ts';
import { skillsNamed, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

export const levelViolation: Rule = {
  name: 'level-violation',
  code: 'E010',
  severity: 'error',
  evidence: { kind: 'spec', source: 'composability specification, section 1.2' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    const { level, composes } = document.contract;
    const node = findValue(document.frontmatter.tree.root, 'level');
    if (level !== 1 || composes.length === 0 || !node) return;
    const wanted = levelAbove(index, document);
    const many = composes.length === 1 ? `\`${composes[0]?.name}\`` : `${composes.length} skills`;
    yield {
      span: node.span,
      message: `A skill of level 1 is atomic and composes nothing, but this one composes ${many}. ${wanted ? `Raise the level to ${wanted}, or remove` : 'Remove'} \`composes\`.`,
      related: composes.map(({ span, name }) => ({
        uri: document.uri,
        span,
        message: `\`${name}\` is composed here`,
      })),
      fixes: fixesOf(document, wanted),
    };
  },
};

/** The lowest level that may compose all parts; what is unknown counts as atomic. Undefined where a workflow is among them. */
function levelAbove(index: WorkspaceIndex, { contract }: SkillDocument): number | undefined {
  const levels = contract.composes.flatMap(({ name }) =>
    skillsNamed(index, name).map(({ summary }) => summary.level ?? 1),
  );
  const wanted = 1 + levels.reduce((highest, level) => Math.max(highest, level), 1);
  return wanted > 3 ? undefined : wanted;
}

function fixesOf(document: SkillDocument, wanted: number | undefined): readonly Fix[] {
  const { root } = document.frontmatter.tree;
  const level = findValue(root, 'level');
  if (root?.kind !== 'map' || level?.kind !== 'scalar') return [];
  const fixes = [
    ...(wanted ? [fixHere(document, `Raise the level to ${wanted}`, setScalar(document.text, level, wanted))] : []),
    fixHere(document, 'Remove `composes`', removeEntry(document.text, root, 'composes')),
  ];
  return fixes.filter(({ edits }) => edits.every(({ edits: here }) => here.length > 0));
}
