/** Each fix that moves or adds a step keeps the other steps and their comments, and removes its finding. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { visitExecution } from '../../../server/src/skill/execution/steps.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { contract } from '../../core/workspace/skills.ts';
import { cases } from '../../random.ts';

const URI = 'file:///w/whole.skill.yaml';

/** Skills of which each needs the output of the one before it. */
const CHAIN = ['a', 'b', 'c', 'd', 'e'];

const skillAt = (at: number): string =>
  contract(
    CHAIN[at] ?? '',
    `input_schema: {${at === 0 ? 'topic' : `out_${CHAIN[at - 1]}`}: string}`,
    `output_schema: {out_${CHAIN[at]}: string}`,
  );

/** How a step is written: in braces or as a block, with a reference or by name, with a comment above it. */
interface Step {
  readonly name: string;
  readonly isFlow: boolean;
  readonly isExplicit: boolean;
  readonly comment: boolean;
}

const inputsOf = ({ name, isExplicit }: Step): string | undefined => {
  const before = CHAIN[CHAIN.indexOf(name) - 1];
  return isExplicit && before ? `{out_${before}: $${before}.output.out_${before}}` : undefined;
};

function linesOf(step: Step): readonly string[] {
  const inputs = inputsOf(step);
  const above = step.comment ? [`# about ${step.name}`] : [];
  if (step.isFlow) return [...above, `- {step: ${step.name}${inputs ? `, inputs: ${inputs}` : ''}}`];
  return [...above, `- step: ${step.name}`, ...(inputs ? [`  inputs: ${inputs}`] : [])];
}

type Group = { readonly steps: readonly Step[]; readonly kind: 'steps' | 'parallel' | 'arm' };

const indented = (lines: readonly string[], by: number): readonly string[] =>
  lines.map((line) => ' '.repeat(by) + line);

function groupLines({ steps, kind }: Group): readonly string[] {
  const lines = steps.flatMap(linesOf);
  if (kind === 'steps' || steps.length < 2) return lines;
  if (kind === 'parallel') return ['- parallel:', ...indented(lines, 6)];
  return ['- when:', '    - condition: topic == "x"', '      steps:', ...indented(lines, 8)];
}

const groups: fc.Arbitrary<readonly Group[]> = fc
  .tuple(
    fc.shuffledSubarray(CHAIN, { minLength: 2 }),
    fc.array(fc.record({ isFlow: fc.boolean(), isExplicit: fc.boolean(), comment: fc.boolean() }), {
      minLength: 5,
      maxLength: 5,
    }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('steps', 'parallel', 'arm')), {
      minLength: 5,
      maxLength: 5,
    }),
  )
  .map(([names, styles, cuts]) => {
    const steps = names.map((name, at): Step => ({ name, ...(styles[at] as Omit<Step, 'name'>) }));
    const found: Group[] = [];
    for (const [size, kind] of cuts as readonly [number, Group['kind']][]) {
      const taken = steps.splice(0, size);
      if (taken.length > 0) found.push({ steps: taken, kind });
    }
    return found;
  });

function fileOf(text: string) {
  const workspace = new Workspace();
  CHAIN.forEach(
    (name, at) => void workspace.apply({ kind: 'text', uri: `file:///w/${name}.skill.yaml`, text: skillAt(at) }),
  );
  workspace.apply({ kind: 'text', uri: URI, text });
  return { file: workspace.analysis.file(URI) ?? assert.fail(), analysis: workspace.analysis };
}

test('a step that is moved or added leaves the other steps as they are, and removes its finding', () => {
  let fixes = 0;
  fc.assert(
    fc.property(groups, fc.boolean(), (found, isCrlf) => {
      const lines = found.flatMap(groupLines);
      const source = `${contract('whole', 'level: 2', 'input_schema: {topic: string}', 'output_schema: {out_e: string?}', `composes: [${CHAIN.join(', ')}]`, 'execution:')}${indented(lines, 2).join('\n')}\n`;
      const text = isCrlf ? source.replaceAll('\n', '\r\n') : source;
      const { file, analysis } = fileOf(text);
      for (const { rule, message, fixes: offered } of check(file, analysis)) {
        const fix = offered.find(({ title }) => /^(?:Run|Add a step)/.test(title));
        if (!fix) continue;
        fixes++;
        const after = applyEdits(
          text,
          fix.edits.flatMap(({ edits }) => edits),
        );
        const now = fileOf(after);
        assert.deepEqual(now.file.frontmatter.tree.problems, [], after);
        const left = check(now.file, now.analysis).map((one) => one.rule + one.message);
        assert.ok(!left.includes(rule + message), `${fix.title}\n${text}\n${after}`);
        const namesIn = (one: typeof file) => (visitExecution(one)?.steps ?? []).map(({ name }) => name).sort();
        const added = /^Add a step that runs `(\w)`/.exec(fix.title)?.[1];
        assert.deepEqual(namesIn(now.file), [...namesIn(file), ...(added ? [added] : [])].sort(), after);
        for (const comment of text.match(/# about \w/g) ?? []) assert.equal(after.split(comment).length, 2, after);
        assert.equal(/[^\r]\n/.test(after), !isCrlf, 'line breaks');
      }
    }),
    cases(600),
  );
  assert.ok(fixes > 20, `${fixes} fixes`);
});
