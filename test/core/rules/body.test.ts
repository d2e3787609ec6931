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
