/** The partial prompt of a skill that does not compose. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { PartialPrompt } from '../../../server/src/composer/composition.ts';
import { endedResult } from '../../../server/src/services/composing/ended-result.ts';
import { compose, type Files, type Options, prepared, skill } from './composing.ts';

function partial(files: Files, options: Options = {}): PartialPrompt {
  const result = compose(prepared(files, options).request);
  if (result.ok) assert.fail('it composes');
  return result.partial;
}

/** Returns the text of each segment of the given kinds. */
const shown = (prompt: PartialPrompt, ...kinds: readonly string[]): readonly string[] =>
  prompt.segments.filter(({ kind }) => kinds.includes(kind)).map(({ start, end }) => prompt.prompt.slice(start, end));

const outlined = (template: string, head = ''): string =>
  skill(
    `framing: outline\ninput_schema: {tone: string}\n${head}`,
    `\n## PromptTemplate: outline\n\n${template}\n\n## Description: house style\n\nOne pair of eyes.\n`,
  );

test('replaces a failing expression with a gap, and keeps the rest', () => {
  const prompt = partial(outlined('Be {{ tone }} of {{ topci | upper }} in {{ tone | nope }} words.'), {
    parameters: { tone: 'grim' },
  });
  assert.match(prompt.prompt, /^Be grim of \{\{ topci \| upper \}\} in \{\{ tone \| nope \}\} words\.\n\n## Context/);
  assert.deepEqual(shown(prompt, 'gap'), ['{{ topci | upper }}', '{{ tone | nope }}']);
  assert.deepEqual(shown(prompt, 'value').slice(0, 1), ['grim']);
});

test('repeats a gap for each iteration of a loop, with its location in the file', () => {
  const text = outlined('{% for n in [1, 2] %}{{ n }}: {{ who }}\n{% endfor %}');
  const prompt = partial(text, { parameters: { tone: 'x' } });
  assert.deepEqual(shown(prompt, 'gap'), ['{{ who }}', '{{ who }}']);
  const [gap] = prompt.segments.filter(({ kind }) => kind === 'gap');
  assert.equal(text.slice(gap?.source?.span.start, gap?.source?.span.end), '{{ who }}');
});

test('shows a template with a failing tag as one gap, and keeps the other prompt parts', () => {
  const prompt = partial(outlined('{% if tone %}Open'), { parameters: { tone: 'x' } });
  assert.deepEqual(shown(prompt, 'gap'), ['{% if tone %}Open']);
  assert.match(prompt.prompt, /## Context: house style\n\nOne pair of eyes\./);
});

test('returns the whole prompt and its tokens even if it exceeds the budget', () => {
  const config = 'composer: {context_tokens: 5}\n';
  const files = { 'skills.config.yaml': config, 'skills/test.skill.md': outlined('Be {{ tone }}.') };
  const prompt = partial(files, { parameters: { tone: 'grim' } });
  assert.match(prompt.prompt, /^Be grim\..*```$/s);
  assert.equal(prompt.tokens.budget, 5);
  assert.ok(prompt.tokens.total > 5);
});

test('returns segments that cover the prompt without holes or overlaps', () => {
  const prompt = partial(outlined('{{ a }}{{ b }}\n{% set x %}{{ c }}{% endset %}{{ x }} end'), {
    parameters: { tone: 'x' },
  });
  assert.equal(prompt.segments.map(({ start, end }) => prompt.prompt.slice(start, end)).join(''), prompt.prompt);
  assert.deepEqual(shown(prompt, 'gap'), ['{{ a }}', '{{ b }}']);
});

test('shows the parts that do not depend on an invalid invocation', () => {
  const prompt = partial(outlined('Be {{ tone }}.'));
  assert.deepEqual(shown(prompt, 'gap'), ['{{ tone }}']);
  assert.match(prompt.prompt, /^Be \{\{ tone \}\}\.\n\n## Context: house style/);
});

test('keeps the prose if the frontmatter is invalid', () => {
  const prompt = partial('---\nname: [test\n---\nDo it well.\n');
  assert.deepEqual(shown(prompt, 'authored'), ['Do it well.']);
});

test('shows the source of all templates if the framing is ambiguous', () => {
  const text = skill('', '\n## PromptTemplate: a\n\nBe {{ tone }}.\n\n## PromptTemplate: b\n\nBe brief.\n');
  assert.deepEqual(
    shown(partial(text), 'gap').map((gap) => gap.trim()),
    ['Be {{ tone }}.', 'Be brief.'],
  );
});

test('shows the source of the template after composing is stopped', () => {
  const { request } = prepared(outlined('Be {{ tone }}.'), { parameters: { tone: 'grim' } });
  const result = endedResult(request, 'time', 2);
  if (result.ok) assert.fail('it composes');
  assert.equal(result.partial.prompt.trim(), 'Be {{ tone }}.');
  assert.equal(result.partial.segments[0]?.kind, 'gap');
  assert.ok(result.partial.tokens.total > 0);
});
