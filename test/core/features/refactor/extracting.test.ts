/** Extracting a part of a template into an include, and selected text into a parameter. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { SkillFile } from '../../../../server/src/skill/skill-file.ts';
import { refactored, skill, titlesIn } from './refactoring.ts';

const EMPTY = ['input_schema: {}'];

describe('extracting a part of a template', () => {
  const title = 'Extract into an included template';
  const head = ['input_schema: {tone: string, cast: "string[]"}', 'framing: main'];

  it('adds an include, and moves the part into a new template after the section', () => {
    const offer = refactored(
      title,
      skill(
        head,
        '## PromptTemplate: main',
        '',
        'One.',
        '',
        '«{% if tone %}',
        'Be {{ tone }}.',
        '{% endif %}',
        '»{{ cast }}',
        '',
        '## Description: d',
        '',
        'D.',
      ),
    );
    assert.equal(
      offer.text,
      skill(
        head,
        '## PromptTemplate: main',
        '',
        'One.',
        '',
        '{% include "part" %}',
        '{{ cast }}',
        '',
        '## PromptTemplate: part',
        '',
        '{% if tone %}',
        'Be {{ tone }}.',
        '{% endif %}',
        '',
        '## Description: d',
        '',
        'D.',
      ),
    );
    assert.equal(offer.renames, 'part');
  });

  it('keeps the fence and the white-space control of tags', () => {
    const { text } = refactored(
      title,
      skill(
        head,
        '## PromptTemplate: main',
        '',
        '```jinja',
        'a',
        '«{%- for one in cast -%}',
        '{{ one }}',
        '{%- endfor -%}»',
        '{{ tone }}',
        '```',
      ),
    );
    assert.equal(
      text,
      skill(
        head,
        '## PromptTemplate: main',
        '',
        '```jinja',
        'a',
        '{%- include "part" -%}',
        '{{ tone }}',
        '```',
        '',
        '## PromptTemplate: part',
        '',
        '```jinja',
        '{%- for one in cast -%}',
        '{{ one }}',
        '{%- endfor -%}',
        '```',
      ),
    );
  });

  it('adds the key `framing` if there was only one template', () => {
    const { text } = refactored(title, skill(EMPTY, '## PromptTemplate: main', '', 'One. «Two.»'));
    assert.equal(
      text,
      skill(
        [...EMPTY, 'framing: main'],
        '## PromptTemplate: main',
        '',
        'One. {% include "part" %}',
        '',
        '## PromptTemplate: part',
        '',
        'Two.',
      ),
    );
  });

  it('is not offered for incomplete tags or blocks, for definitions, or for text that uses `loop`', () => {
    const none = (template: string) =>
      assert.deepEqual(
        titlesIn(skill(head, '## PromptTemplate: main', '', template, '', '{{ tone }}{{ cast }}')).filter(
          (one) => one === title,
        ),
        [],
        template,
      );
    none('{{ «tone» }}');
    none('«{% if tone %}a»{% endif %}');
    none('«{% set x = tone %}»{{ x }}');
    none('{% for one in cast %}«{{ loop.index }}»{% endfor %}');
    none('{% macro m() %}«a»{% endmacro %}{{ m() }}');
    none('{% raw %}«a»{% endraw %}');
  });
});

describe('extracting selected text into a parameter', () => {
  const title = 'Extract into a parameter';

  it('adds a field with the text as its default, and a value to every sample', () => {
    const offer = refactored(
      title,
      skill(
        [
          'input_schema:',
          '  tone: string',
          'framing: main',
          'samples:',
          '  a: {parameters: {tone: wry}}',
          '  b:',
          '    request: x',
          '    parameters:',
          '      tone: grim',
        ],
        '## PromptTemplate: main',
        '',
        'Be {{ tone }} for «the Lantern Coast».',
      ),
    );
    assert.equal(
      offer.text,
      skill(
        [
          'input_schema:',
          '  tone: string',
          '  the_lantern_coast: {type: string, default: the Lantern Coast}',
          'framing: main',
          'samples:',
          '  a: {parameters: {tone: wry, the_lantern_coast: the Lantern Coast}}',
          '  b:',
          '    request: x',
          '    parameters:',
          '      tone: grim',
          '      the_lantern_coast: the Lantern Coast',
        ],
        '## PromptTemplate: main',
        '',
        'Be {{ tone }} for {{ the_lantern_coast }}.',
      ),
    );
    assert.equal(offer.renames, 'the_lantern_coast');
  });

  it('converts literal framing to a template', () => {
    const { text } = refactored(title, skill(['input_schema: {}'], 'Do it «in verse ».'));
    assert.equal(
      text,
      skill(
        ['input_schema:', '  in_verse: {type: string, default: in verse}', 'framing: framing'],
        '## PromptTemplate: framing',
        '',
        'Do it {{ in_verse }} .',
      ),
    );
  });

  it('declares the other names, too, if it adds the first schema, which makes names that it lacks undefined', () => {
    const { text } = refactored(
      title,
      skill(
        ['framing: main'],
        '## PromptTemplate: main',
        '',
        'Be {{ tone }} for {% for one in cast %}{{ one.name }}{% endfor %} «in verse».',
      ),
    );
    assert.match(
      text,
      /\ninput_schema:\n {2}tone: string\n {2}cast: .*\n {2}in_verse: \{type: string, default: in verse\}\n/,
    );
  });

  it('adds the field to a JSON Schema, and quotes text that YAML would read differently', () => {
    const { text } = refactored(
      title,
      skill(
        ['input_schema:', '  type: object', '  properties:', '    tone: {type: string}', 'framing: main'],
        '## PromptTemplate: main',
        '',
        '{{ tone }} «010»',
      ),
    );
    assert.match(text, /\n {4}tone: \{type: string\}\n {4}value: \{type: string, default: "010"\}\n/);
    assert.match(text, /\{\{ tone \}\} \{\{ value \}\}/);
  });

  it('keeps numbers and booleans if they render as the same text', () => {
    const declared = (value: string) =>
      /value: (\{.*\})|true: (\{.*\})/.exec(
        refactored(title, skill(['input_schema: {}'], `Do it «${value}» x.`)).text,
      )?.[1];
    assert.equal(declared('5'), '{type: integer, default: 5}');
    assert.equal(declared('-0.25'), '{type: number, default: -0.25}');
    assert.equal(declared('1.50'), '{type: string, default: "1.50"}');
    assert.match(
      refactored(title, skill(['input_schema: {}'], 'Set «false».')).text,
      /\{type: boolean, default: false\}/,
    );
  });

  it('writes a long default on several lines, with the same text', () => {
    const long =
      'Be brief: "at most" 120 words, # in tables of three columns, for people who have little time to read it.';
    const { text } = refactored(
      title,
      skill(['input_schema: {}', 'framing: main'], '## PromptTemplate: main', '', `«${long}»`),
    );
    assert.match(text, /\n {4}default: >-\n {6}Be brief: "at most" 120 words, .*\n {6}\S.* to read it\.\nframing/);
    const { contract } = new SkillFile('file:///a.skill.md', text);
    const json = contract.input?.schema.fields[0]?.json as { default?: string } | undefined;
    assert.equal(json?.default, long);
  });

  it('writes long schemas on several lines', () => {
    const long = 'a very long description of the harbour at the end of the long winter';
    const inBraces = skill(
      ['input_schema: {tone: string, cast: "string[]"}', 'framing: main'],
      '## PromptTemplate: main',
      '',
      `{{ tone }}{{ cast }} «${long}»`,
    );
    assert.match(
      refactored(title, inBraces).text,
      /\ninput_schema:\n {2}tone: string\n {2}cast: "string\[\]"\n {2}a_very_long:\n {4}type: string\n {4}default: a very .* winter\n/,
    );
    const below = skill(
      ['input_schema:', '  tone: string', 'framing: main'],
      '## PromptTemplate: main',
      '',
      `{{ tone }} «${long}»`,
    );
    assert.match(
      refactored(title, below).text,
      /\n {2}a_very_long:\n {4}type: string\n {4}default: a very .* winter\n/,
    );
  });

  it('keeps the anchor of a schema', () => {
    const long = 'a very long description of the harbour at the end of the long winter';
    const head = ['input_schema: &in {tone: string}', 'output_schema: *in', 'framing: main'];
    const { text } = refactored(title, skill(head, '## PromptTemplate: main', '', `{{ tone }} «${long}»`));
    assert.match(text, /\ninput_schema: &in \{tone: string, a_very_long: \{type: string, default: .*\}\}\n/);
  });

  it('is not offered for tags, references or several lines', () => {
    const none = (marked: string) =>
      assert.deepEqual(
        titlesIn(
          skill(
            ['input_schema: {a: string}', 'framing: main', 'tools: [read_page]'],
            '## PromptTemplate: main',
            '',
            marked,
            '',
            '{{ a }}',
          ),
        ).filter((one) => one === title),
        [],
        marked,
      );
    none('{{ «a» }}');
    none('Use «#tool:read_page».');
    none('«one\ntwo»');
    none('{% macro m() %}«one»{% endmacro %}{{ m() }}');
  });
});
