import type { Draft } from '../finding.ts';
import type { ExampleData } from '../skill/artifact-data.ts';
import type { SkillDocument } from '../skill/document.ts';
import { sliceOf } from '../text.ts';
import { draftsOfViolations } from './common/violations.ts';
import type { Rule } from './rule.ts';

/** An example whose data does not fit the skill's own contract: the model would learn the wrong shape from it. */
export const exampleMismatch: Rule = {
  name: 'example-mismatch',
  code: 'example-mismatch',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 5, "Example"' },
  dialects: ['composer'],
  *check(_index, document) {
    for (const data of document.examples) yield* draftsOf(document, data);
  },
};

function draftsOf(document: SkillDocument, { artifact, side, fence, tree }: ExampleData): readonly Draft[] {
  if (!fence.uniform) return [];
  if (tree.broken) {
    return tree.problems
      .filter(({ kind }) => kind === 'syntax')
      .slice(0, 1)
      .map(({ span, message }) => ({
        span,
        message: `The ${side} of \`${artifact.name}\` cannot be read: ${message}`,
      }));
  }
  const { contract } = document;
  const schema = (side === 'input' ? contract.input : contract.output)?.schema;
  if (!tree.root) return [];
  const source = sliceOf(document.text, fence.contentSpan);
  return draftsOfViolations(document, schema, tree.root, `The ${side} does not fit the contract`, source);
}
