/** The text of a prompt and its framing (docs/composer.md): order, headings, segments, templates, and prose that goes nowhere. */
import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { composed, FENCE, failures, skill } from './composing.ts';

describe('the prompt', () => {
  test('framing, context, examples and request stand in this order under fixed headings', () => {
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

  test('without words and parameters there is no request', () => {
    assert.equal(composed(skill('', '\nDo it.\n')).prompt, 'Do it.');
  });

  test('a fence is as long as the parameters need', () => {
    const { prompt } = composed(skill('input_schema: {code: string}\n', '\nDo it.\n'), {
      parameters: { code: '````' },
    });
    assert.match(prompt, /\n`````yaml\ncode: "````"\n`````$/);
  });

  test('what silences a rule is not part of the prompt, other comments are', () => {
    const text = skill(
      '',
      '\n<!-- skill-disable-next-line template-in-prose -->\nWrite {{ braces }}.\n<!-- kept -->\n',
    );
    assert.equal(composed(text).prompt, 'Write {{ braces }}.\n<!-- kept -->');
  });

  test('segments tile it, and each tells what it is and where it stands', () => {
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

  test('the exact variant of the model, else the one without', () => {
    assert.deepEqual(['anthropic', 'openai', 'other'].map(variants), ['For anthropic.', 'For openai.', 'For all.']);
  });

  test('a body without prose and with one template is framed by it', () => {
    assert.match(composed(skill('', '\n## PromptTemplate: only\n\nYou write.\n')).prompt, /^You write\.$/);
  });

  test('an include takes another template, and both are used', () => {
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

  test('an undefined variable is an error at its place', () => {
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

  test('blank lines that a template prints at its ends are not part of the prompt', () => {
    const text = skill(
      'framing: main\n',
      `\n## PromptTemplate: main\n\n${FENCE}jinja\n{% if true %}\n\n  A\n\n{% endif %}\n${FENCE}\n`,
    );
    assert.equal(composed(text).prompt, '  A');
  });
});

test('of several preferred models the first chooses the variant, and all are carried through', () => {
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

describe('prose that goes nowhere', () => {
  test('has a decision that says why, at the prose', () => {
    const text = skill(
      'framing: main\n',
      `\nNot used.\n\n## PromptTemplate: main\n\nA note.\n\n${FENCE}jinja\nDo it.\n${FENCE}\n\n## Example: one\n\nAn aside.\n\n### Output\n\nDone.\n\n### Notes\n\nMore.\n`,
    );
    assert.deepEqual(
      composed(text)
        .decisions.filter(({ subject }) => subject === 'prose')
        .map(({ name, span, reason }) => `${name}: ${text.slice(span.start, span.end)} ${reason}`),
      [
        "main: A note. it stands beside the template's fence",
        'text outside of artifacts: Not used. the framing comes from main',
        'one: An aside. it stands outside of Input and Output',
        'one: ### Notes\n\nMore. it stands outside of Input and Output',
      ],
    );
  });
});

test('a skill of the open standard is its body and the request', () => {
  const text =
    '---\nname: notes\ndescription: Keeps notes.\n---\n\n# Notes\n\n## Example: not an artifact here\n\nWrite it down.\n';
  assert.match(
    composed({ 'notes/SKILL.md': text }, { request: 'Go.' }).prompt,
    /^# Notes\n\n## Example: .*\n\nWrite it down\.\n\n## Request\n\nGo\.$/s,
  );
});

test('blank lines around a framing go, however many a template prints, and the first indentation stays', () => {
  const framed = (template: string): string =>
    composed(skill('', `\n## PromptTemplate: main\n\n${template}\n`), { request: 'Go.' }).prompt;
  assert.equal(framed('{{ "\\n" * 900000 }}  Draft it.{{ " \\n" * 400000 }}'), '  Draft it.\n\n## Request\n\nGo.');
  assert.match(framed('{{ " " * 900000 ~ "x" }}'), /^ {900000}x\n/);
});

test('a body of comments and one template is framed by the template', () => {
  const body = '<!-- To do: a better name. -->\n\n## PromptTemplate: main\n\nDo it.\n';
  assert.equal(composed(skill('', body)).prompt, 'Do it.');
});
