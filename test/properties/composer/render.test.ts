/**
 * Laws of rendering, over generated templates: pieces cover the output, nothing throws, and the static analysis agrees.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { TemplateEngine } from '../../../server/src/composer/render/engine.ts';
import { type RenderFailure, renderTemplate, type TemplateSource } from '../../../server/src/composer/render.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { unknownFilter, unknownTest } from '../../../server/src/rules/template/template-value-rules.ts';
import { undefinedVariable } from '../../../server/src/rules/template/undefined-variable.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { contains } from '../../../server/src/text.ts';
import { scaled } from '../../random.ts';
import { damage, type Random, randomOf, template } from '../template/generate.ts';

const engine = new TemplateEngine();

const CONTEXT: Readonly<Record<string, Json>> = {
  a: 1,
  b: 'text',
  user: { a: 'Ada', b: 2 },
  items: [1, 2, 3],
  x1: 2.5,
  _y: true,
};

const sourceOf = (name: string, text: string): TemplateSource => ({
  name,
  uri: name,
  span: { start: 0, end: text.length },
  text,
  artifact: name,
});

/** Sentences that usually render, and sometimes have an unknown name, filter or test. */
function sentence(random: Random, depth = 0): string {
  const name = () =>
    random.pick(['a', 'b', 'user.a', 'items', 'x1', '_y', 'x', random.chance(0.1) ? 'nosuch' : 'user']);
  const filter = () =>
    random.pick(['', '', ' | upper', ' | string | length', ' | default("")', random.chance(0.1) ? ' | nosuch' : '']);
  const test = () =>
    random.pick(['is defined', 'is string', 'is not none', random.chance(0.1) ? 'is nosuch' : 'is odd']);
  const dash = () => random.pick(['', '', '-', '+']);
  const inner = () => (depth > 2 ? 'deep' : sentence(random, depth + 1));
  const tag = (content: string) => `{%${dash()} ${content} ${dash()}%}`;
  const part = () => {
    switch (random.upTo(13)) {
      case 0:
      case 1:
      case 2:
        return `{{${dash()} ${name()}${filter()} ${dash()}}}`;
      case 3:
        return tag(`if ${name()} ${test()}`) + inner() + tag('else') + inner() + tag('endif');
      case 4:
        return tag('for x in items') + inner() + tag('endfor');
      case 5:
        return tag(`set x = ${name()}${filter()}`);
      case 6:
        return tag('set x') + inner() + tag('endset');
      case 7:
        return `${tag('raw')} {{ raw }} ${tag('endraw')}`;
      case 8:
        return tag('filter upper') + inner() + tag('endfilter');
      case 9:
        return `${tag('with x = 1')}${inner()}${tag('endwith')}{#${dash()} c ${dash()}#}`;
      case 10:
        return tag('include "other"');
      case 11:
        return `${tag('macro m(x)')}${inner()}${tag('endmacro')}{{ m(1) }}`;
      default:
        return random.pick([' word ', '\n', '\r\n', ' 💡 ', '\u00a0', '漢', '\t\n ']);
    }
  };
  return Array.from({ length: 1 + random.upTo(4) }, () => random.pick(['text ', ' ', '\n']) + part()).join('');
}

test('the pieces of rendered text have no gaps, and are nearly always exact', () => {
  const random = randomOf(7);
  let rendered = 0;
  let exact = 0;
  for (let i = 0; i < scaled(3000); i++) {
    const text = random.chance(0.2) ? template(random) : sentence(random);
    const templates = [sourceOf('main', text), sourceOf('other', '-{{ a }} o\n')];
    const result = renderTemplate(engine, { main: 'main', templates, context: { ...CONTEXT, nosuch: 1 } });
    if (!result.ok) continue;
    rendered++;
    if (result.exact) exact++;
    let at = 0;
    for (const { start, end, kind, uri, span } of result.pieces) {
      assert.ok(start === at && end > start, JSON.stringify(text));
      at = end;
      const source = templates.find(({ name }) => name === uri)?.text.slice(span.start, span.end);
      if (result.exact && kind === 'authored' && text.includes('{')) {
        assert.equal(result.text.slice(start, end), source, JSON.stringify(text));
      }
    }
    assert.equal(at, result.text.length, JSON.stringify(text));
  }
  assert.ok(rendered > scaled(1000), `only ${rendered} rendered`);
  // A template that captures an include, and then changes or measures the result, hides or breaks the marks in it.
  assert.ok(exact / rendered > 0.98, `${rendered - exact} of ${rendered} are not exact`);
});

test('rendering a damaged template never throws, and a failure has a span in the template', () => {
  const random = randomOf(8);
  for (let i = 0; i < scaled(3000); i++) {
    const text = damage(random, random.chance(0.5) ? template(random) : sentence(random));
    const result = renderTemplate(engine, { main: 'main', templates: [sourceOf('main', text)], context: CONTEXT });
    if (result.ok) continue;
    const { span, message } = result.failure;
    assert.ok(contains({ start: 0, end: text.length }, span) && span.start <= span.end, JSON.stringify(text));
    assert.notEqual(message, '');
  }
});

const HEAD = `---
name: draft-scene
description: Drafts a scene.
version: 1.0.0
input_schema: {a: integer, b: string, user: object, items: "integer[]", x1: number, _y: boolean}
framing: main
---

## PromptTemplate: main

`;
const analysis = new Workspace().analysis;

const RULES = [undefinedVariable, unknownFilter, unknownTest];

/** The findings about names, filters and tests, as spans of the file. */
function verdicts(file: SkillFile) {
  const found = RULES.flatMap((rule) => [...rule.check(file, analysis, RULES)]);
  return found.flatMap(({ span, related = [] }) => [span, ...related.map((place) => place.span)]);
}

const ABOUT_NAMES: readonly RenderFailure['reason'][] = [
  'undefined',
  'unknown-filter',
  'unknown-test',
  'unknown-function',
];

test('the analysis reports each name, filter and test that rendering reports, at the same position', () => {
  const random = randomOf(9);
  let reported = 0;
  for (let i = 0; i < scaled(2000); i++) {
    const file = new SkillFile(
      'file:///skills-here/skills/t.skill.md',
      `${HEAD}${sentence(random).replaceAll('include "other"', 'set y = 1')}\n`,
    );
    const [skillTemplate] = file.templates;
    if (!skillTemplate || skillTemplate.source.template.problems.length > 0) continue;
    const { template: parsed, scopes } = skillTemplate.inFile;
    const source = { ...sourceOf('main', parsed.text), span: parsed.span };
    const result = renderTemplate(engine, { main: 'main', templates: [source], context: CONTEXT });
    if (result.ok || !ABOUT_NAMES.includes(result.failure.reason)) continue;
    const { span, reason } = result.failure;
    // The analysis checks neither assignments in templates nor fields of values.
    const named =
      reason.startsWith('unknown') ||
      scopes.undefinedUses.some((use) => use.span.start === span.start && use.span.end === span.end);
    const use = scopes.uses.find((one) => one.span.start === span.start);
    if (!named && (use?.variable !== undefined || (use?.path.length ?? 0) > 0)) continue;
    reported++;
    assert.ok(
      verdicts(file).some(({ start, end }) => start === span.start && end === span.end),
      `${reason} at ${JSON.stringify(file.text.slice(span.start, span.end))} in ${JSON.stringify(parsed.text)}`,
    );
  }
  assert.ok(reported > scaled(100), `only ${reported} failures`);
});
