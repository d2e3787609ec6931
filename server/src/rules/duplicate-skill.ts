import { type IndexedSkill, isOfAccount } from '../workspace/workspace-index.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Two files that define the same version of the same skill; reported at both. Other versions stand side by side. */
export const duplicateSkill: Rule = {
  name: 'duplicate-skill',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Side by side"' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { name, version } = file.contract;
    if (!name || !version) return;
    const same = ({ uri, summary }: IndexedSkill) =>
      uri !== file.uri && summary.version === version.name && SKILLS.includes(summary.dialect);
    // A skill of the workspace may hide one of the account that has its name.
    const scope = isOfAccount(analysis.graph, file.uri);
    const others = analysis
      .skillsNamed(name.name)
      .filter((other) => same(other) && isOfAccount(analysis.graph, other.uri) === scope);
    if (others.length === 0) return;
    yield {
      span: name.span,
      message: `\`${name.name}\` ${version.name} is defined ${others.length === 1 ? 'in another file' : `in ${others.length} other files`} too, so a reference to it means neither for certain. Rename one, or give it another version.`,
      related: others.flatMap(({ uri }) => {
        const place = analysis.file(uri)?.contract.name?.span;
        return place ? [{ uri, span: place, message: 'also defined here' }] : [];
      }),
    };
  },
};
