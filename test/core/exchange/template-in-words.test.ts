/** The conversion of a template to prose, because no client renders templates in a `SKILL.md`. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { convertAlone, HEAD } from './emitting.ts';

test('writes conditions, loops and defaults of a template in words', () => {
  const template =
    '{% if tone == "grim" and not loud %}\nA.\n{% else %}\nB.\n{% endif %}\n{% for x in xs %}- {{ x.name | upper }}\n{% endfor %}\nAs {{ tone | default("wry") }}{% if a %}, c{% endif %}.';
  const [page] = convertAlone(`---\n${HEAD}---\n\n## PromptTemplate: p\n\n\`\`\`jinja\n${template}\n\`\`\`\n`).files;
  const text = page?.text ?? '';
  assert.match(text, /^If `tone` is `grim` and `loud` is not true:\n\n> A\.\n\nOtherwise:\n\n> B\.$/m);
  assert.match(text, /^For each `x` of `xs`:\n\n> - \{x\.name\}$/m);
  assert.match(text, /^As \{tone, else wry\}\[if `a` is true: , c\]\.$/m);
});

test('keeps filters that change the meaning of a value', () => {
  const template = 'A {{ xs | sort | first }}, {{ xs | last | upper }}, {{ tone | replace("a", "b") }}.';
  const [page] = convertAlone(`---\n${HEAD}---\n\n## PromptTemplate: p\n\n\`\`\`jinja\n${template}\n\`\`\`\n`).files;
  assert.match(page?.text ?? '', /^A \[the first of xs\], \[the last of xs\], \{tone \| replace\("a", "b"\)\}\.$/m);
});

test('leaves out an empty branch of a condition, and writes a default without quotes', () => {
  const template = 'Write {{ n }} line{{ "s" if n > 1 else "" }}{{ "" if n > 2 else ", briefly" }}.';
  const head = HEAD.replace('tone: string?', 'n: integer, tone: {type: string, default: wry}');
  const [page] = convertAlone(`---\n${head}---\n\n## PromptTemplate: p\n\n\`\`\`jinja\n${template}\n\`\`\`\n`).files;
  const text = page?.text ?? '';
  assert.match(text, /^Write \{n\} line\(s\)\[unless `n` is above 2: , briefly\]\.$/m);
  assert.match(text, /^- `tone` \(string, default `wry`\)$/m);
});

test('keeps spaces around conditional text in a line, and leaves out conditional text that is only white space', () => {
  const template =
    '{% for x in xs %}{{ "\\n" if not loop.first }}- {{ x }}{{ " (first)" if loop.first }}{% endfor %}\n' +
    'Go{% if far %} far{% endif %}.\n' +
    '{% for kind, group in xs | groupby("kind") %}{{ kind }}{% endfor %}';
  const [page] = convertAlone(`---\n${HEAD}---\n\n## PromptTemplate: p\n\n\`\`\`jinja\n${template}\n\`\`\`\n`).files;
  const text = page?.text ?? '';
  assert.match(text, /^> - \{x\} \[if it is the first: \(first\)\]$/m);
  assert.match(text, /^Go \[if `far` is true: far\]\.$/m);
  assert.match(text, /^For each `kind`, `group` of `xs`, grouped by `kind`:$/m);
});

test('quotes a default with several lines or with spaces at its ends', () => {
  for (const [value, shown] of [
    ['"a\\n## B"', String.raw`"a\n## B"`],
    ['" "', '" "'],
  ]) {
    const head = HEAD.replace('string?', `{type: string, default: ${value}}`);
    const text = convertAlone(`---\n${head}---\n\n## Description: d\n\nHi.\n`).files[0]?.text ?? '';
    assert.ok(text.includes(`- \`tone\` (string, default \`${shown}\`)`), text);
  }
});

test('backticks in a string do not end a code span in the page', () => {
  const head = `${HEAD.replace('string?', '{type: string, default: "a `b` ``c"}')}tools: [find-it]\n`;
  const template = '{% if tone == "`grim`" %}A.{% endif %}{% if tone[0:1] == "`" %}B.{% endif %}';
  const body = `## PromptTemplate: p\n\n~~~jinja\n${template}\n~~~\n`;
  const text = convertAlone(`---\n${head}---\n\n${body}`).files[0]?.text ?? '';
  assert.ok(text.includes('- `tone` (string, default ```a `b` ``c```)'), text);
  assert.ok(text.includes('`tone` is `` `grim` ``'), text);
  assert.ok(text.includes('If `tone[0:1]` is `` ` ``:'), text);
});

test('keeps and reports template code that cannot be written in words', () => {
  const { losses } = convertAlone(
    `---\n${HEAD}---\n\n## PromptTemplate: p\n\n\`\`\`jinja\n{% macro m() %}x{% endmacro %}{{ m() }}\n\`\`\`\n`,
  );
  assert.deepEqual(
    losses.map(({ what }) => what),
    ['`macro` in `p`'],
  );
});
