import type { Fix } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { bumpFor, changesBetween, reaches, versionAfter } from '../skill/breaking-changes.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A contract that has changed more than its version says; only where there is a baseline to compare it with. */
export const breakingChange: Rule = {
  name: 'breaking-change',
  code: 'breaking-change',
  severity: 'error',
  evidence: { kind: 'spec', source: 'composability specification, section 4; skill-format.md, section 4' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    const baseline = index.baselines.get(document.uri);
    const { version } = document.contract;
    const old = baseline?.contract.version?.name;
    if (!baseline || baseline.frontmatter.tree.broken || !version) return;
    const changes = changesBetween(baseline.contract, document.contract);
    const bump = bumpFor(changes);
    const demanded = bump && versionAfter(old, bump);
    if (!demanded || bump === 'patch' || reaches(version.name, demanded) !== false) return;
    const largest = changes.filter((change) => change.bump === bump);
    const shown = largest.slice(0, 3).map(({ message }) => message);
    const more = largest.length > 3 ? `; and ${largest.length - 3} more` : '';
    const why = bump === 'major' ? 'That breaks who relies on it' : 'That adds to the contract';
    yield {
      span: version.span,
      message: `Since \`${old}\` ${shown.join('; ')}${more}. ${why}, so the version has to be at least \`${demanded}\`.`,
      related: largest.slice(0, 30).map(({ span, message }) => ({ uri: document.uri, span, message })),
      fixes: bumpTo(document, demanded),
    };
  },
};

function bumpTo(document: SkillDocument, version: string): readonly Fix[] {
  const node = findSkillEntry(document.frontmatter.tree.root, 'version')?.value;
  if (node?.kind !== 'scalar') return [];
  return [fixHere(document, `Set the version to \`${version}\``, setScalar(document.text, node, version))];
}
