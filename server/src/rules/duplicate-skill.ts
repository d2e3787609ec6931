import { type IndexedSkill, isOfAccount, skillsNamed } from '../workspace/workspace-index.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Two files that define the same version of the same skill; reported at both. Other versions stand side by side. */
export const duplicateSkill: Rule = {
  name: 'duplicate-skill',
  code: 'duplicate-skill',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 4, "Side by side"' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    const { name, version } = document.contract;
    if (!name || !version) return;
    const same = ({ uri, summary }: IndexedSkill) =>
      uri !== document.uri && summary.version === version.name && SKILLS.includes(summary.dialect);
    // A skill of the account with the name of one of the workspace is hidden by it, which is no mistake.
    const scope = isOfAccount(index.graph, document.uri);
    const others = skillsNamed(index, name.name).filter(
      (other) => same(other) && isOfAccount(index.graph, other.uri) === scope,
    );
    if (others.length === 0) return;
    yield {
      span: name.span,
      message: `\`${name.name}\` ${version.name} is defined ${others.length === 1 ? 'in another file' : `in ${others.length} other files`} too, so a reference to it means neither for certain. Rename one, or give it another version.`,
      related: others.flatMap(({ uri }) => {
        const place = index.documents.get(uri)?.contract.name?.span;
        return place ? [{ uri, span: place, message: 'also defined here' }] : [];
      }),
    };
  },
};
