/** A schema that an edit does not change is not read again, but its span, fields and problems move. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';

const URI = 'file:///skills-here/skills/test.skill.md';

const skill = (...lines: readonly string[]): string =>
  ['---', 'name: test', 'description: Says something.', ...lines, '---', '', 'Say it.', ''].join('\n');

const SHORTHAND = [
  'input_schema:',
  '  place: strin',
  '  who:',
  '    names: string[]',
  '    age: {type: integer, default: x}',
];
const JSON_SCHEMA = [
  'output_schema:',
  '  type: object',
  '  properties:',
  '    place: {type: strnig}',
  '    people: {type: array, items: {$ref: "#/$defs/person"}}',
  '  $defs: {person: {type: object, properties: {name: {type: string}}}}',
];

/** The file after edits that turn the first text into each of the other texts in turn. */
const edited = (...texts: readonly string[]): SkillFile =>
  texts.slice(1).reduce((before, text) => before.edited(text), opened(texts[0] ?? ''));
const opened = (text: string): SkillFile => new SkillFile(URI, text);

const schemasOf = ({ contract }: SkillFile) =>
  [contract.input, contract.output].map((side) => {
    if (!side) return undefined;
    const { span, form, dialect, json, fields, problems } = side.schema;
    return { span, form, dialect, json, fields, problems };
  });

const BEFORE = skill(...SHORTHAND, ...JSON_SCHEMA);

for (const [what, after] of [
  ['a word before both schemas', BEFORE.replace('something', 'something more')],
  ['a line between the schemas', BEFORE.replace('output_schema', 'tags: [one]\noutput_schema')],
  ['a word after the schemas', BEFORE.replace('Say it.', 'Say it well.')],
  ['a key after the schemas', BEFORE.replace('\n---\n\nSay', '\ntags: [one]\n---\n\nSay')],
] as const) {
  test(`updates the schema after an edit to ${what}`, () => {
    assert.notEqual(after, BEFORE);
    assert.ok(schemasOf(opened(BEFORE)).every((side) => side?.problems.length && side.fields.length));
    const [first, now] = [edited(BEFORE), edited(BEFORE, after)];
    assert.deepEqual(schemasOf(now), schemasOf(opened(after)));
    assert.deepEqual(schemasOf(edited(BEFORE, after, BEFORE, after)), schemasOf(opened(after)));
    assert.deepEqual(schemasOf(edited(BEFORE, after, BEFORE)), schemasOf(opened(BEFORE)));
    // Fields and problems are computed on demand, and are the same if they were computed before the edit.
    schemasOf(first);
    assert.deepEqual(schemasOf(first.edited(after)), schemasOf(opened(after)));
    assert.equal(first.edited(after).contract.input?.schema.json, first.contract.input?.schema.json);
    assert.equal(first.edited(after).contract.output?.schema.json, first.contract.output?.schema.json);
  });
}

for (const [what, before, after] of [
  ['the schema itself', BEFORE, BEFORE.replace('strin\n', 'string\n')],
  [
    'the value of an alias',
    skill('x-type: &type string', 'input_schema: {place: *type}'),
    skill('x-type: &type number', 'input_schema: {place: *type}'),
  ],
  [
    'the indentation of the first key',
    skill('input_schema:', '  a: string', '  b: string'),
    skill('input_schema:', '    a: string', '  b: string'),
  ],
  [
    'the empty lines at the end of a string',
    skill('input_schema:', '  a:', '    type: string', '    default: |+', '      one', ''),
    skill('input_schema:', '  a:', '    type: string', '    default: |+', '      one', '', ''),
  ],
  ['the frontmatter that makes it invalid', BEFORE, BEFORE.replace('name: test', 'name: [test')],
  ['the key from input to output', skill('input_schema: {a: string}'), skill('output_schema: {a: string}')],
] as const) {
  test(`keeps nothing of the previous schema after an edit to ${what}`, () => {
    assert.notEqual(after, before);
    assert.deepEqual(schemasOf(edited(before, after)), schemasOf(opened(after)));
    assert.deepEqual(schemasOf(edited(before, after, before)), schemasOf(opened(before)));
  });
}
