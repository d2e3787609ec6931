import type { Draft } from '../../finding.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { ExampleData } from '../../skill/artifact-data.ts';
import { draftsOfViolations, insertField } from '../contract/schema-problems.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** An example in the body or the contract whose data does not match the contract. */
export const exampleMismatch: Rule = {
  name: 'example-mismatch',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Example", and section 2' },
  dialects: SKILLS,
  readsTests: true,
  *check(file) {
    for (const side of ['input', 'output'] as const) {
      const schema = (side === 'input' ? file.contract.input : file.contract.output)?.schema;
      const usages = file.contract.examples.flatMap((example) => {
        const value = example[side];
        return value ? [{ what: `The ${side} of \`${example.name}\` does not match the contract`, value }] : [];
      });
      const data = file.examples.filter((one) => one.side === side && one.fence.uniform);
      for (const one of data) yield* syntaxDrafts(one);
      const examples = data.flatMap(({ tree }) =>
        tree.root && !tree.broken ? [{ what: `The ${side} does not match the contract`, value: tree.root }] : [],
      );
      const all = [...usages, ...examples].map(({ what, value }) => ({
        what,
        value,
        insert: (name: string, field: Json) => insertField(file, value, name, field),
      }));
      yield* draftsOfViolations(file, schema, all, 'example');
    }
  },
};

function* syntaxDrafts({ artifact, side, tree }: ExampleData): Iterable<Draft> {
  const problem = tree.broken ? tree.problems.find(({ kind }) => kind === 'syntax') : undefined;
  if (!problem) return;
  const { span, message } = problem;
  yield { span, message: `The ${side} of \`${artifact.name}\` cannot be read: ${message}` };
}
