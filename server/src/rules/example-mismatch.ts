import type { Draft } from '../finding.ts';
import type { ExampleData } from '../skill/artifact-data.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { draftsOfViolations } from './common/schema-problems.ts';
import { type Rule, SKILLS } from './rule.ts';

/** An example in the body or the contract whose data does not match the contract. */
export const exampleMismatch: Rule = {
  name: 'example-mismatch',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Example", and section 2' },
  dialects: SKILLS,
  *check(file) {
    yield* usageExamples(file);
    for (const data of file.examples) yield* draftsOf(file, data);
  },
};

function* usageExamples(file: SkillFile): Iterable<Draft> {
  const { examples, input, output } = file.contract;
  for (const example of examples) {
    for (const [side, value, schema] of [
      ['input', example.input, input?.schema],
      ['output', example.output, output?.schema],
    ] as const) {
      if (value)
        yield* draftsOfViolations(
          file,
          schema,
          value,
          `The ${side} of \`${example.name}\` does not match the contract`,
        );
    }
  }
}

function draftsOf(file: SkillFile, { artifact, side, fence, tree }: ExampleData): readonly Draft[] {
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
  const { contract } = file;
  const schema = (side === 'input' ? contract.input : contract.output)?.schema;
  if (!tree.root) return [];
  return draftsOfViolations(file, schema, tree.root, `The ${side} does not match the contract`);
}
