/** Cases of the rules for the body that their pages cannot show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crlf, findingsOf, fixed, rulesOf } from './findings.ts';

const PATH = 'skills/a.skill.md';

const head = (...keys: readonly string[]): string =>
  ['---', 'name: a', 'description: Says it.', 'version: 1.0.0', 'input_schema: {}', ...keys, '---', '', ''].join('\n');

const TEMPLATE = '## PromptTemplate: main\n\nSay it.\n';
const framed = (body: string): string => `${head('framing: main')}${body}`;

describe('prose beside a framing template', () => {
  const unused = (body: string): readonly string[] =>
    findingsOf(PATH, framed(body)).map(({ rule, span }) => `${rule} ${framed(body).slice(span.start, span.end)}`);

  it('is reported once, at its first line', () => {
    assert.deepEqual(unused(`Be brief.\nBe kind.\n\n${TEMPLATE}\n# Notes\n\nMore.\n`), ['unused-prose Be brief.']);
    assert.deepEqual(unused(`<!-- a note -->\n\nBe {{ brief }}.\n\n${TEMPLATE}`), ['unused-prose Be {{ brief }}.']);
    assert.deepEqual(unused(`${TEMPLATE}\n## Steps\n\n1. Read.\n`), ['unused-prose ## Steps']);
  });

  it('is not reported if it has no words outside of headings and comments', () => {
    for (const body of ['# A title\n\n', '<!-- a note -->\n\n', '# Title\n\n## Templates\n\n', '---\n\n', '']) {
      assert.deepEqual(unused(`${body}${TEMPLATE}`), [], body);
    }
  });

  it('is not reported if the template is unknown, or another rule reports the section', () => {
    assert.deepEqual(
      rulesOf(findingsOf(PATH, `${head('framing: nope')}Be brief.\n\n${TEMPLATE}`)).includes('unused-prose'),
      false,
    );
    assert.deepEqual(unused(`${TEMPLATE}\n## Exmaple: x\n\nText.\n`), ['unknown-artifact-kind Exmaple']);
    assert.deepEqual(unused(`${TEMPLATE}\n## CodeTemplate: x\n\nText.\n`), ['retired-artifact-kind CodeTemplate']);
  });

  it('is a sample if it has inputs, in a fence or not, and a fix moves it', () => {
    const text = (samples: string, sections: string) =>
      `${head(`framing: main${samples}`).replace('{}', '{tone: string}')}${TEMPLATE.trimEnd()}\n${sections}`;
    const move = 'Move it to `samples`';
    const one = '\nsamples: {one: {parameters: {tone: grim}}}';
    for (const content of ['tone: grim', '```yaml\ntone: grim\n```', 'parameters: {tone: grim}']) {
      const before = text('', `\n## Sample: one\n\n${content}\n`);
      const [only, ...more] = findingsOf(PATH, before).filter(({ rule }) => rule !== 'unused-parameter');
      assert.deepEqual([only?.rule, more], ['unknown-artifact-kind', []], content);
      const after = fixed(PATH, before, move);
      assert.match(after, /^samples: \{one: \{parameters: \{tone: grim\}\}\}$/m);
      assert.doesNotMatch(after, /## Sample/);
      assert.equal(fixed(PATH, crlf(before), move), crlf(after));
    }
    const second = text(one, '\n## Sample: two\n\ntone: wry\n\n## Description: x\n\nText.\n');
    assert.match(fixed(PATH, second, move), /two: \{parameters: \{tone: wry\}\}[\s\S]*## Description: x/);
    const taken = findingsOf(PATH, text(one, '\n## Sample: one\n\ntone: wry\n'));
    assert.deepEqual(taken.find(({ rule }) => rule === 'unknown-artifact-kind')?.fixes, []);
    assert.match(
      fixed(PATH, text('\nsamples: {}', '\n## Sample: one\n\ntone: wry\n'), move),
      /^samples: \{one: .*\}\nf|^samples: \{one: .*\}\n-/m,
    );
    // The fix would delete the text and the comments.
    const yaml = '```yaml\ntone: grim\n```';
    for (const content of [
      `Why.\n\n${yaml}`,
      `${yaml}\n\nWhy.`,
      `${yaml}\n\n${yaml}`,
      yaml.replace('grim', 'grim # why'),
    ]) {
      const found = findingsOf(PATH, text('', `\n## Sample: one\n\n${content}\n`));
      const sample = found.find(({ rule }) => rule === 'unknown-artifact-kind');
      assert.deepEqual(sample?.fixes, [], content);
    }
    for (const content of ['Keep it short.', 'parameters: see below', 'mood: grim', '- tone: grim', 'tone: [grim', ''])
      assert.ok(
        !rulesOf(findingsOf(PATH, text('', `\n## Sample: one\n\n${content}\n`))).includes('unknown-artifact-kind'),
        content,
      );
  });

  it('may name a tool that is not declared, because the text is not composed', () => {
    assert.deepEqual(unused(`Call #tool:look.\n\n${TEMPLATE}`), ['unused-prose Call #tool:look.']);
    assert.deepEqual(rulesOf(findingsOf(PATH, `${head()}Call #tool:look.\n`)), ['undeclared-tool']);
    const both = framed(`Call #tool:look.\n\n${TEMPLATE}\n## Description: more\n\nCall #tool:look.\n`);
    const [, tool] = findingsOf(PATH, both);
    assert.deepEqual([tool?.rule, tool?.span.start], ['undeclared-tool', both.lastIndexOf('#tool')]);
  });

  it('can be suppressed', () => {
    assert.deepEqual(unused(`<!-- skill-disable-next-line unused-prose -->\nBe brief.\n\n${TEMPLATE}`), []);
  });

  it('becomes a Description, with its sections and line breaks', () => {
    const text = framed(`Be brief.\n\n${TEMPLATE}\n## Steps\n\n1. Read.\n`);
    const wanted = framed(`## Description: notes\n\nBe brief.\n\n${TEMPLATE}\n## Description: Steps\n\n1. Read.\n`);
    assert.equal(fixed(PATH, text, 'Turn the text into a Description'), wanted);
    assert.equal(fixed(PATH, crlf(text), 'Turn the text into a Description'), crlf(wanted));
    assert.deepEqual(findingsOf(PATH, wanted), []);
  });

  it('is not offered as a Description if a level-1 heading or a name prevents this', () => {
    for (const body of [
      `${TEMPLATE}\n# One\n\nText.\n\n# Two\n\nText.\n`,
      `Text.\n\n${TEMPLATE}\n## Description: notes\n\nX.\n`,
    ]) {
      const fixes = findingsOf(PATH, framed(body)).flatMap((finding) => finding.fixes.map(({ title }) => title));
      assert.deepEqual(fixes, ['Remove `framing`, so that this text is the framing', 'Remove the text'], body);
    }
  });

  it('becomes the framing, or is removed', () => {
    const text = framed(`Be brief.\n\n${TEMPLATE}\n## Steps\n\n1. Read.\n`);
    assert.equal(
      fixed(PATH, text, 'Remove `framing`, so that this text is the framing'),
      text.replace('framing: main\n', ''),
    );
    assert.equal(fixed(PATH, text, 'Remove the text'), framed(TEMPLATE));
  });
});

describe('a part of an Example', () => {
  const reported = (body: string): readonly string[] => {
    const text = `${head()}Say it.\n\n${body}`;
    return findingsOf(PATH, text).map(({ span, fixes }) => {
      return `${text.slice(span.start, span.end)} → ${fixes.map(({ title }) => title)}`;
    });
  };
  const example = (input: string, output: string): string =>
    `## Example: x\n\n${input}\n\nA storm.\n\n${output}\n\nRain.\n`;

  it('is reported once if its heading is misspelt or has another level', () => {
    const input = ['### Inputs', '### Inptu', '### Sample input', '#### Input', '## Input', '### Input (YAML)'];
    for (const heading of input) {
      assert.deepEqual(reported(example(heading, '### Output')), [`${heading} → Replace with \`### Input\``], heading);
    }
    const output = ['### Outputs', '### Ouput:', '### Expected output', '##### Output', '## Output'];
    for (const heading of output) {
      const written = heading.replace(':', '');
      const [found, ...others] = reported(example('### Input', heading));
      assert.deepEqual(others, [], heading);
      assert.ok(found?.startsWith(written) && found.endsWith('### Output`'), found);
    }
    assert.deepEqual(reported(example('## Input', '## Output')).length, 2);
  });

  it('is not reported if the Example has the part, or if the heading names another part', () => {
    for (const body of [
      '### Input\n\na\n\n### Output\n\n#### Output format\n\nb\n',
      '### Input\n\n#### Inputs\n\na\n\n### Output\n\nb\n',
      '### Input:\n\na\n\n### OUTPUT\n\nb\n\n## Input\n\nText.\n',
    ]) {
      assert.deepEqual(reported(`## Example: x\n\n${body}`), [], body);
    }
    assert.deepEqual(reported('## Input\n\nText.\n\n## Output\n\nText.\n'), []);
  });
});

describe('metadata that is not marked', () => {
  const reported = (info: string, yaml: string, kind = 'Description'): readonly string[] =>
    findingsOf(PATH, `${head()}Say it.\n\n## ${kind}: x\n\n\`\`\`${info}\n${yaml}\n\`\`\`\n\nText.\n`).flatMap(
      ({ rule, severity }) => (rule === 'invalid-artifact-metadata' ? [severity] : []),
    );

  it('is a warning if the first block has the keys or the name of metadata', () => {
    for (const info of ['yaml', 'yml', '', 'artifact', 'yaml metadata', 'yaml meta', 'yaml artefact']) {
      assert.deepEqual(reported(info, 'include_when: scope == "channel"'), ['warning'], info);
    }
    assert.deepEqual(reported('yaml', 'tags: [a]\nassertions:\n  - {type: contains, value: a}', 'Example'), [
      'warning',
    ]);
  });

  it('is not reported if the fence has other keys or another language', () => {
    assert.deepEqual(reported('yaml', 'tags: [a]'), []);
    assert.deepEqual(reported('yaml', 'include_when: a\nplace: b'), []);
    assert.deepEqual(reported('yaml', '# nothing'), []);
    assert.deepEqual(reported('text', 'include_when: a'), []);
  });
});

describe('a sample that must fail', () => {
  const sample = (expect: string, a = '5'): string =>
    `${head(`samples: {x: {parameters: {a: ${a}}, expect: {fails: ${expect}}}}`).replace('input_schema: {}', 'input_schema: {a: string}')}Say it.\n`;

  it('may have parameters that do not match', () => {
    for (const text of [sample('ParameterMismatch'), sample('ParameterMismatch', '{}')]) {
      assert.deepEqual(rulesOf(findingsOf(PATH, text)), []);
    }
  });

  it('names a kind of error that exists', () => {
    const [finding, ...others] = findingsOf(PATH, sample('ParamaterMismatch'));
    assert.deepEqual(others, []);
    assert.equal(finding?.rule, 'invalid-value');
    assert.deepEqual(
      finding?.fixes.map(({ title }) => title),
      ['Replace with `ParameterMismatch`'],
    );
  });
});

describe('a heading in another language', () => {
  it('is not a misspelt kind', () => {
    for (const heading of ['Exemples', 'Exemple', 'Exemplos', 'Approche', 'Descripción', 'Beispiel', 'Ejemplo']) {
      assert.deepEqual(findingsOf(PATH, `${head()}## ${heading}\n\nTexte.\n`), [], heading);
    }
  });
});

describe('an Example at another level', () => {
  const example = (mark: string) =>
    `${head()}Say it.\n\n${mark} Example: one\n\n${mark}# Input\n\nX.\n\n${mark}# Output\n\nY.\n`;

  it('is reported if it has an input and an output', () => {
    const [finding, ...others] = findingsOf(PATH, example('###'));
    assert.equal(
      finding?.message,
      '`### Example` does not begin an artifact, because it is not a level-2 heading. Did you mean `## Example`?',
    );
    assert.deepEqual(others, []);
    assert.deepEqual(findingsOf(PATH, example('###').replace('#### Output', '#### Notes')), []);
  });

  it('is part of the artifact that contains it', () => {
    assert.deepEqual(findingsOf(PATH, example('###').replace('Say it.', 'Say it.\n\n## Description: a')), []);
  });
});

it('a text in `framing` is not the name of a template', () => {
  for (const value of ['""', '"  "', 'Greet {{ who }}.', '|\n  Greet.\n  Be kind.']) {
    const findings = findingsOf(PATH, `${head(`framing: ${value}`)}Say it.\n`);
    assert.deepEqual(
      findings.map(({ message }) => message.slice(0, 48)),
      ['`framing` must be the name of a PromptTemplate. '],
      value,
    );
  }
});

describe('text of another language in a template', () => {
  const keep = 'Keep it as text with `{% raw %}`';
  for (const body of [
    '```yaml\nif: ${{ a.b == 1 && !c() }}\nrun: ${{ d }}\n```',
    '{{#each xs}}\n{{this.name}} {{y}}{{else}}none\n{{/each}} {{> part}} {{{ raw }}} {{! note }} {{^x}}',
    '### Title {#title}\n\nText.',
    '\\newcommand{\\a}[1]{#1}\n\\textbf{{x}} and $x^{{2}}$\n\\newcommand{\\b}{%\n',
  ]) {
    it(`is kept by one fix: ${JSON.stringify(body)}`, () => {
      const text = framed(`## PromptTemplate: main\n\n${body}\n\nSay it.\n`);
      const after = fixed(PATH, text, keep);
      assert.deepEqual(rulesOf(findingsOf(PATH, after)), []);
      assert.equal(after.replace(/\{% (?:end)?raw %\}/g, ''), text);
    });
  }

  it('is a tag if its name is an input, and a typo if it is nearly one', () => {
    const inputs = (body: string) => framed(`## PromptTemplate: main\n\n${body}\n`).replace('{}', '{price: number}');
    assert.deepEqual(rulesOf(findingsOf(PATH, inputs('Costs ${{ price }}.'))), []);
    const [found] = findingsOf(PATH, inputs('Costs ${{ prise }}, ${{ price }}.'));
    assert.match(found?.message ?? '', /Did you mean `price`/);
    assert.deepEqual(
      found?.fixes.map(({ title }) => title),
      ['Replace with `price`', keep],
    );
  });

  it('in `{% raw %}` has no finding, and other tags are kept', () => {
    const text = framed('## PromptTemplate: main\n\n{% raw %}{{#if}}{% endraw %} {{/if}} {{ scope }}\n');
    assert.match(
      fixed(PATH, text, keep),
      /\{% raw %\}\{\{#if\}\}\{% endraw %\} \{% raw %\}\{\{\/if\}\}\{% endraw %\} \{\{ scope \}\}/,
    );
  });
});

describe('tags in text that is not rendered', () => {
  const CONVERT = 'Convert the framing to a template';
  const of = (text: string) => findingsOf(PATH, text).filter(({ rule }) => rule === 'template-in-prose');
  const titles = (text: string): readonly string[] => of(text).flatMap(({ fixes }) => fixes.map(({ title }) => title));

  it('are one finding for the framing, and one for the sections of one kind', () => {
    const inputs = head().replace('{}', '{a: string, b: string}');
    const notes = '## Description: x\n\nIt is {{ a }}.\n\n## Description: y\n\nIt is {{ b }}.\n';
    const text = `${inputs}Say {{ a }} and {{ b }}.\n\nSay {{ a }} again.\n\n${notes}`;
    assert.deepEqual(
      of(text).map(({ span, related }) => [text.slice(span.start, span.end), related.length]),
      [
        ['{{ a }}', 2],
        ['{{ a }}', 1],
      ],
    );
  });

  it('become tags of a template that has their names as inputs', () => {
    const text = `${head().replace('input_schema: {}\n', '')}For {{ a }}:\n{% for b in list %}{{ b }}{% endfor %}\n`;
    const title = `${CONVERT}, and add 2 inputs`;
    assert.deepEqual(titles(text), [title]);
    const after = fixed(PATH, text, title);
    assert.match(after, /^input_schema: \{a: string, list: any\}\nframing: framing$/m);
    assert.match(after, /^## PromptTemplate: framing\n\nFor \{\{ a \}\}:\n\{% for b in list %\}/m);
    assert.deepEqual(rulesOf(findingsOf(PATH, after)), []);
    assert.equal(fixed(PATH, crlf(text), title), crlf(after));
  });

  it('stay text if the template would have a syntax error, or a name that cannot be an input', () => {
    for (const tag of [
      '{{#each items}}x{{/each}}',
      '{% if a %}',
      '{{ a b }}',
      '{{ due() }}',
      '{{ if .a }}',
      '{{ end }}',
    ])
      assert.deepEqual(titles(`${head()}Say {{ a }} and ${tag}.\n`), [], tag);
  });
});
