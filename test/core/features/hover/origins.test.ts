/** Hovers about the origin of a name, its value, and the other skills that use it. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { hoverAt } from '../cursor.ts';

const CATALOG = `tools: [{name: read_page, scope: read:pages, input_schema: {type: object, properties: {slug: {type: string}}}}]
scopes: [read:pages]
roles: {keeper: [read:pages]}
profiles: [{name: desk, role: keeper, tools: [read_page]}]
`;

const head = (rest: string) => `---\nname: test\n${rest}---\n`;
const inTemplate = (template: string, rest = '') =>
  hoverAt(`${head(`input_schema:\n  tone: [grim, wry]\n${rest}`)}\n## PromptTemplate: main\n\n${template}\n`)?.text ??
  '';

test('shows the other form of a schema', () => {
  const shorthand = hoverAt(head('input_$0schema: {tone: string, size: "integer?"}\n'))?.text ?? '';
  assert.match(shorthand, /As JSON Schema:.*"required": \[\s*"tone"\s*\]/s);
  const json = hoverAt(
    head(
      'output_$0schema: {type: object, properties: {page: {type: string}, tags: {type: array, items: {type: string}}}, required: [page]}\n',
    ),
  );
  assert.match(json?.text ?? '', /As shorthand:\n\n```yaml\npage: string\ntags: "string\[\]\?"\n```/);
  const unsaid =
    hoverAt(head('input_$0schema: {type: object, patternProperties: {"^a": {type: string}}}\n'))?.text ?? '';
  assert.doesNotMatch(unsaid, /shorthand:/i);
});

test("shows the other form of a tool's schema in the catalog", () => {
  const text = hoverAt({ 'skills.config.yaml': CATALOG.replace('input_schema', 'input_$0schema') })?.text ?? '';
  assert.match(text, /As shorthand:\n\n```yaml\nslug: "string\?"\n```/);
});

test('shows the declaration of a parameter and its values in samples', () => {
  const samples = 'samples:\n  dusk: {parameters: {tone: grim}}\n  bare: {}\n  noon: {parameters: {tone: wry}}\n';
  const text = inTemplate('{{ to$0ne }}', samples);
  assert.match(text, /_input, line 4_\n\nValues in samples\n\n- `dusk`: `"grim"`\n- `noon`: `"wry"`$/);
  assert.doesNotMatch(inTemplate('{{ to$0ne }}'), /samples/);
});

test('shows the start of a long value, and the first of many samples', () => {
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => `  ${name}: {parameters: {tone: ${'x'.repeat(99)}}}\n`).join('');
  const text = inTemplate('{{ to$0ne }}', `samples:\n${many}`);
  assert.match(text, /- `a`: `"x{59}…`\n- `b`.*\n- `c`.*\n- and 2 more$/);
});

test('shows the origin of a template variable', () => {
  assert.match(
    inTemplate('{% set a = tone %}\n{{ $0a }}'),
    /\*\*a\*\* · `grim \| wry` · set in this template · line 9/,
  );
  assert.match(
    inTemplate('{% if tone %}\n{% set a = 1 %}\n{% else %}\n{% set a = 2 %}\n{% endif %}{{ $0a }}'),
    /line 10, 12/,
  );
  assert.doesNotMatch(inTemplate('{% set $0a = tone %}'), /line/);
});

test('shows the signature of a macro', () => {
  assert.match(
    inTemplate('{% macro say(who, how="loud") %}{% endmacro %}\n{{ sa$0y("a") }}'),
    /```jinja\nsay\(who, how="loud"\)\n```/,
  );
});

test('shows the skill to which a field belongs', () => {
  const files = {
    'read.skill.md': '---\nname: read\nlevel: 1\ninput_schema: {id: string}\n---\n',
    'test.skill.md': head('level: 2\ncomposes: [{skill: read, input_mapping: {tone: i$0d}}]\n'),
  };
  assert.match(hoverAt(files)?.text ?? '', /_input of_ `read`/);
});

test('shows what a skill requires from its caller', () => {
  const files = {
    'read.skill.md':
      '---\nname: read\nversion: 1.2.0\ndescription: Reads.\nrequired_scopes: [read:pages]\nallowed_roles: [keeper]\ntools: [read_page]\neffects: [Query]\n---\n',
    'test.skill.md': head('composes: [re$0ad]\n'),
  };
  assert.match(
    hoverAt(files)?.text ?? '',
    /\*\*read\*\* · skill · 1\.2\.0\n\nReads\.\n\n- scopes: `read:pages`\n- roles: `keeper`\n- tools: `read_page`\n- effects: `Query`/,
  );
});

test('shows related scopes, roles and profiles', () => {
  const over = (from: string, to: string) => hoverAt({ 'skills.config.yaml': CATALOG.replace(from, to) })?.text ?? '';
  assert.match(over('scopes: [read:', 'scopes: [read:$0'), /Required by `read_page`\.\n\nGranted to `keeper`\./);
  assert.match(over('{keeper', '{kee$0per'), /Scopes: `read:pages`\.\n\nCallers: `desk`\./);
  const files = {
    'skills.config.yaml': CATALOG,
    'test.skill.md': head('samples: {one: {profile: de$0sk}}\n'),
  };
  assert.match(hoverAt(files)?.text ?? '', /profile.*Role: `keeper`\.\n\nTools: `read_page`\./s);
});

test('describes a suppressed rule', () => {
  const text = hoverAt('---\nname: test\n---\n\n<!-- skill-disable-next-line unknown-$0tool -->\n#tool:a\n')?.text;
  assert.match(text ?? '', /\*\*unknown-tool\*\* · rule · error by default/);
  assert.equal(
    hoverAt('---\nname: test\n---\n\n<!-- skill-disable-next-line no-such-$0rule -->\n#tool:a\n'),
    undefined,
  );
});

test('describes a field in words, and adds JSON Schema only if the words omit details', () => {
  const field = (line: string) => hoverAt(head(`input_schema:\n  ${line}\n`))?.text ?? '';
  assert.equal(
    field('ti$0tle: {type: string, min_length: 3, default: abc}'),
    '**title** · `string` · at least 3 characters · optional\n\nDefault: `"abc"`',
  );
  assert.equal(field('ca$0st: string[]'), '**cast** · `string[]` · required');
  assert.match(field('ro$0ad: {days: number}'), /^\*\*road\*\* · `object` · required\n\n```json/);
  assert.match(field('ro$0ad: {anyOf: [{type: string}, {type: integer}]}'), /```json/);
});

test('shows JSON Schema for a shorthand type only if its name differs in JSON Schema', () => {
  const type = (word: string) => hoverAt(head(`input_schema: {a: $0${word}}\n`))?.text ?? '';
  assert.equal(type('string'), '**string** · type\n\nText.');
  assert.match(type('date'), /"format": "date"/);
});

test('shows milliseconds in larger units', () => {
  const timeout = (ms: number) => hoverAt(head(`policy: {time$0out_ms: ${ms}}\n`))?.text ?? '';
  assert.match(timeout(160_000), /\n\nThis value: 2 min 40 s\.$/);
  assert.doesNotMatch(timeout(160), /This value/);
});
