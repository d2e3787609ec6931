// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Keys and values in frontmatter and contracts. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const CATALOG = `tools:
  - name: read_page
    description: Reads one page.
    input_schema: {slug: string, depth: {type: integer, default: 1}}
    operation: READ
    scope: read:pages
  - {name: write_page, operation: WRITE, scope: write:pages}
scopes: [read:pages, write:pages, admin:all]
roles: {worldbuilder: [read:pages]}
profiles: [{name: night-desk, role: worldbuilder}]
interrupts: [{name: on_canon_conflict, node: call_tools, description: A clash.}]
effects: [Embed]
models: [anthropic, local]
`;

const withCatalog = (skill: string) => ({ 'skills.config.yaml': CATALOG, 'skills/test.skill.md': skill });
const skill = (frontmatter: string) => withCatalog(`---\n${frontmatter}\n---\n`);

test('offers missing keys with skeletons, mandatory keys first', () => {
  const { labels, accept, item } = complete('---\nname: test\n$0\ntags: [a]\n---\n');
  assert.deepEqual(labels.slice(0, 3), ['description', 'version', 'input_schema']);
  assert.ok(!labels.includes('name') && !labels.includes('tags'));
  assert.equal(accept('version'), '---\nname: test\nversion: ${1:1.0.0}\ntags: [a]\n---\n');
  assert.equal(accept('composes'), '---\nname: test\ncomposes:\n  - $1\ntags: [a]\n---\n');
  assert.equal(accept('intent_patterns'), '---\nname: test\nintent_patterns: [$1]\ntags: [a]\n---\n');
  assert.equal(item('level').detail, '1 or 2 or 3');
});

test('does not offer a key that already exists in another spelling', () => {
  const { labels } = complete('---\nparameter_schema: {}\n$0\n---\n');
  assert.ok(!labels.includes('input_schema'));
  assert.ok(labels.includes('output_schema'));
});

test('replaces the whole word, and keeps an existing colon', () => {
  assert.equal(complete('---\nver$0sio: 2.0.0\n---\n').accept('version'), '---\nversion: 2.0.0\n---\n');
  assert.equal(complete('---\n"ver$0": 2.0.0\n---\n').accept('version'), '---\n"version": 2.0.0\n---\n');
});

test('offers the file name as the name of the skill', () => {
  assert.equal(complete('---\nna$0\n---\n').accept('name'), '---\nname: ${1:test}\n---\n');
});

test('completes unfinished frontmatter', () => {
  assert.ok(complete('---\n$0').labels.includes('name'));
  assert.ok(complete('---\nna$0').labels.includes('name'));
  assert.ok(complete('---\nna$0\n\n# Title\n\nProse, and more.\n').labels.includes('name'));
  assert.ok(complete('---\nname: x\ndes$0\nversion: 1.0.0\n').labels.includes('description'));
  assert.deepEqual(complete('---\nSome prose, a rule above it.\n$0').labels, []);
});

test('completes values in unclosed frontmatter', () => {
  const open = withCatalog('---\nname: test\ntools: [re$0]\n');
  assert.deepEqual(complete(open).labels, ['read_page', 'write_page']);
  assert.ok(complete('---\nname: test\nlevel: $0\n').labels.includes('2'));
  assert.ok(complete('---\nname: test\npolicy:\n  ti$0\n').labels.includes('timeout_ms'));
});

test('completes invalid frontmatter', () => {
  const { labels } = complete('---\nname: [a\ndescription: "b\n$0\n---\n');
  assert.ok(labels.includes('version'), labels.join());
  assert.ok(complete(skill('name: a: b: c\ntools:\n  - re$0')).labels.includes('read_page'));
});

test('uses the line breaks of the file', () => {
  const text = complete('---\r\nname: x\r\n$0\r\n---\r\n').accept('composes');
  assert.equal(text, '---\r\nname: x\r\ncomposes:\r\n  - $1\r\n---\r\n');
});

test('offers nothing in comments or prose values', () => {
  for (const text of [
    '---\n# na$0\n---\n',
    '---\nname: x # na$0\n---\n',
    '---\ndescription: wri$0\n---\n',
    '---$0\n---\n',
    '---\ntools:\n- a\n--$0\n---\n',
    '---\nname: x\n$0---\n',
  ]) {
    assert.deepEqual(complete(text).labels, [], text);
  }
});

test('offers the keys of nested maps', () => {
  assert.deepEqual(complete(skill('composes:\n  - skill: a\n    $0')).labels, [
    'as',
    'input_mapping',
    'output_mapping',
  ]);
  assert.deepEqual(complete(skill('samples:\n  one:\n    request: x\n    $0')).labels, [
    'parameters',
    'source',
    'channel',
    'profile',
    'model',
    'thread_id',
    'memory',
    'expect',
    'stubs',
    'answers',
  ]);
  assert.ok(complete(skill('execution:\n  - $0')).labels.includes('parallel'));
  assert.deepEqual(complete(skill('policy: {budget: {p95_ms: 3, $0}}')).labels, ['p99_ms', 'cost_usd']);
  assert.ok(complete(skill('execution:\n  - parallel:\n      - step: a\n        $0')).labels.includes('condition'));
  assert.equal(
    complete(skill('execution:\n  - step: a\n    re$0')).accept('inputs').split('\n').slice(3, 5).join('\n'),
    '    inputs:\n      ${1:name}: $2',
  );
});

test('adds the dash of a list on a new line', () => {
  assert.equal(complete(skill('tools:\n  $0')).accept('read_page'), '---\ntools:\n  - read_page\n---\n');
  assert.equal(
    complete(skill('tools:\n  - write_page\n  $0')).accept('read_page'),
    '---\ntools:\n  - write_page\n  - read_page\n---\n',
  );
  assert.equal(complete(skill('tools:\n  -$0')).accept('read_page'), '---\ntools:\n  - read_page\n---\n');
  assert.equal(complete(skill('effects:$0')).accept('Query'), '---\neffects: [Query]\n---\n');
});

test('offers the tools from the catalog that the skill does not declare', () => {
  const { labels, item } = complete(skill('tools: [write_page, re$0]'));
  assert.deepEqual(labels, ['read_page']);
  assert.equal(item('read_page').detail, 'READ');
  assert.match(JSON.stringify(item('read_page').documentation), /Reads one page.*slug/s);
  assert.deepEqual(complete(skill('tools:\n  - write_page\n  - name: $0')).labels, ['read_page']);
  assert.deepEqual(complete(skill('tools:\n  - $0')).labels, [
    'read_page',
    'write_page',
    'name',
    'optional',
    'constraints',
  ]);
});

test('offers contracts with a service as tools', () => {
  const files = {
    'contracts/fetch.skill.yaml': 'name: fetch\nversion: 1.0.0\nbacking_service: {endpoint: x}\n',
    'skills/test.skill.md': '---\ntools: [$0]\n---\n',
  };
  assert.deepEqual(complete(files).labels, ['fetch']);
});

test('offers names from the catalog', () => {
  assert.deepEqual(complete(skill('tools: [write_page]\nrequired_scopes: [$0]')).labels, [
    'write:pages',
    'read:pages',
    'admin:all',
  ]);
  assert.deepEqual(complete(skill('required_scopes: [read:pages, wr$0]')).labels, ['write:pages', 'admin:all']);
  assert.equal(
    complete(skill('required_scopes: [write:$0]')).accept('write:pages'),
    '---\nrequired_scopes: [write:pages]\n---\n',
  );
  assert.equal(
    complete(skill('required_scopes:\n  - write:$0')).accept('write:pages'),
    '---\nrequired_scopes:\n  - write:pages\n---\n',
  );
  assert.deepEqual(complete(skill('allowed_roles: [$0]')).labels, ['worldbuilder']);
  assert.deepEqual(complete(skill('effects: [Query, $0]')).labels, ['Mutate', 'Network', 'Fail', 'Embed']);
  assert.deepEqual(complete(skill('samples: {a: {profile: $0}}')).labels, ['night-desk']);
  assert.deepEqual(complete(skill('samples:\n  a:\n    model: $0')).labels, ['anthropic', 'local']);
  assert.deepEqual(complete(skill('samples:\n  a:\n    memory: [{$0}]')).labels, ['id', 'tier', 'text']);
  const { item, labels } = complete(skill('interrupts:\n  - before_exit\n  - $0'));
  assert.equal(item('on_canon_conflict').detail, 'call_tools');
  assert.ok(labels.includes('on_missing_input') && !labels.includes('before_exit'));
});

/** The codes of the run itself that a retry may repeat. */
const OF_RUN = ['TIMEOUT', 'MODEL_FAILED', 'OUTPUT_MISMATCH'];

test('offers the allowed values of a key', () => {
  assert.deepEqual(complete(skill('level: $0')).labels, ['1', '2', '3']);
  assert.equal(complete(skill('level:$0')).accept('2'), '---\nlevel: 2\n---\n');
  assert.deepEqual(complete(skill('requires_tools: t$0')).labels, ['true', 'false']);
  assert.deepEqual(complete(skill('allowed_contexts: [channel, $0]')).labels, ['workspace', 'scheduled', 'autonomous']);
  assert.deepEqual(complete(skill('errors:\n  - code: X\npolicy:\n  retry:\n    retry_on: [$0]')).labels, [
    'X',
    ...OF_RUN,
  ]);
});

test('offers the errors of the step that is retried in `retry_on`', () => {
  const files = {
    'b.skill.yaml': 'name: b\nerrors: [{code: OF_B}]\n',
    'a.skill.yaml': [
      'name: a',
      'composes: [{skill: b, as: again}]',
      'errors: [{code: OF_A}]',
      'retry: {retry_on: [ONE]}',
      'execution:',
      '  - step: again',
      '    retry: {retry_on: [$0]}',
    ].join('\n'),
  };
  assert.deepEqual(complete(files).labels, ['OF_B', ...OF_RUN]);
  const own = files['a.skill.yaml'].replace('[$0]', '[]').replace('[ONE]', '[$0]');
  assert.deepEqual(complete({ ...files, 'a.skill.yaml': own }).labels, ['OF_A', 'OF_B', ...OF_RUN]);
});

test('offers the next versions even if they do not match the typed text', () => {
  const { labels, accept, items } = complete(skill('version: 1.2.3$0'));
  assert.deepEqual(labels, ['1.2.4', '1.3.0', '2.0.0']);
  assert.deepEqual(new Set(items.map(({ filterText }) => filterText)), new Set(['1.2.3']));
  assert.equal(accept('1.3.0'), '---\nversion: 1.3.0\n---\n');
  assert.deepEqual(complete(skill('version: $0')).labels, ['1.0.0', '0.1.0']);
});

test('offers licences, common licences first', () => {
  const { labels } = complete(skill('license: $0'));
  assert.equal(labels[0], 'MIT');
  assert.ok(labels.includes('0BSD') && labels.length > 400);
});

test('offers no framing in a contract', () => {
  const { labels } = complete({ 'contracts/a.skill.yaml': 'name: a\n$0\n' });
  assert.ok(labels.includes('backing_service') && !labels.includes('framing'));
});

test('offers the surfaces and the parts of the scope of an idempotency key', () => {
  const files = (text: string) => ({ 'skills.config.yaml': 'surfaces: [chat, alerts]\n', 'a.skill.yaml': text });
  const labels = (scope: string) => complete(files(`name: a\npolicy: {idempotency_scope: ${scope}}\n`)).labels;
  assert.deepEqual(labels('{chat: [day], $0}'), ['alerts']);
  assert.deepEqual(labels('{chat: [user_id, $0]}').slice(0, 2), ['session_id', 'tenant_id']);
  assert.ok(labels('[$0]').includes('user_id'));
});
