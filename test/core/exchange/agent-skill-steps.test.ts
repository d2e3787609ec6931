/** The steps of a converted skill: the order in which its composed skills and its stages run. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { emit } from './emitting.ts';

const part = (name: string, takes: string, gives: string, more = ''): string =>
  `name: ${name}\ndescription: Does it.\nversion: 1.0.0\ninput_schema: {${takes}: string}\noutput_schema: {${gives}: string}\n${more}`;

const PARTS = {
  first: part('first', 'a', 'b'),
  second: part('second', 'b', 'c'),
  other: part('other', 'a', 'd', 'retry: {max_attempts: 3, retry_on: [BUSY]}\npolicy: {idempotent: true}\n'),
};

/** The headings of level 2 and 3 and the section `Steps` of the converted skill. */
function stepsOf(head: string, body: string): { readonly headings: readonly string[]; readonly steps: string } {
  const workspace = new Workspace();
  for (const [name, text] of Object.entries(PARTS))
    workspace.apply({ kind: 'text', uri: `file:///w/skills/${name}.skill.yaml`, text });
  const uri = 'file:///w/skills/a.skill.md';
  const text = `---\nname: a\ndescription: Does all.\nversion: 1.0.0\ninput_schema: {a: string}\noutput_schema: {c: string}\nlevel: 2\n${head}\n---\n\nGo.\n\n${body}`;
  workspace.apply({ kind: 'text', uri, text });
  const page = emit(uri, text, workspace).files[0]?.text ?? '';
  const [, steps = ''] = /^## (?:Order of the s|S)teps\n\n([\s\S]*?)(?=\n\n## |$(?![\s\S]))/m.exec(page) ?? [];
  return {
    headings: page.match(/^##.*/gm) ?? [],
    steps: steps
      .replace('If a step links to a page, read the page and follow the instructions there.\n\n', '')
      .replaceAll(/\[(\w+)\]\(references\/\w+\.md\)/g, '[$1]'),
  };
}

const COMPOSES = 'composes: [second, first]';
const STAGES = '## Approach\n\n1. **Read** it.\n2. **Tell** it.\n';

describe('the steps of a converted composite', () => {
  const cases: Readonly<Record<string, readonly [string, string, string]>> = {
    'are in the order of the data': [COMPOSES, '', '1. Follow [first].\n2. Follow [second].'],
    'contain independent skills in parallel': [
      'composes: [first, other]',
      '',
      '1. In any order, or in parallel:\n   - Follow [first].\n   - Follow [other]. If it fails with `BUSY`, try again, at most 3 times in total.',
    ],
    'begin with the skills that no stage refers to': [
      COMPOSES,
      STAGES,
      '1. Follow [first].\n2. Follow [second].\n3. **Read** it.\n4. **Tell** it.',
    ],
    'contain a skill before the stage that refers to it': [
      COMPOSES,
      '## Approach\n\nBe brief.\n\n1. **Read** it.\n2. **Tell** it with #skill:second.\n\nEnd.\n',
      'Be brief.\n\n1. Follow [first].\n2. **Read** it.\n3. Follow [second].\n4. **Tell** it with [second].\n\nEnd.',
    ],
    'begin with all steps of an execution': [
      `${COMPOSES}\nexecution: [{step: first}, {step: second, condition: $input.a == "x"}]`,
      '## Approach\n\n1. **Read** it.\n2. **Tell** it with #skill:first.\n',
      '1. Follow [first].\n2. If `a` is `x`: follow [second].\n3. **Read** it.\n4. **Tell** it with [first].',
    ],
    'are followed by an approach without stages': [
      'composes: [first]',
      '## Approach: slowly\n\nSlowly does it.\n',
      '1. Follow [first].\n\nSlowly does it.',
    ],
    'are not divided by stages if a model chooses the graph': [
      'composes: [first]\nplanner_delegates_shape: true',
      '## Approach\n\n1. **Tell** it with #skill:first.\n',
      '1. Follow [first].\n\n1. **Tell** it with [first].',
    ],
    'contain each approach with its condition': [
      'composes: [first, second]',
      '## Approach: short\n```yaml artifact\ninclude_when: a == "x"\n```\n\n1. **Tell** it with #skill:second.\n',
      '### Short\n\n*Only when `a` is `x`.*\n\n1. Follow [first].\n2. Follow [second].\n3. **Tell** it with [second].\n\n### Otherwise\n\n1. Follow [first].\n2. Follow [second].',
    ],
    'keep the nested text of a stage': [
      'composes: [first]',
      '## Approach\n\n10. **Read** it:\n\n    - the title\n      and more\n\n    Then stop.\n',
      '1. Follow [first].\n2. **Read** it:\n\n   - the title\n     and more\n\n   Then stop.',
    ],
  };
  for (const [title, [head, body, expected]] of Object.entries(cases)) {
    it(title, () => {
      const { headings, steps } = stepsOf(head, body);
      assert.equal(steps.trim(), expected);
      assert.equal(headings.filter((heading) => heading === '## Steps').length, 1);
    });
  }

  it('have the only heading `Steps`', () => {
    for (const body of ['## Steps\n\nText.\n', '## Description: steps\n\nText.\n']) {
      const { headings } = stepsOf('composes: [first]', `${body}\n${STAGES}`);
      assert.equal(headings.filter((heading) => heading === '## Steps').length, 1, body);
    }
  });
});
