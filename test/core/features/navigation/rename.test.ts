/** The edits of a rename (F2), for each kind of name, and the refused renames. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { editsForMoves } from '../../../../server/src/features/rename/moved-files.ts';
import { editsOfRecorded, isRefusal, rename } from '../../../../server/src/features/rename/rename.ts';
import { afterRename, analysisOf, at, type Files, preparedAt, renamedAt, WORLD } from './world.ts';

test('renames a parameter in the whole skill and in mappings of its composites', () => {
  assert.deepEqual(renamedAt('find-page.skill.md', '  to¦ne: string', 'mood'), [
    'find-page.skill.md 9: interrupts: [{name: on_clash, when: mood == "grim"}]',
    'find-page.skill.md 12: mood: string',
    'find-page.skill.md 17: dusk: {parameters: {mood: grim, cast: [{role: pilot}]}, profile: desk, model: local}',
    'find-page.skill.md 26: include_when: mood == "grim"',
    'find-page.skill.md 33: {% set cap = mood | upper %}{{ cap }} {{ parameters.mood }}',
    'find-page.skill.md 46: mood: grim',
    'report.skill.md 20: inputs: {mood: $input.tone}',
  ]);
  assert.deepEqual(renamedAt('search-canon.skill.yaml', '{que¦ry:', 'words'), [
    'search-canon.skill.yaml 5: input_schema: {words: string}',
    'search-canon.skill.yaml 8: policy: {idempotent: true, idempotency_key: "{words}"}',
  ]);
});

test('adds a mapping for names that differ, and removes the mapping when the names are equal again', () => {
  assert.deepEqual(renamedAt('find-page.skill.md', 'output_schema: {pa¦ge', 'leaf'), [
    'find-page.skill.md 14: output_schema: {leaf: string}',
    'find-page.skill.md 53: leaf: tollhouse',
    'report.skill.md 14: - {skill: find-page, output_mapping: {leaf: page}}',
    'report.skill.md 22: condition: $find-page.output.leaf != ""',
  ]);
  assert.deepEqual(renamedAt('report.skill.md', 'output_schema: {ver¦dict', 'end'), [
    'report.skill.md 12: output_schema: {end: string}',
    'report.skill.md 18: output_mapping: {verdict: end}',
  ]);
  const after = afterRename('find-page.skill.md', 'output_schema: {pa¦ge', 'leaf');
  assert.deepEqual(afterRename('find-page.skill.md', 'output_schema: {le¦af', 'page', after), WORLD);
});

test('renames a skill, its references and its file', () => {
  assert.deepEqual(renamedAt('report.skill.md', '- find-¦page', 'seek-page'), [
    'find-page.skill.md 2: name: seek-page',
    'judge.skill.md 10: Judge. Better than #skill:seek-page.',
    'report.skill.md 14: - seek-page',
    'report.skill.md 19: - step: seek-page',
    'report.skill.md 22: condition: $seek-page.output.page != ""',
    'report.skill.md 23: requires: [{skill: seek-page, version: ^1.0.0}]',
    'find-page.skill.md → seek-page.skill.md',
  ]);
  assert.deepEqual(renamedAt('notes/tidy/SKILL.md', 'name: ti¦dy', 'neat'), [
    'notes/tidy/SKILL.md 2: name: neat',
    'notes/tidy → notes/neat',
  ]);
});

test('renames a name from the catalog', () => {
  assert.deepEqual(renamedAt('find-page.skill.md', '#tool:read_¦page', 'get_page'), [
    'find-page.skill.md 8: tools: [{name: get_page, constraints: {properties: {slug: {pattern: "^a"}}}}, search-canon, served]',
    'find-page.skill.md 22: 1. **Look**: use #tool:get_page and #tool:search-canon, ask at #interrupt:on_clash; see #artifact:main.',
    'skills.config.yaml 2: - {name: get_page, input_schema: {slug: string}, operation: READ, scope: read:pages}',
    'skills.config.yaml 6: profiles: [{name: desk, role: archivist, tools: [get_page, search-canon]}]',
  ]);
  assert.deepEqual(renamedAt('find-page.skill.md', '[arch¦ivist', 'keeper'), [
    'find-page.skill.md 7: allowed_roles: [keeper]',
    'skills.config.yaml 5: roles: {keeper: [read:pages]}',
    'skills.config.yaml 6: profiles: [{name: desk, role: keeper, tools: [read_page, search-canon]}]',
  ]);
});

test('renames artifacts, variables and steps', () => {
  assert.deepEqual(renamedAt('find-page.skill.md', '"ta¦il"', 'the end'), [
    'find-page.skill.md 35: {% include "the end" %}',
    'find-page.skill.md 37: ## PromptTemplate: the end',
  ]);
  assert.deepEqual(renamedAt('find-page.skill.md', '{{ ca¦p }} {{ user', 'loud'), [
    'find-page.skill.md 33: {% set loud = tone | upper %}{{ loud }} {{ parameters.tone }}',
    'find-page.skill.md 39: {{ loud }} {{ user_request }}',
  ]);
  assert.deepEqual(renamedAt('report.skill.md', 'step: ru¦le', 'decide'), [
    'report.skill.md 16: as: decide',
    'report.skill.md 21: - step: decide',
  ]);
});

test('renames a field of an input in a map of `inputs`, also if the skill is composed by its `id`', () => {
  const files = {
    'eat.skill.yaml':
      'id: eats\nname: eat\nversion: 1.0.0\ninput_schema: {m: {x: string}, l: {type: array, items: {n: string}}}\n',
    'w.skill.yaml':
      'name: w\nversion: 1.0.0\nlevel: 2\ninput_schema: {}\ncomposes: [eats]\nexecution:\n' +
      '  - step: eats\n    inputs: {m: {x: one}, l: [{n: two}]}\n',
  };
  assert.deepEqual(renamedAt('eat.skill.yaml', '{m: {¦x', 'y', files), [
    'eat.skill.yaml 4: input_schema: {m: {y: string}, l: {type: array, items: {n: string}}}',
    'w.skill.yaml 8: inputs: {m: {y: one}, l: [{n: two}]}',
  ]);
  assert.deepEqual(renamedAt('w.skill.yaml', '[{¦n: two', 'k', files), [
    'eat.skill.yaml 4: input_schema: {m: {x: string}, l: {type: array, items: {k: string}}}',
    'w.skill.yaml 8: inputs: {m: {x: one}, l: [{k: two}]}',
  ]);
});

test('quotes a name that YAML would read differently', () => {
  assert.deepEqual(renamedAt('skills.config.yaml', '[lo¦cal', 'on'), [
    'find-page.skill.md 17: dusk: {parameters: {tone: grim, cast: [{role: pilot}]}, profile: desk, model: "on"}',
    'skills.config.yaml 9: models: ["on"]',
  ]);
});

test('renames a model family at its models and in skills', () => {
  const catalog = 'models: [{name: tiny, family: local}, {name: huge, family: local}, other]';
  const files = {
    ...WORLD,
    'skills.config.yaml': `${WORLD['skills.config.yaml']}`.replace('models: [local]', catalog),
  };
  const renamed = [
    'find-page.skill.md 17: dusk: {parameters: {tone: grim, cast: [{role: pilot}]}, profile: desk, model: near}',
    'skills.config.yaml 9: models: [{name: tiny, family: near}, {name: huge, family: near}, other]',
  ];
  assert.deepEqual(renamedAt('find-page.skill.md', 'model: lo¦cal', 'near', files), renamed);
  assert.deepEqual(renamedAt('skills.config.yaml', 'huge, family: lo¦cal', 'near', files), renamed);
});

test('reports why a name cannot be renamed, before the author enters a new name', () => {
  assert.equal(preparedAt('report.skill.md', '$find-¦page.output'), '«find-page»');
  assert.match(preparedAt('find-page.skill.md', '[Qu¦ery'), /The effect `Query` is defined by the format/);
  assert.match(preparedAt('find-page.skill.md', 'ser¦ved'), /comes from a server through `skills.tools.json`/);
  assert.match(preparedAt('find-page.skill.md', '{{ user_¦request'), /not a name that can be renamed/);
  assert.match(preparedAt('find-page.skill.md', 'ver¦sion: 1'), /not a name that can be renamed/);
});

test('refuses an invalid or existing name, and reports the conflict', () => {
  const refuses = (path: string, marked: string, newName: string, expected: RegExp) => {
    const answer = renamedAt(path, marked, newName);
    assert.match(typeof answer === 'string' ? answer : answer.join('\n'), expected, `${marked} → ${newName}`);
  };
  refuses('find-page.skill.md', 'name: find-¦page', 'judge', /The skill `judge` already exists in `judge.skill.md`/);
  refuses('find-page.skill.md', 'name: find-¦page', 'Find Page', /not a valid skill name/);
  refuses('find-page.skill.md', 'name: find-¦page', 'aux', /`aux\.skill\.md` has the name of a Windows device/);
  refuses('find-page.skill.md', '#tool:read_¦page', 'note', /The tool `note` already exists in `skills.config.yaml`/);
  refuses('find-page.skill.md', '#tool:read_¦page', 'search-canon', /The contract `search-canon` already exists/);
  refuses('skills.config.yaml', 'scopes: [read:¦pages', 'pages', /not a valid scope/);
  refuses('find-page.skill.md', '  to¦ne: string', 'cast', /The field `cast` already exists/);
  refuses('find-page.skill.md', '  to¦ne: string', 'user_request', /`user_request` is a built-in variable/);
  refuses('find-page.skill.md', '  to¦ne: string', 'cap', /already uses the variable `cap`/);
  refuses('find-page.skill.md', '  to¦ne: string', 'to-ne', /not a valid name in templates/);
  refuses('find-page.skill.md', '{% set ca¦p', 'tone', /is already a parameter of the skill/);
  refuses('find-page.skill.md', '{% set ca¦p', 'range', /is a function/);
  refuses('find-page.skill.md', 'PromptTemplate: ma¦in', 'tail', /The PromptTemplate `tail` already exists/);
  refuses('report.skill.md', 'as: ru¦le', 'find-page', /The step `find-page` already exists/);
  // A mapping cannot map fields of a list's items, so these fields cannot be renamed on only one side.
  refuses('report.skill.md', '{properties: {ro¦le', 'part', /^`report.skill.md` would have a new problem/);
});

/** A skill with the name of an input and an output in every place that can contain one, and a composite that calls it. */
const EVERYWHERE = {
  'greet.skill.md': `---
name: greet
description: Greets a guest by name. Use it at the door.
version: 1.0.0
level: 1
interrupts: [{name: before_exit, when: who != ""}]
input_schema:
  type: object
  properties:
    who: {type: string}
    at: {type: object, properties: {hour: {type: integer}}, default: {hour: 9}}
  required: [who]
  dependentRequired: {who: [at], at: [who]}
  anyOf: [{required: [who]}, {properties: {who: {minLength: 1}}}]
output_schema: {text: string}
errors: [{code: NO_GUEST, description: Nobody is there., fallback: text}, {code: LOST, description: Lost., fallback: $input.who}]
framing: main
policy: {idempotent: true, idempotency_key: "{who}:{at.hour}"}
samples:
  ada:
    parameters: {who: Ada, at: {hour: 9}}
    expect: {output: [{type: equals, value: {text: Hello}}, {type: structural, schema: {text: string}}]}
examples:
  - {name: one guest, input: {who: Ada}, output: {text: Hello}}
---

## Description: late
\`\`\`yaml artifact
include_when: who == "Ada" and at.hour > 8
\`\`\`

It is late.

## PromptTemplate: main
\`\`\`yaml artifact
assertions: [{type: structural, schema: {text: string}}]
\`\`\`

{{ who }} {{ parameters.who }} {{ parameters["who"] }} {% if who %}{{ at.hour }}{% endif %}

## Example: first

### Input

\`\`\`yaml
who: Ada
\`\`\`

### Output

\`\`\`yaml
text: Hello
\`\`\`
`,
  'visit.skill.yaml': `name: visit
description: Greets a visitor.
version: 1.0.0
level: 2
input_schema: {who: string}
output_schema: {note: string?}
composes:
  - {skill: greet, input_mapping: {who: who}, output_mapping: {text: note}}
execution:
  - when:
      - condition: $input.who == "x" and who != "z"
        steps: [{step: greet, inputs: {who: $input.who}}]
`,
};

test('renames an input in every place that names it', () => {
  assert.deepEqual(renamedAt('greet.skill.md', '    wh¦o: {type', 'guest', EVERYWHERE), [
    'greet.skill.md 6: interrupts: [{name: before_exit, when: guest != ""}]',
    'greet.skill.md 10: guest: {type: string}',
    'greet.skill.md 12: required: [guest]',
    'greet.skill.md 13: dependentRequired: {guest: [at], at: [guest]}',
    'greet.skill.md 14: anyOf: [{required: [guest]}, {properties: {guest: {minLength: 1}}}]',
    'greet.skill.md 16: errors: [{code: NO_GUEST, description: Nobody is there., fallback: text}, {code: LOST, description: Lost., fallback: $input.guest}]',
    'greet.skill.md 18: policy: {idempotent: true, idempotency_key: "{guest}:{at.hour}"}',
    'greet.skill.md 21: parameters: {guest: Ada, at: {hour: 9}}',
    'greet.skill.md 24: - {name: one guest, input: {guest: Ada}, output: {text: Hello}}',
    'greet.skill.md 29: include_when: guest == "Ada" and at.hour > 8',
    'greet.skill.md 39: {{ guest }} {{ parameters.guest }} {{ parameters["guest"] }} {% if guest %}{{ at.hour }}{% endif %}',
    'greet.skill.md 46: guest: Ada',
    'visit.skill.yaml 8: - {skill: greet, input_mapping: {who: guest}, output_mapping: {text: note}}',
    'visit.skill.yaml 12: steps: [{step: greet, inputs: {guest: $input.who}}]',
  ]);
  const after = afterRename('greet.skill.md', '    wh¦o: {type', 'guest', EVERYWHERE);
  assert.deepEqual(afterRename('greet.skill.md', '    gu¦est: {type', 'who', after), EVERYWHERE);
});

test('renames an output in every place that names it', () => {
  assert.deepEqual(renamedAt('greet.skill.md', 'output_schema: {te¦xt', 'words', EVERYWHERE), [
    'greet.skill.md 15: output_schema: {words: string}',
    'greet.skill.md 16: errors: [{code: NO_GUEST, description: Nobody is there., fallback: words}, {code: LOST, description: Lost., fallback: $input.who}]',
    'greet.skill.md 22: expect: {output: [{type: equals, value: {words: Hello}}, {type: structural, schema: {words: string}}]}',
    'greet.skill.md 24: - {name: one guest, input: {who: Ada}, output: {words: Hello}}',
    'greet.skill.md 36: assertions: [{type: structural, schema: {words: string}}]',
    'greet.skill.md 52: words: Hello',
    'visit.skill.yaml 8: - {skill: greet, input_mapping: {who: who}, output_mapping: {words: note}}',
  ]);
  const after = afterRename('greet.skill.md', 'output_schema: {te¦xt', 'words', EVERYWHERE);
  assert.deepEqual(afterRename('greet.skill.md', 'output_schema: {wo¦rds', 'text', after), EVERYWHERE);
});

test('renames an output in recorded outputs, and no other name', () => {
  const recorded = [
    { uri: 'file:///skills-here/__outputs__/greet.ada.json', text: '{\n  "text": "text",\n  "who": 1\n}\n' },
  ];
  const client = { documentChanges: false, renamesFiles: false, annotations: false, version: () => null };
  const changesAt = (marked: string) => {
    const { analysis, file, offset } = at('greet.skill.md', marked, EVERYWHERE);
    const renamed = rename(analysis, file, offset, 'words', utf16, client, recorded);
    return isRefusal(renamed) ? renamed.refusal : renamed.edit.changes?.[recorded[0]?.uri ?? ''];
  };
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 8 } };
  assert.deepEqual(changesAt('output_schema: {te¦xt'), [{ range, newText: '"words"' }]);
  assert.equal(changesAt('    wh¦o: {type'), undefined);
  const nested = { uri: 'a', text: '{"cast": [{"role": 1}, {"role": 2}], "role": 3}' };
  assert.equal(editsOfRecorded(nested, ['cast', 'role'], 'part')?.edits.length, 2);
  assert.equal(editsOfRecorded({ uri: 'a', text: '{"role": ' }, ['role'], 'part'), undefined);
});

test('renames a nested field in defaults, conditions and keys', () => {
  assert.deepEqual(renamedAt('greet.skill.md', '{ho¦ur: {type', 'clock', EVERYWHERE), [
    'greet.skill.md 11: at: {type: object, properties: {clock: {type: integer}}, default: {clock: 9}}',
    'greet.skill.md 18: policy: {idempotent: true, idempotency_key: "{who}:{at.clock}"}',
    'greet.skill.md 21: parameters: {who: Ada, at: {clock: 9}}',
    'greet.skill.md 29: include_when: who == "Ada" and at.clock > 8',
    'greet.skill.md 39: {{ who }} {{ parameters.who }} {{ parameters["who"] }} {% if who %}{{ at.clock }}{% endif %}',
  ]);
});

test('renames a field in all parts of a JSON Schema that name it', () => {
  const files = {
    'a.skill.yaml': `name: a
description: A.
version: 1.0.0
input_schema:
  type: object
  properties: {kind: {enum: [kind, other]}, at: {$ref: '#/$defs/time', default: {kind: 2}}}
  if: {properties: {kind: {const: kind}}, required: [kind]}
  then: {required: [at]}
  propertyNames: {enum: [kind, at]}
  $defs: {time: {type: object, properties: {kind: {type: integer}}, anyOf: [{required: [kind]}], examples: [{kind: 3}]}}
`,
  };
  assert.deepEqual(renamedAt('a.skill.yaml', 'properties: {ki¦nd: {enum', 'sort', files), [
    "a.skill.yaml 6: properties: {sort: {enum: [kind, other]}, at: {$ref: '#/$defs/time', default: {kind: 2}}}",
    'a.skill.yaml 7: if: {properties: {sort: {const: kind}}, required: [sort]}',
    'a.skill.yaml 9: propertyNames: {enum: [sort, at]}',
  ]);
  assert.deepEqual(renamedAt('a.skill.yaml', 'properties: {ki¦nd: {type', 'sort', files), [
    "a.skill.yaml 6: properties: {kind: {enum: [kind, other]}, at: {$ref: '#/$defs/time', default: {sort: 2}}}",
    'a.skill.yaml 10: $defs: {time: {type: object, properties: {sort: {type: integer}}, anyOf: [{required: [sort]}], examples: [{sort: 3}]}}',
  ]);
});

test('renames an input of a composite in the conditions of its steps', () => {
  assert.deepEqual(renamedAt('visit.skill.yaml', 'input_schema: {wh¦o', 'guest', EVERYWHERE), [
    'visit.skill.yaml 5: input_schema: {guest: string}',
    'visit.skill.yaml 8: - {skill: greet, input_mapping: {guest: who}, output_mapping: {text: note}}',
    'visit.skill.yaml 11: - condition: $input.guest == "x" and guest != "z"',
    'visit.skill.yaml 12: steps: [{step: greet, inputs: {who: $input.guest}}]',
  ]);
});

const CALLED_BY_ID = {
  'find.skill.yaml': `id: find-doors
name: find
description: Finds doors.
version: 1.0.0
input_schema: {place: string, at: {hour: integer}}
output_schema: {door: string}
`,
  'visit.skill.yaml': `name: visit
description: Visits a door.
version: 1.0.0
level: 2
input_schema: {place: string, hour: integer}
output_schema: {door: string}
composes: [find-doors]
execution: [{step: find-doors, inputs: {place: $input.place, at: {hour: $input.hour}}}]
`,
};

test('renames fields of a skill that others call by its `id`, also in maps', () => {
  for (const [path, marked] of [
    ['find.skill.yaml', 'input_schema: {pla¦ce'],
    ['visit.skill.yaml', 'inputs: {pla¦ce'],
  ] as const) {
    assert.deepEqual(renamedAt(path, marked, 'street', CALLED_BY_ID), [
      'find.skill.yaml 5: input_schema: {street: string, at: {hour: integer}}',
      'visit.skill.yaml 8: execution: [{step: find-doors, inputs: {street: $input.place, at: {hour: $input.hour}}}]',
    ]);
  }
  assert.deepEqual(renamedAt('visit.skill.yaml', 'at: {ho¦ur', 'time', CALLED_BY_ID), [
    'find.skill.yaml 5: input_schema: {place: string, at: {time: integer}}',
    'visit.skill.yaml 8: execution: [{step: find-doors, inputs: {place: $input.place, at: {time: $input.hour}}}]',
  ]);
  assert.deepEqual(renamedAt('find.skill.yaml', 'output_schema: {do¦or', 'gate', CALLED_BY_ID), [
    'find.skill.yaml 6: output_schema: {gate: string}',
    'visit.skill.yaml 7: composes: [{skill: find-doors, output_mapping: {gate: door}}]',
  ]);
});

test('renames an `id` where it is declared and in references, but no name and no file', () => {
  for (const [path, marked] of [
    ['find.skill.yaml', 'id: find-¦doors'],
    ['visit.skill.yaml', '[find-¦doors'],
    ['visit.skill.yaml', 'step: find-¦doors'],
  ] as const) {
    assert.deepEqual(renamedAt(path, marked, 'seek-doors', CALLED_BY_ID), [
      'find.skill.yaml 1: id: seek-doors',
      'visit.skill.yaml 7: composes: [seek-doors]',
      'visit.skill.yaml 8: execution: [{step: seek-doors, inputs: {place: $input.place, at: {hour: $input.hour}}}]',
    ]);
  }
  assert.match(String(renamedAt('find.skill.yaml', 'id: find-¦doors', 'visit', CALLED_BY_ID)), /already exists/);
});

test('renames the output of an adapter in the callers of the older version', () => {
  const files = {
    'links.skill.yaml':
      'name: links\ndescription: L.\nversion: 1.0.0\ninput_schema: {page: string}\noutput_schema: {graph: object}\nadapts: {from: "0.9", with: flatten}\n',
    'flatten.skill.yaml':
      'name: flatten\ndescription: F.\nversion: 1.0.0\ninput_schema: {graph: object}\noutput_schema: {list: string}\n',
    'caller.skill.yaml':
      'name: caller\ndescription: C.\nversion: 1.0.0\nlevel: 2\ninput_schema: {page: string}\noutput_schema: {list: string}\ncomposes: [links, sort]\nrequires: [{skill: links, version: ^0.9.0}]\nexecution: [{step: links}, {step: sort, inputs: {text: $links.output.list}}]\n',
    'sort.skill.yaml':
      'name: sort\ndescription: S.\nversion: 1.0.0\ninput_schema: {text: string}\noutput_schema: {sorted: string}\n',
  };
  for (const [path, marked] of [
    ['flatten.skill.yaml', 'output_schema: {li¦st'],
    ['caller.skill.yaml', 'links.output.li¦st'],
  ] as const) {
    assert.deepEqual(renamedAt(path, marked, 'items', files), [
      'caller.skill.yaml 7: composes: [{skill: links, output_mapping: {items: list}}, sort]',
      'caller.skill.yaml 9: execution: [{step: links}, {step: sort, inputs: {text: $links.output.items}}]',
      'flatten.skill.yaml 5: output_schema: {items: string}',
    ]);
  }
});

test('refuses a rename that would change the meaning of a template', () => {
  const skill = (template: string) => ({
    'a.skill.md': `---\nname: a\ndescription: A.\nversion: 1.0.0\ninput_schema:\n  tone: string\n  cast: {type: array, items: {properties: {role: string}}}\n---\n\n## PromptTemplate: main\n\n${template}\n`,
  });
  const byString = skill('{{ cast | map(attribute="role") | join(tone) }}');
  assert.match(String(renamedAt('a.skill.md', '{ro¦le', 'part', byString)), /contains `role` as a string/);
  const ofUnknown = skill('{{ [cast][0][0].role }} {{ "a role" }}');
  assert.match(
    String(renamedAt('a.skill.md', '{ro¦le', 'part', ofUnknown)),
    /`.role` in `a.skill.md`, line 12, may refer to this field, but the type of its value is unknown/,
  );
  for (const text of [
    '{{ "tone" in parameters }}',
    "{% for key, value in parameters | items if key == 'tone' %}{% endfor %}",
  ]) {
    assert.match(
      String(renamedAt('a.skill.md', '  to¦ne', 'mood', skill(text))),
      /^The string `tone` in `\S+` may refer to this field/,
    );
  }
  const ownMap = skill('{% set one = {"tone": tone, "role": tone} %}{{ one.tone }} {{ one.role }}');
  assert.deepEqual(renamedAt('a.skill.md', '  to¦ne', 'mood', ownMap), [
    'a.skill.md 6: mood: string',
    'a.skill.md 12: {% set one = {"tone": mood, "role": mood} %}{{ one.tone }} {{ one.role }}',
  ]);
  assert.match(String(renamedAt('a.skill.md', 'one.ro¦le', 'part', ownMap)), /not a name that can be renamed/);
  const setAnew = skill('{% if cast %}{% set tone = "grim" %}{% endif %}{{ tone }}');
  assert.match(String(renamedAt('a.skill.md', '  to¦ne', 'mood', setAnew)), /also sets `tone` under a condition/);
  assert.match(
    String(renamedAt('a.skill.md', 'set to¦ne', 'mood', setAnew)),
    /also sets the parameter `tone` under a condition/,
  );
});

test('renames a skill folder that also contains a catalog and tools from a server', () => {
  const files = {
    'tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies notes. Use it for notes.\n---\n\nTidy.\n',
    'tidy/skills.config.yaml': 'tools: [{name: sort_notes}]\n',
    'tidy/skills.tools.json': '{"tools": [{"name": "read_notes"}]}',
    'tidy/part.skill.md':
      '---\nname: part\ndescription: A part.\nversion: 1.0.0\ninput_schema: {}\ntools: [read_notes]\n---\n\nSee #skill:tidy.\n',
  };
  assert.deepEqual(renamedAt('tidy/SKILL.md', 'name: ti¦dy', 'clean', files), [
    'tidy/SKILL.md 2: name: clean',
    'tidy/part.skill.md 9: See #skill:clean.',
    'tidy → clean',
  ]);
});

test('returns versions, file operations and annotations only to a client that supports them', () => {
  const { analysis, file, offset } = at('find-page.skill.md', 'name: find-¦page');
  const version = () => 3;
  const able = { documentChanges: true, renamesFiles: true, annotations: true, version };
  const renamed = rename(analysis, file, offset, 'seek-page', utf16, able);
  assert.ok(!isRefusal(renamed));
  const { edit } = renamed;
  assert.deepEqual(
    edit.documentChanges?.map((one) => ('kind' in one ? one.kind : one.textDocument.version)),
    ['rename', null, 3, 3],
  );
  assert.deepEqual(Object.keys(edit.changeAnnotations ?? {}), ['elsewhere']);
  const plain = { documentChanges: false, renamesFiles: false, annotations: false, version };
  const simple = rename(analysis, file, offset, 'seek-page', utf16, plain);
  assert.ok(!isRefusal(simple));
  assert.equal(Object.keys(simple.edit.changes ?? {}).length, 3);
});

/** The edits of a rename of a committed skill, with `?` before each edit that the user confirms. */
function renamedCommitted(path: string, marked: string, newName: string, files: Files, isAble: boolean) {
  const root = 'file:///skills-here/';
  const workspace = new Workspace();
  for (const [one, text] of Object.entries(files)) {
    workspace.apply({ kind: 'text', uri: root + one, text });
    workspace.apply({ kind: 'released', uri: root + one, text });
  }
  const { analysis } = workspace;
  const file = analysis.file(root + path);
  assert.ok(file);
  const offset = file.text.indexOf(marked.replace('¦', '')) + marked.indexOf('¦');
  const client = { documentChanges: true, renamesFiles: false, annotations: isAble, version: () => null };
  const renamed = rename(analysis, file, offset, newName, utf16, client);
  assert.ok(!isRefusal(renamed), JSON.stringify(renamed));
  const { edit } = renamed;
  const notes = edit.changeAnnotations ?? {};
  const lines = (edit.documentChanges ?? []).flatMap((one) =>
    'edits' in one
      ? one.edits.map((each) => {
          assert.ok('newText' in each);
          const asks = 'annotationId' in each && notes[each.annotationId]?.needsConfirmation;
          const line = each.range.start.line + 1;
          return `${asks ? '? ' : ''}${one.textDocument.uri.slice(root.length)} ${line}: ${each.newText}`;
        })
      : [],
  );
  const labels = Object.values(notes).flatMap(({ label, needsConfirmation }) => (needsConfirmation ? [label] : []));
  return [...lines.sort(), ...labels];
}

test('offers the version that a committed skill needs after the rename, and the ranges that follow', () => {
  const files = {
    'tell.skill.yaml': 'name: tell\nversion: "1.2.0"\nlevel: 1\ninput_schema: {text: string}\n',
    'all.skill.yaml':
      'name: all\nversion: 1.0.0\nlevel: 2\ninput_schema: {note: string}\n' +
      'composes: [{skill: tell, input_mapping: {note: text}}]\nrequires: [{skill: tell, version: ^1.0.0}]\n',
    'any.skill.yaml':
      'name: any\nversion: 1.0.0\nlevel: 2\ninput_schema: {note: string}\n' +
      "composes: [{skill: tell, input_mapping: {note: text}}]\nrequires: [{skill: tell, version: '>=1'}]\n",
  };
  const renamed = ['all.skill.yaml 5: words', 'any.skill.yaml 5: words', 'tell.skill.yaml 4: words'];
  assert.deepEqual(renamedCommitted('tell.skill.yaml', '{te¦xt', 'words', files, true), [
    '? all.skill.yaml 6: ^2.0.0',
    '? tell.skill.yaml 2: "2.0.0"',
    ...renamed,
    'Set the version to 2.0.0',
  ]);
  assert.deepEqual(renamedCommitted('tell.skill.yaml', '{te¦xt', 'words', files, false), renamed);
  // A name in the catalog is a part of the contracts that use it.
  assert.deepEqual(
    renamedCommitted(
      'skills.config.yaml',
      'scopes: [read:¦pages',
      'read:all',
      {
        'skills.config.yaml': 'scopes: [read:pages]\n',
        'a.skill.yaml': 'name: a\nversion: 0.1.0\nrequired_scopes: [read:pages]\n',
        'b.skill.yaml': 'name: b\nversion: 1.0.0\nrequired_scopes: [read:pages]\n',
      },
      true,
    ),
    [
      '? a.skill.yaml 2: 0.2.0',
      '? b.skill.yaml 2: 2.0.0',
      'a.skill.yaml 3: read:all',
      'b.skill.yaml 3: read:all',
      'skills.config.yaml 1: read:all',
      'Set the new versions',
    ],
  );
});

test('offers no version that another file already has', () => {
  const files = {
    'tell.skill.yaml': 'name: tell\nversion: 1.2.0\nlevel: 1\ninput_schema: {text: string}\n',
    'tell-2.skill.yaml': 'name: tell\nversion: 2.0.0\nlevel: 1\ninput_schema: {body: string}\n',
  };
  assert.deepEqual(renamedCommitted('tell.skill.yaml', '{te¦xt', 'words', files, true), ['tell.skill.yaml 4: words']);
});

/** Returns one line for each edit that is made when a file or folder is moved. */
function changedByMove(from: string, to: string, files = WORLD): readonly string[] {
  const root = 'file:///skills-here/';
  const client = { documentChanges: false, renamesFiles: false, annotations: false, version: () => null };
  const edit = editsForMoves(analysisOf(files), [{ from: root + from, to: root + to }], utf16, client)?.edit;
  return Object.entries(edit?.changes ?? {}).flatMap(([uri, edits]) =>
    edits.map(({ range, newText }) => `${uri.slice(root.length)} ${range.start.line + 1}: ${newText}`),
  );
}

test('renaming a file renames its skill and the references to the skill', () => {
  assert.deepEqual(changedByMove('find-page.skill.md', 'seek-page.skill.md'), [
    'find-page.skill.md 2: seek-page',
    'judge.skill.md 10: seek-page',
    'report.skill.md 14: seek-page',
    'report.skill.md 19: seek-page',
    'report.skill.md 22: seek-page',
    'report.skill.md 23: seek-page',
  ]);
  assert.deepEqual(changedByMove('notes/tidy', 'notes/neat'), ['notes/tidy/SKILL.md 2: neat']);
});

test('changes nothing when a file moves and keeps its name', () => {
  assert.deepEqual(changedByMove('find-page.skill.md', 'old/find-page.skill.md'), []);
  assert.deepEqual(changedByMove('notes', 'remarks'), []);
  assert.deepEqual(changedByMove('skills.config.yaml', 'skills.old.yaml'), []);
});

test('keeps the text when the file name is not a valid skill name', () => {
  for (const to of ['Seek Page.skill.md', 'judge.skill.md', 'find-page.skill.md.bak']) {
    assert.deepEqual(changedByMove('find-page.skill.md', to), [], to);
  }
});

test('renames only the file if the skill has another name or several versions', () => {
  const other = { ...WORLD, 'old.skill.md': WORLD['judge.skill.md']?.replace('name: judge', 'name: verdict') ?? '' };
  assert.deepEqual(changedByMove('old.skill.md', 'new.skill.md', other), []);
  const versions = { ...WORLD, 'judge-2.skill.md': WORLD['judge.skill.md']?.replace('1.0.0', '2.0.0') ?? '' };
  assert.deepEqual(changedByMove('judge.skill.md', 'umpire.skill.md', versions), []);
});

const SAMPLE = {
  'skills.config.yaml': 'tools: [{name: read_page, output_schema: {text: string}}]\ninterrupts: [{name: on_clash}]\n',
  'note.skill.md': `---
name: note
description: Notes.
version: 1.0.0
input_schema: {place: string}
output_schema: {page: string}
tools: [read_page]
interrupts: [on_clash, on_missing_input]
samples:
  dusk:
    stubs: {read_page: {returns: {text: gate}}}
    answers: {on_clash: true, on_missing_input: {place: gate}}
    expect: {path: [Read it, Write]}
---

## Approach: two

1. **Read it** now.
2. Write, then stop.
3. **Stop \`here\`**.
`,
  'both.skill.yaml': `name: both
description: Notes.
version: 1.0.0
level: 2
input_schema: {place: string}
output_schema: {page: string}
composes: [{skill: note, as: first}]
samples: {dusk: {parameters: {place: gate}, expect: {path: [first]}}}
`,
};

test('renames the names of a run in samples: tools, their results, interrupts, parameters', () => {
  const edited = (marked: string, newName: string, path = 'note.skill.md') =>
    [renamedAt(path, marked, newName, SAMPLE)].flat().filter((line) => !line.includes('skills.config.yaml'));
  assert.deepEqual(edited('stubs: {read_¦page', 'get_page'), [
    'note.skill.md 7: tools: [get_page]',
    'note.skill.md 11: stubs: {get_page: {returns: {text: gate}}}',
  ]);
  const stub = 'note.skill.md 11: stubs: {read_page: {returns: {words: gate}}}';
  assert.deepEqual(edited('returns: {te¦xt', 'words'), [stub]);
  assert.deepEqual(edited('output_schema: {te¦xt', 'words', 'skills.config.yaml'), [stub]);
  assert.deepEqual(edited('answers: {on_cl¦ash', 'on_war'), [
    'note.skill.md 8: interrupts: [on_war, on_missing_input]',
    'note.skill.md 12: answers: {on_war: true, on_missing_input: {place: gate}}',
  ]);
  assert.deepEqual(edited('input_schema: {pl¦ace', 'town'), [
    'note.skill.md 5: input_schema: {town: string}',
    'note.skill.md 12: answers: {on_clash: true, on_missing_input: {town: gate}}',
    'both.skill.yaml 7: composes: [{skill: note, as: first, input_mapping: {place: town}}]',
  ]);
});

test('renames stages and steps together with the path that a sample expects', () => {
  const expected = [
    'note.skill.md 13: expect: {path: ["Look: now", Write]}',
    'note.skill.md 18: 1. **Look: now** now.',
  ];
  assert.deepEqual(renamedAt('note.skill.md', 'path: [Read¦ it', 'Look: now', SAMPLE), expected);
  assert.deepEqual(renamedAt('note.skill.md', '**Read¦ it', 'Look: now', SAMPLE), expected);
  assert.deepEqual(renamedAt('note.skill.md', 'Wri¦te]', 'Type', SAMPLE), [
    'note.skill.md 13: expect: {path: [Read it, Type]}',
    'note.skill.md 19: 2. Type, then stop.',
  ]);
  assert.deepEqual(renamedAt('both.skill.yaml', 'path: [fi¦rst', 'early', SAMPLE), [
    'both.skill.yaml 7: composes: [{skill: note, as: early}]',
    'both.skill.yaml 8: samples: {dusk: {parameters: {place: gate}, expect: {path: [early]}}}',
  ]);
  const refusalAt = (marked: string, newName: string) => String(renamedAt('note.skill.md', marked, newName, SAMPLE));
  assert.match(refusalAt('**Stop¦ `here`', 'End'), /contains formatting/);
  assert.match(refusalAt('path: [Read¦ it', 'Write'), /already exists/);
  assert.match(refusalAt('path: [Read¦ it', '*Look*'), /not a valid stage name/);
  assert.match(refusalAt('Wri¦te]', 'Type, or not'), /Choose another name/);
});
