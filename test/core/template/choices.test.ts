/** Conditions such as `a or b`, and variables that stand for conditions: a template is reported if and only if it fails for some values. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { templateProblems } from '../../../server/src/skill/template-types.ts';
import { render } from './engine.ts';

const TEMPLATES = [
  '{% if a or b %}{{ a or b }}{{ a if a else b }}{% endif %}',
  '{% if a or b %}{% if a %}{{ a }}{% else %}{{ b }}{% endif %}{% endif %}',
  '{% if a or b or c %}{% if a %}{{ a }}{% elif b %}{{ b }}{% else %}{{ c }}{% endif %}{% endif %}',
  '{% if a or b or c %}{% if a %}{{ a }}{% else %}{{ b }}{% endif %}{% endif %}',
  '{% if not a and not b %}{% else %}{{ a or b }}{% endif %}',
  '{% if not a or b %}{% if a %}{{ b }}{% endif %}{% endif %}',
  '{% if not a or b %}{% if not a %}{{ b }}{% endif %}{% endif %}',
  '{% if a and b %}{% else %}{{ a or b }}{% endif %}',
  '{% if a or b %}{{ b }}{% endif %}',
  '{% if a or b %}{% set a = c %}{% if not a %}{{ b }}{% endif %}{% endif %}',
  '{% if a or b %}{% with b = c %}{% if not a %}{{ b }}{% endif %}{% endwith %}{% endif %}',
  '{% if a or b %}{% for a in [""] %}{{ b if not a }}{% endfor %}{% endif %}',
  '{% set any = a or b %}{% if any %}{{ a or b }}{% endif %}',
  '{% if (a or b) and (not b or c) %}{% if not a %}{{ b }}{% if b %}{{ c }}{% endif %}{% endif %}{% endif %}',
];

/** A variable that stands for a condition about values that are then changed. */
const CHANGED = [
  '{% set has = a %}{% if has %}{{ a }}{% endif %}',
  '{% set has = a is defined %}{% set a = c %}{% if has %}{{ a or "" }}{{ a }}{% endif %}',
  '{% set has = a and b %}{% for x in [1] %}{% with a = c %}{% if has %}{{ b }}{{ a }}{% endif %}{% endwith %}{% endfor %}',
  '{% set a = a %}{% if a %}{{ a }}{% endif %}',
  '{% set b = a %}{% set a = b %}{% if a and b %}{{ a }}{{ b }}{% endif %}',
  '{% set a = not a %}{% if a %}{{ a }}{% endif %}',
  '{% set a = a or b %}{% if a %}{{ b }}{% endif %}',
  '{% set has = a %}{% if has %}{% set a = "x" %}{{ a }}{% endif %}',
];

/** All combinations of a missing, an empty and a filled value. */
const VALUES = [undefined, '', 'x'].flatMap((a) =>
  [undefined, '', 'x'].flatMap((b) => [undefined, '', 'x'].map((c) => JSON.parse(JSON.stringify({ a, b, c })))),
);

for (const template of [...TEMPLATES, ...CHANGED])
  it(`is right about ${template}`, () => {
    const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: {a: string?, b: string?, c: string?}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n`;
    const { templates } = templateProblems(new SkillFile('file:///w/skills/t.skill.md', text));
    const fails = VALUES.some((values) => render(template, values, 'semi_strct').startsWith('!'));
    assert.equal((templates[0]?.problems ?? []).length > 0, fails);
  });

it('knows a choice of up to eleven operands', () => {
  const reported = (count: number): boolean => {
    const names = Array.from({ length: count }, (_, at) => `p${at}`);
    const condition = names.join(' or ');
    const schema = `{${names.map((name) => `${name}: string?`).join(', ')}}`;
    const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${schema}\nframing: main\n---\n\n## PromptTemplate: main\n\n{% if ${condition} %}{{ ${condition} }}{% endif %}\n`;
    const { templates } = templateProblems(new SkillFile('file:///w/skills/t.skill.md', text));
    return (templates[0]?.problems ?? []).length > 0;
  };
  assert.equal(reported(11), false);
  assert.equal(reported(12), true);
});
