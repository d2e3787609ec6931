/**
 * The law of templates: if `check` reports nothing about a template, the skill composes for every value that matches its
 * input schema, and no part of the prompt is `<iterator>`.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { createComposer } from '../../../server/src/composer/compose.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { cases } from '../../random.ts';
import { KINDS, type KindOfCode, randomTemplate, Tape } from './random-templates.ts';

const URI = 'file:///law/skills/law.skill.md';

/** Findings that are not about what a template does with its values. */
const OTHER: readonly string[] = ['unused-parameter', 'unused-template'];

const composer = createComposer();
const workspace = new Workspace();

const tape = (least: number, most: number) =>
  fc.array(fc.nat(99_999), { minLength: least, maxLength: most, size: 'max' });

/** The choices for a template, and for three values. */
const choices = fc.tuple(tape(20, 300), tape(40, 40), tape(40, 40), tape(40, 40));

// Each of the 500 templates is checked and rendered three times, which takes about eight seconds.
it('a template without a finding renders for every value', () => {
  const seen = new Set<KindOfCode>();
  let all = 0;
  let silent = 0;
  const law = fc.property(choices, ([template, ...values]) => {
    const { text, kinds, parameters } = randomTemplate(new Tape(template));
    workspace.apply({ kind: 'text', uri: URI, text });
    const { analysis } = workspace;
    const file = analysis.file(URI);
    const skillPackage = checkedPackageOf(analysis, URI);
    assert.ok(file && skillPackage);
    all++;
    if (check(file, analysis).some(({ rule }) => !OTHER.includes(rule))) return;
    silent++;
    for (const kind of kinds) seen.add(kind);
    for (const one of values) {
      const given = parameters(new Tape(one));
      const options = { parameters: given, request: 'Go.' };
      const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, URI), undefined, options);
      const result = composer.compose(request);
      const shown = `${text}\n${JSON.stringify(given)}`;
      assert.ok(result.ok, `${shown}\n${result.ok ? '' : result.errors.map(({ message }) => message).join('\n')}`);
      assert.ok(!result.composition.prompt.includes('<iterator>'), `${shown}\n${result.composition.prompt}`);
    }
  });
  fc.assert(law, cases(6000));
  assert.ok(silent > all / 2, `only ${silent} of ${all} templates have no finding`);
  const missing = KINDS.filter((kind) => !seen.has(kind));
  assert.deepEqual(missing, [], 'each kind occurs in a template without a finding');
});
