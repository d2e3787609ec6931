/** Hovers on a composite and on its composed skills. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { contract } from '../../workspace/skills.ts';
import { hoverAt } from '../cursor.ts';

const files = (whole: string): Readonly<Record<string, string>> => ({
  'whole.skill.yaml': whole,
  'fetch.skill.yaml': contract(
    'fetch',
    'version: 1.4.0',
    'level: 1',
    'required_scopes: [read:pages]',
    'allowed_roles: [editor]',
    'effects: [Network]',
    'operation: READ',
    'output_schema: {page: string}',
    'policy: {budget: {p95_ms: 300, cost_usd: 0.2}}',
  ),
  'old/fetch.skill.yaml': contract('fetch', 'version: 1.0.0', 'level: 1'),
  'post.skill.yaml': contract(
    'post',
    'level: 1',
    'input_schema: {page: string}',
    'effects: [Mutate]',
    'operation: WRITE',
    'interrupts: [before_write]',
    'policy: {budget: {p95_ms: 50}}',
  ),
  'other.skill.yaml': contract('other', 'composes: [fetch]'),
});

const WHOLE = contract(
  'whole',
  'level: 2',
  'allowed_roles: [editor, reader]',
  'required_scopes: [read:maps]',
  'composes: [fetch, post]',
  'requires: [{skill: fetch, version: "^1.0.0"}]',
);

const hoverOn = (pattern: string, text = WHOLE): string =>
  hoverAt(files(text.replace(pattern, `${pattern.slice(0, -1)}$0${pattern.slice(-1)}`)))?.text ?? '';

describe('the hover of a composite', () => {
  for (const [what, place] of [
    ['the name', 'name: whole'],
    ['`composes`', 'composes'],
    ['`level`', 'level'],
    ['the value of `level`', 'level: 2'],
  ] as const) {
    it(`shows the effective contract on ${what}`, () =>
      assert.match(hoverOn(place), /\*\*Including 2 composed skills\*\*/));
  }

  const text = hoverOn('composes');

  it('shows the needs and effects of the skill and all composed skills', () => {
    assert.match(text, /^- scopes: `read:maps`, `read:pages`$/m);
    assert.match(text, /^- roles: `editor`$/m);
    assert.match(text, /^- effects: `Network`, `Mutate`$/m);
    assert.match(text, /^- operation: WRITE, from `post`$/m);
    assert.match(text, /^- interrupts: `before_write`$/m);
    assert.match(text, /^- p95 on the slowest path: 350 ms \(`fetch` → `post`\)$/m);
    assert.match(text, /^- cost: \$0\.2$/m);
  });

  it('shows undeclared needs of composed skills', () => {
    assert.match(
      text,
      /\*\*Not declared here\*\*\n\n- scope `read:pages`, for `fetch`\n- interrupt `before_write`, for `post`/,
    );
    assert.match(text, /- the role `reader` may invoke this skill, but not all composed skills/);
  });

  it('shows the order of the composed skills as stages', () => {
    assert.match(text, /1\. `fetch`\n2\. `post`/);
    const parallel = WHOLE.replace('requires:', 'execution: [{parallel: [{step: fetch}, {step: post}]}]\nrequires:');
    assert.match(hoverOn('composes', parallel), /1\. `fetch`, `post`$/);
  });

  it('shows neither order nor budget in a cycle', () => {
    const ring = hoverOn('composes', WHOLE.replace('[fetch, post]', '[fetch, whole]'));
    assert.match(ring, /The skill composes itself, directly or indirectly, so it would never end\./);
    assert.doesNotMatch(ring, /p95|1\. /);
  });

  it('shows nothing for an atomic skill', () => {
    assert.doesNotMatch(hoverOn('level', contract('whole', 'level: 1')), /Including/);
  });
});

describe('the hover of a composed skill', () => {
  it('shows the resolved version and the skills that compose it', () => {
    const text = hoverOn('[fetch');
    assert.match(text, /`\^1\.0\.0` resolves to 1\.4\.0, of `1\.4\.0`, `1\.0\.0`\./);
    assert.match(text, /Composed by `other`, `whole`\./);
  });

  it('shows that a range excludes the version of the skill', () => {
    assert.match(hoverOn('[fetch', WHOLE.replace('^1.0.0', '^2.0.0')), /`\^2\.0\.0` does not allow 1\.4\.0/);
  });

  it('shows no version if there is only one version and no range', () => {
    const text = hoverOn(', post');
    assert.doesNotMatch(text, /[Rr]esolves/);
    assert.match(text, /Composed by `whole`\./);
  });
});
