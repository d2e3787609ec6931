/** Skills that refer to skills: names, versions, mappings, steps. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const part = (name: string, level: number, rest = '', version = '1.2.3') =>
  `---\nname: ${name}\ndescription: It does ${name}.\nversion: ${version}\nlevel: ${level}\n${rest}\n---\n`;

const PARTS = {
  'skills/read.skill.md': part(
    'read',
    1,
    'input_schema: {id: string}\noutput_schema: {user: {name: string}, count: integer}',
  ),
  'skills/judge.skill.md': part(
    'judge',
    1,
    'input_schema: {score: integer, note: string?}\noutput_schema: {verdict: [yes, no]}',
  ),
  'skills/both.skill.md': part('both', 2, 'composes: [read, judge]'),
  'skills/flow.skill.md': part('flow', 3, 'composes: [both]'),
  'skills/old.skill.md': part('old', 1, 'deprecated: true'),
};

const test2 = (frontmatter: string, level = 2) => ({
  ...PARTS,
  'skills/test.skill.md': `---\nname: test\nlevel: ${level}\ninput_schema: {user_id: string, deep: boolean}\noutput_schema: {answer: string}\n${frontmatter}\n---\n`,
});

test('offers only other skills of allowed levels, with deprecated skills last', () => {
  const { labels, item } = complete(test2('composes: [$0]'));
  assert.deepEqual(labels, ['judge', 'read', 'old']);
  assert.equal(item('read').detail, '1.2.3 · level 1');
  assert.match(JSON.stringify(item('read').documentation), /It does read/);
  // After `skill:`, the list also contains skills that are already composed: with `as`, a skill may be composed twice.
  assert.deepEqual(complete(test2('composes:\n  - read\n  - skill: $0', 3)).labels, ['both', 'judge', 'read', 'old']);
  assert.deepEqual(complete(test2('requires: [{skill: $0}]')).labels, ['both', 'flow', 'judge', 'read', 'old']);
});

test('offers no value after a key whose value is a block on the next lines', () => {
  for (const text of ['composes:$0\n  - read', 'composes: $0\n- read', 'composes: $0\n\n  # first\n  - read'])
    assert.deepEqual(complete(test2(text)).labels, [], text);
  for (const text of ['composes: $0', 'composes: $0\nrequires: []', 'composes: $0\n# - read\nrequires: []'])
    assert.deepEqual(complete(test2(text)).labels, ['judge', 'read', 'old'], text);
  assert.deepEqual(complete(test2('composes:\n  - skill: $0\n    as: x', 3)).labels, ['both', 'judge', 'read', 'old']);
});

test('offers at most a thousand names that match the typed text', () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, i) => [`skills/s${i}.skill.yaml`, `name: ${i === 7 ? 'odd' : 's'}-${i}\n`]),
  );
  const { items, isIncomplete } = complete({ ...many, 'a.skill.yaml': 'name: test\ncomposes: [$0]\n' });
  assert.equal(items.length, 1_000);
  assert.equal(isIncomplete, true);
  const { labels } = complete({
    'skills/a.skill.yaml': 'name: s-1\n',
    'skills/b.skill.yaml': 'name: odd-7\n',
    'a.skill.yaml': 'name: test\ncomposes: [o7$0]\n',
  });
  assert.deepEqual(labels, ['odd-7']);
});

test('offers version ranges that match the existing version', () => {
  const { labels, accept } = complete(test2('requires:\n  - skill: read\n    version: $0'));
  assert.deepEqual(labels, ['^1.2.3', '~1.2.3', '1.2.3', '>=1.2.3']);
  assert.match(accept('>=1.2.3'), /version: ">=1.2.3"/);
  assert.deepEqual(complete(test2('requires: [{skill: read, version: "^0.1.0$0"}]')).items[0]?.filterText, '^0.1.0');
  assert.deepEqual(complete(test2('requires: [{skill: nobody, version: $0}]')).labels, []);
});

test('offers inputs and outputs for both sides of a mapping', () => {
  const composes = (mapping: string) =>
    `composes:\n  - skill: read\n    output_mapping: {count: score}\n  - skill: judge\n    ${mapping}`;
  assert.deepEqual(complete(test2(composes('input_mapping: {$0}'))).labels, ['user_id', 'deep', 'user', 'score']);
  assert.deepEqual(complete(test2(composes('input_mapping: {score: $0}'))).labels, ['score', 'note']);
  assert.deepEqual(complete(test2(composes('input_mapping:\n      $0'))).labels, ['user_id', 'deep', 'user', 'score']);
  assert.deepEqual(complete(test2(composes('output_mapping: {$0}'))).labels, ['verdict']);
  assert.deepEqual(complete(test2(composes('output_mapping: {verdict: $0}'))).labels, ['answer']);
  assert.equal(
    complete(test2('composes:\n  - skill: read\n    input_mapping:\n      us$0')).accept('user_id').split('\n').at(-3),
    '      user_id: ',
  );
});

test('offers steps, their inputs, and references to earlier steps', () => {
  const steps = (execution: string) => test2(`composes: [read, {skill: judge, as: verdict}]\nexecution:\n${execution}`);
  assert.deepEqual(complete(steps('  - step: $0')).labels, ['read', 'verdict']);
  assert.deepEqual(complete(steps('  - step: read\n  - step: verdict\n    inputs:\n      $0')).labels, [
    'score',
    'note',
  ]);
  const { labels, accept } = complete(steps('  - step: read\n  - step: verdict\n    inputs:\n      score: $r$0'));
  assert.deepEqual(labels, [
    '$read.output.count',
    '$input.user_id',
    '$input.deep',
    '$read.output',
    '$read.output.user',
  ]);
  assert.match(accept('$read.output.count'), /score: \$read\.output\.count\n/);
  // In a longer text, only the reference is replaced.
  const inText = (value: string) =>
    complete(steps(`  - step: read\n  - step: verdict\n    inputs:\n      note: ${value}`));
  assert.match(inText('"for $in$0put.x, now"').accept('$input.user_id'), /note: "for \$input\.user_id, now"\n/);
  assert.match(inText('for $$0').accept('$input.user_id'), /note: for \$input\.user_id\n/);
  assert.match(inText('"for $input.$0').accept('$input.user_id'), /note: "for \$input\.user_id\n/);
  assert.match(inText('"$$0 and more"').accept('$read.output.count'), /note: "\$read\.output\.count and more"\n/);
  assert.match(inText('$input.us$0er_id').accept('$input.deep'), /note: \$input\.deep\n/);
  // Parallel steps cannot read each other's output.
  assert.deepEqual(
    complete(steps('  - parallel:\n      - step: read\n      - step: verdict\n        inputs: {score: $0}')).labels,
    ['$input.user_id', '$input.deep'],
  );
});

test('offers references in the condition of a step', () => {
  const steps = (condition: string) =>
    test2(`composes: [read, judge]\nexecution:\n  - step: read\n  - step: judge\n    condition: ${condition}`);
  assert.match(complete(steps('$input.de$0 == true')).accept('$input.deep'), /condition: \$input\.deep == true\n/);
  const all = complete(steps('$0')).labels;
  for (const label of ['deep', 'source', '$input.deep', '$read.output.count']) assert.ok(all.includes(label), label);
  assert.match(complete(steps('$input.deep and de$0')).accept('deep'), /condition: \$input\.deep and deep\n/);
  assert.deepEqual(
    complete(steps('$read.output.user.$0')).labels.filter((label) => label.includes('user.')),
    ['$read.output.user.name'],
  );
  assert.ok(complete(steps('$input.deep and $read.$0')).labels.includes('$read.output.count'));
  assert.deepEqual(complete(steps('$input.user_id == "$0"')).labels, []);
});

test('offers `keep_when` with the output of the deciding step, and steps for `until`', () => {
  const steps = (execution: string) => test2(`composes: [read, judge]\nexecution:\n${execution}`);
  const keys = complete(steps('  - speculate:\n      - step: read\n        $0\n    until: judge')).labels;
  assert.deepEqual([...keys].sort(), ['inputs', 'keep_when', 'retry']);
  for (const until of ['judge', '{step: judge}']) {
    const { labels } = complete(
      steps(`  - speculate:\n      - step: read\n        keep_when: $judge.$0\n    until: ${until}`),
    );
    assert.ok(labels.includes('$judge.output.verdict'), until);
    assert.ok(!labels.includes('$read.output.count'), until);
  }
  assert.deepEqual(complete(steps('  - speculate: [{step: read}]\n    until: $0')).labels, ['read', 'judge']);
  assert.deepEqual(complete(steps('  - speculate: [{step: read}]\n    until: {step: $0}')).labels, ['read', 'judge']);
});

const RUN = {
  'skills.config.yaml':
    'tools:\n  - {name: read_page, output_schema: {text: string, tone: [grim, wry]}}\n  - {name: other}\n',
  'skills/judge.skill.yaml':
    'name: judge\ndescription: Judges.\nversion: 1.0.0\ninput_schema: {}\noutput_schema: {verdict: string}\n' +
    'backing_service: {endpoint: "x:1"}\ninterrupts: [before_exit]\nerrors: [{code: BUSY}]\n',
};

/** A skill with a tool, an interrupt, a composed service and two stages; `sample` is the lines of its sample. */
const run = (...sample: string[]) => ({
  ...RUN,
  'skills/test.skill.md': [
    ...['---', 'name: test', 'tools: [read_page]', 'interrupts: [on_missing_input, on_output_mismatch]'],
    ...['input_schema: {place: string}', 'output_schema: {page: string}'],
    ...['composes: [{skill: judge, as: verdict}]', 'samples:', '  dusk:', ...sample.map((line) => `    ${line}`)],
    ...['---', '', '## Approach: two', '', '1. **Read** it.', '2. **Write the page** now.', ''],
  ].join('\n'),
});

/** The codes of the run itself that a retry may repeat. */
const OF_RUN = ['TIMEOUT', 'MODEL_FAILED', 'OUTPUT_MISMATCH'];

test('offers the tools and services that a run can call as names of stubs, with their results', () => {
  assert.deepEqual(complete(run('stubs: {$0}')).labels, ['read_page', 'judge']);
  assert.deepEqual(complete(run('stubs:', '  judge: {returns: 1}', '  $0')).labels, ['read_page']);
  assert.match(complete(run('stubs:', '  $0')).accept('read_page'), /stubs:\n {6}read_page:\n {8}\$1\n/);
  assert.deepEqual(complete(run('stubs: {read_page: {$0}}')).labels, ['returns', 'fails', 'times']);
  assert.deepEqual(complete(run('stubs: {read_page: {returns: {$0}}}')).labels, ['text', 'tone']);
  assert.deepEqual(complete(run('stubs: {read_page: {returns: {tone: $0}}}')).labels, ['grim', 'wry']);
  assert.deepEqual(complete(run('stubs: {judge: {returns: {$0}}}')).labels, ['verdict']);
  assert.deepEqual(complete(run('stubs: {judge: {fails: $0}}')).labels, ['BUSY', ...OF_RUN]);
});

test('offers the interrupts of a skill and of its composed skills as names of answers', () => {
  assert.deepEqual(complete(run('answers: {$0}')).labels, ['on_missing_input', 'on_output_mismatch', 'before_exit']);
  assert.match(complete(run('answers:', '  $0')).accept('before_exit'), /answers:\n {6}before_exit: \n/);
  assert.deepEqual(complete(run('answers: {on_missing_input: {$0}}')).labels, ['place']);
  assert.deepEqual(complete(run('answers: {on_output_mismatch: {$0}}')).labels, ['page']);
});

test('offers steps and stages for the path that a sample expects, and the exits', () => {
  assert.deepEqual(complete(run('expect: {path: [$0]}')).labels, ['verdict', 'Read', 'Write the page']);
  assert.deepEqual(complete(run('expect: {path: [Read, $0]}')).labels, ['verdict', 'Write the page']);
  const { labels } = complete(run('expect: {exit: $0}'));
  assert.deepEqual(labels, ['output_schema', 'tool_budget', 'interrupt', 'caller']);
});
