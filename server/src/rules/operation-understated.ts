import { setScalar } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import { effectiveContract, operationRank } from '../workspace/effective-contract.ts';
import { nameOf, placeIn, resolvedSkill } from './common/composed-skills.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/**
 * Reports a composite with a weaker operation than a skill that it composes. An operation that is not declared is
 * inferred.
 */
export const operationUnderstated: Rule = {
  name: 'operation-understated',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Effects and operation"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    const node = findValue(file.frontmatter.tree.root, 'operation');
    const own = root?.summary.operation;
    if (!root || root.summary.composes.length === 0 || node?.kind !== 'scalar') return;
    // `invalid-value` reports a word that is not a known operation.
    if (own === undefined || operationRank(own) < 0) return;
    const { operation } = effectiveContract(analysis.graph.closureOf(root));
    if (!operation || operationRank(operation.name) <= operationRank(own)) return;
    const { name, by } = operation;
    yield {
      span: node.span,
      message: `\`operation\` is \`${own}\`, but the composed skill \`${nameOf(by)}\` is \`${name}\`. Write \`${name}\`, or remove the key to have it inferred.`,
      related: placeIn(analysis, by, (contract) => contract.operation, `\`${nameOf(by)}\` is \`${name}\``),
      fixes: fixHere(file, `Raise the operation to \`${name}\``, setScalar(file.text, node, name)),
    };
  },
};
