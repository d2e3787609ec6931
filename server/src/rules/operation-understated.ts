import type { Analysis } from '../analysis/analysis.ts';
import type { RelatedLocation } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import { operationRank, strongestOperation } from '../workspace/effective-contract.ts';
import { nameOf, placeIn, resolvedSkill } from './common/composed-skills.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/**
 * Reports a skill with a weaker operation than one of its tools or a skill that it composes. An operation that is not
 * declared is inferred.
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
    if (!root || node?.kind !== 'scalar') return;
    // `invalid-value` reports a word that is not a known operation.
    if (own === undefined || operationRank(own) < 0) return;
    const strongest = strongestOperation([root, ...analysis.graph.closureOf(root)], analysis.operationOfTool);
    if (!strongest || operationRank(strongest.name) <= operationRank(own)) return;
    const { name, by, tool } = strongest;
    const source = by === root ? `the tool \`${tool}\`` : `the composed skill \`${nameOf(by)}\``;
    yield {
      span: node.span,
      message: `\`operation\` is \`${own}\`, but ${source} is \`${name}\`. Write \`${name}\`, or remove the key to have it inferred.`,
      related: tool === undefined ? placeOfOperation(analysis, strongest) : placesOfTool(analysis, strongest, tool),
      fixes: fixHere(file, `Raise the operation to \`${name}\``, setScalar(file.text, node, name)),
    };
  },
};

type Strongest = NonNullable<ReturnType<typeof strongestOperation>>;

const placeOfOperation = (analysis: Analysis, { by, name }: Strongest): RelatedLocation[] =>
  placeIn(analysis, by, (contract) => contract.operation, `\`${nameOf(by)}\` is \`${name}\``);

/** Returns the location of a tool in `tools`, and in the catalog. */
function placesOfTool(analysis: Analysis, { by, name }: Strongest, tool: string): RelatedLocation[] {
  const message = `The tool \`${tool}\` is \`${name}\``;
  const declared = analysis.parsedCatalogOf(by.uri).tools.get(tool);
  return [
    ...placeIn(analysis, by, ({ tools }) => tools.find((one) => one.name === tool), message),
    ...(declared?.uri && declared.span ? [{ uri: declared.uri, span: declared.span, message }] : []),
  ];
}
