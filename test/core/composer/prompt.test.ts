/** The text of a prompt and its framing (docs/composer.md): order, headings, segments, templates, unused prose. */
import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { composed, FENCE, failures, skill } from './composing.ts';

describe('the prompt', () => {
  test('contains framing, context, examples and request, in this order and under fixed headings', () => {
    const text = skill(
      'input_schema: {tone: string}\n',
      `
# Outline a scene

You outline scenes.

Keep   it short.

## Description: house style

One pair of eyes per scene.

## Example: the ferry

### Input

${FENCE}yaml
tone: grim
${FENCE}

### Output

Three beats.

## Rules

Never kill the cat.
`,
    );
    assert.equal(
      composed(text, { request: 'Outline the siege.', parameters: { tone: 'wry' } }).prompt,
      `You outline scenes.

Keep   it short.

## Rules

Never kill the cat.

## Context: house style

One pair of eyes per scene.

## Examples

### Example 1: the ferry

#### Input

${FENCE}yaml
tone: grim
${FENCE}

#### Output

Three beats.

## Request

Outline the siege.

${FENCE}yaml
tone: wry
${FENCE}`,
    );
  });

  test('contains no request section without a request or parameters', () => {
    assert.equal(composed(skill('', '\nDo it.\n')).prompt, 'Do it.');
  });

  test('uses a fence that is longer than any fence in the parameters', () => {
    const { prompt } = composed(skill('input_schema: {code: string}\n', '\nDo it.\n'), {
      parameters: { code: '````' },
    });
    assert.match(prompt, /\n`````yaml\ncode: "````"\n`````$/);
  });

  test('leaves out suppressions, but keeps other comments', () => {
    const text = skill(
      '',
      '\n<!-- skill-disable-next-line template-in-prose -->\nWrite {{ braces }}.\n<!-- kept -->\n',
    );
    assert.equal(composed(text).prompt, 'Write {{ braces }}.\n<!-- kept -->');
  });

  test('is divided into segments, each with its kind and location', () => {
    const text = skill(
      'input_schema: {tone: string}\nframing: main\n',
      '\n## Description: style\n\nShort.\n\n## PromptTemplate: main\n\nTone: {{ tone | upper }}.\n',
    );
    const { prompt, segments } = composed(text, { request: 'Go.', parameters: { tone: 'wry' } });
    assert.deepEqual(
      segments.map(({ start, end, part, kind, source }) => [
        part,
        kind,
        prompt.slice(start, end),
        source && text.slice(source.span.start, source.span.end),
      ]),
      [
        ['framing', 'authored', 'Tone: ', 'Tone: '],
        ['framing', 'value', 'WRY', '{{ tone | upper }}'],
        ['framing', 'authored', '.', '.'],
        ['framing', 'fixed', '\n\n', undefined],
        ['context', 'fixed', '## Context: style', '## Description: style'],
        ['context', 'fixed', '\n\n', undefined],
        ['context', 'authored', 'Short.', 'Short.'],
        ['context', 'fixed', '\n\n', undefined],
        ['request', 'fixed', '## Request', undefined],
        ['request', 'fixed', '\n\n', undefined],
        ['request', 'value', 'Go.', undefined],
        ['request', 'fixed', '\n\n', undefined],
        ['request', 'fixed', '```yaml\n', undefined],
        ['request', 'value', 'tone: wry', undefined],
        ['request', 'fixed', '\n```', undefined],
      ],
    );
  });
});

describe('the framing', () => {
  const variants = (model: string): string => {
    const text = skill(
      'framing: main\n',
      `\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: openai\n${FENCE}\nFor openai.\n\n## PromptTemplate: main\n\nFor all.\n\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: anthropic\n${FENCE}\nFor anthropic.\n`,
    );
    return composed(text, { model }).prompt.split('\n')[0] ?? '';
  };

  test('is the variant for the model, or else the variant without a model', () => {
    assert.deepEqual(['anthropic', 'openai', 'other'].map(variants), ['For anthropic.', 'For openai.', 'For all.']);
  });

  test('is the only template if the body has no prose', () => {
    assert.match(composed(skill('', '\n## PromptTemplate: only\n\nYou write.\n')).prompt, /^You write\.$/);
  });

  test('may include another template, and both templates are marked as used', () => {
    const { prompt, usedArtifacts } = composed(
      skill(
        'framing: main\n',
        '\n## PromptTemplate: main\n\nA {% include "part" %} C\n\n## PromptTemplate: part\n\nB\n',
      ),
    );
    assert.equal(prompt, 'A B C');
    assert.deepEqual(
      usedArtifacts.map(({ id, version }) => `${id} ${version}`),
      ['PromptTemplate:main 1.0.0', 'PromptTemplate:part 1.0.0'],
    );
  });

  test('fails at the position of an undefined variable', () => {
    const text = skill(
      'framing: main\ninput_schema: {tone: string}\n',
      '\n## PromptTemplate: main\n\n🦀 漢字 {{ tnoe }}\n',
    );
    const [error, ...more] = failures(text, { parameters: { tone: 'wry' } });
    assert.equal(more.length, 0);
    assert.equal(error?.kind, 'MalformedTemplate');
    assert.equal(error?.at, 'tnoe');
    assert.match(error?.suggestion ?? '', /`tone`/);
  });

  test('leaves out empty lines at both ends of a rendered template', () => {
    const text = skill(
      'framing: main\n',
      `\n## PromptTemplate: main\n\n${FENCE}jinja\n{% if true %}\n\n  A\n\n{% endif %}\n${FENCE}\n`,
    );
    assert.equal(composed(text).prompt, '  A');
  });
});

test('the first preferred model selects the variant, and the composition lists all preferred models', () => {
  const preferring = (written: string) =>
    composed(
      skill(
        `framing: main\nmodel_preference: ${written}\n`,
        `\n## PromptTemplate: main\n\nFor all.\n\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: small\n${FENCE}\nFor small.\n`,
      ),
    );
  assert.match(preferring('[small, large]').prompt, /^For small\./);
  assert.match(preferring('[large, small]').prompt, /^For all\./);
  assert.deepEqual(preferring('[small, large]').modelPreference, ['small', 'large']);
  assert.equal(preferring('small').modelPreference, 'small');
  assert.equal(composed(skill('', '\nDo it.\n')).modelPreference, null);
});

describe('the variant of a template', () => {
  const variant = (model: string): string =>
    `\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: ${model}\n${FENCE}\nFor ${model}.\n`;
  const files = (models: string, more = '') => ({
    'skills/test.skill.md': skill('framing: main\n', `${variant('openai')}${variant('anthropic')}${more}`),
    'skills.config.yaml': `models: ${models}\n`,
  });
  const reasons = (composition: ReturnType<typeof composed>) =>
    composition.decisions.map(({ taken, reason }) => `${taken ? 'used' : 'not used'}: ${reason}`);
  const families = '[openai, {name: claude-sonnet-4-5, family: anthropic}, {name: gpt-5, family: openai}]';

  test('is that of the family of the model, after that of the model itself', () => {
    const promptFor = (model: string, more = '') => composed(files(families, more), { model }).prompt;
    assert.equal(promptFor('claude-sonnet-4-5'), 'For anthropic.');
    assert.equal(promptFor('gpt-5'), 'For openai.');
    assert.equal(promptFor('anthropic'), 'For anthropic.');
    assert.equal(promptFor('claude-sonnet-4-5', variant('claude-sonnet-4-5')), 'For claude-sonnet-4-5.');
    assert.equal(promptFor('claude-sonnet-4-5', '\n## PromptTemplate: main\n\nFor all.\n'), 'For anthropic.');
    assert.equal(promptFor('mistral', '\n## PromptTemplate: main\n\nFor all.\n'), 'For all.');
  });

  test('is that of the family in composed skills, too', () => {
    const [test, catalog] = Object.values(files(families));
    const composite = {
      'skills/a.skill.md': skill('composes: [test]\n', '\nDo it.\n').replace('name: test', 'name: a'),
      'skills/test.skill.md': `${test}`
        .replaceAll('For anthropic.', 'Use #tool:a.')
        .replace('framing:', 'tools: [a]\nframing:'),
      'skills.config.yaml': `${catalog}tools: [{name: a, operation: READ}]\n`,
    };
    assert.deepEqual(composed(composite, { model: 'claude-sonnet-4-5' }).expectedToolCalls, ['a']);
    assert.deepEqual(composed(composite, { model: 'gpt-5' }).expectedToolCalls, []);
  });

  test('has a decision that says if it is only the first one', () => {
    assert.deepEqual(reasons(composed(files('[anthropic, openai]'), { model: 'claude-sonnet-4-5' })), [
      'used: used as the framing template: the first variant, for openai, because none is for claude-sonnet-4-5 or all models',
      'not used: the variant for openai is first, and none is for claude-sonnet-4-5 or all models',
    ]);
    assert.deepEqual(reasons(composed(files(families), { model: 'claude-sonnet-4-5' })), [
      'used: used as the framing template for anthropic',
      'not used: the variant for anthropic fits better',
    ]);
    assert.match(
      reasons(composed(files(families)))[0] ?? '',
      /the first variant, for openai, because none is for all models$/,
    );
  });
});

describe('unused prose', () => {
  test('is reported in a decision with the reason and the location', () => {
    const text = skill(
      'framing: main\n',
      `\nNot used.\n\n## PromptTemplate: main\n\nA note.\n\n${FENCE}jinja\nDo it.\n${FENCE}\n\n## Example: one\n\nAn aside.\n\n### Output\n\nDone.\n\n### Notes\n\nMore.\n`,
    );
    assert.deepEqual(
      composed(text)
        .decisions.filter(({ subject }) => subject === 'prose')
        .map(({ name, span, reason }) => `${name}: ${text.slice(span.start, span.end)} ${reason}`),
      [
        "main: A note. it is outside of the template's fence",
        'text outside of artifacts: Not used. the framing comes from main',
        'one: An aside. it is outside of Input and Output',
        'one: ### Notes\n\nMore. it is outside of Input and Output',
      ],
    );
  });
});

test('the prompt of a SKILL.md is its body and the request', () => {
  const text =
    '---\nname: notes\ndescription: Keeps notes.\n---\n\n# Notes\n\n## Example: not an artifact here\n\nWrite it down.\n';
  assert.match(
    composed({ 'notes/SKILL.md': text }, { request: 'Go.' }).prompt,
    /^# Notes\n\n## Example: .*\n\nWrite it down\.\n\n## Request\n\nGo\.$/s,
  );
});

test('removes empty lines around the framing, and keeps the indentation of its first line', () => {
  const framed = (template: string): string =>
    composed(skill('', `\n## PromptTemplate: main\n\n${template}\n`), { request: 'Go.' }).prompt;
  assert.equal(framed('{{ "\\n" * 900000 }}  Draft it.{{ " \\n" * 400000 }}'), '  Draft it.\n\n## Request\n\nGo.');
  assert.match(framed('{{ " " * 900000 ~ "x" }}'), /^ {900000}x\n/);
});

test('a body with only comments and one template uses that template as framing', () => {
  const body = '<!-- To do: a better name. -->\n\n## PromptTemplate: main\n\nDo it.\n';
  assert.equal(composed(skill('', body)).prompt, 'Do it.');
});
