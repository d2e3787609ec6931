/** `test`: tests, files and folders that cannot be read fail in every format. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { folderWith, run } from './cli.ts';
import { greet, testJson, told } from './cli-tests.ts';

const tidy = '---\nname: tidy\ndescription: Tidies notes. Use it for notes.\n---\n\nTidy.\n';
const CHECK = ['check', '--format', 'json'];

/** Returns the messages of failed tests. */
const failures = ({ tests }: Awaited<ReturnType<typeof testJson>>): readonly string[] =>
  tests.flatMap(({ status, message }) => (status === 'failed' ? [message] : []));

describe('skill-composer test, with a test that cannot be read', () => {
  const MISSPELT = [
    'expect: {prompt: [{type: contans, value: Ada}]}',
    'expect: {prompt: [{type: contains, valu: Ada}]}',
    'expect: {snapsot: true}',
    'expct: {snapshot: true}',
    'expect: {prompt: {type: contains, value: Ada}}',
    'expect: {nodes: [plann]}',
    'stubs: {read_page: {returns: 1}}',
    'answers: {before_exti: true}',
  ];
  for (const lines of MISSPELT) {
    it(`fails with the message of \`check\`: ${lines}`, async () => {
      const folder = folderWith({ 'greet.skill.md': greet(lines) });
      const found = await testJson(folder);
      const checked = JSON.parse((await run(folder, CHECK)).stdout) as {
        readonly findings: readonly { readonly message: string }[];
      };
      assert.deepEqual([found.code, found.summary.passed], [1, 0]);
      assert.deepEqual(
        failures(found),
        checked.findings.map(({ message }) => message),
      );
    });
  }

  it('fails in every format, although the rule is off', async () => {
    const folder = folderWith({
      'greet.skill.md': greet('expect: {snapsot: true}'),
      'skills.config.yaml': 'rules: {unknown-key: off}\n',
    });
    for (const [format, pattern] of [
      ['pretty', /✗ composes first visit greet\.skill\.md:11:14\n +Unknown key `snapsot`\. Did you mean `snapshot`\?/],
      ['junit', /<failure message="Unknown key `snapsot`\. Did you mean `snapshot`\?">/],
      ['github', /^::error file=greet\.skill\.md,line=11,col=14,title=composes%3A first visit::Unknown key `snapsot`/],
    ] as const) {
      const { status, stdout } = await run(folder, ['test', '--format', format]);
      assert.equal(status, 1);
      assert.match(stdout, pattern);
    }
  });

  it('runs the other tests, and selects it by the name of an expectation', async () => {
    const text = greet('expct: {}').replace('\n---\n\n##', '\n  eve: {parameters: {guest: Eve}}\n---\n\n##');
    const folder = folderWith({ 'greet.skill.md': text });
    assert.deepEqual(told(await testJson(folder)), ['composes first visit: failed', 'composes eve: passed']);
    assert.deepEqual(told(await testJson(folder, '--filter', 'eve')), ['composes eve: passed']);
    assert.deepEqual(told(await testJson(folder, '--filter', 'visit › contains')), ['composes first visit: failed']);
    assert.equal((await run(folder, ['test', '--filter', 'zoe'])).status, 2);
  });

  it('neither exports it nor sends it to a model', async () => {
    const text = greet('expct: {}').replace('\n---\n\n##', '\n  eve: {parameters: {guest: Eve}}\n---\n\n##');
    const folder = folderWith({ 'greet.skill.md': text, 'broken.skill.md': greet('expect: {') });
    const { status, stdout, stderr } = await run(folder, ['test', '--export', 'promptfoo']);
    assert.deepEqual([status, JSON.parse(stdout).tests.length], [1, 1]);
    assert.match(stderr, /Not exported: `first visit`, which is invalid\. Unknown key `expct`/);
    assert.match(stderr, /Not exported: `all tests`, which is invalid\. This `\{` is not closed/);
    const model = await run(folder, ['test', '--filter', 'greet', '--runner', `"${process.execPath}" --version`]);
    assert.match(model.stderr, /^skill-composer: 1 run with prompts/);
  });

  it('ignores a finding that a comment at its line suppresses', async () => {
    const lines = ['# skill-disable-next-line unknown-key', 'note: {}'];
    assert.deepEqual(told(await testJson(folderWith({ 'greet.skill.md': greet(...lines) }))), [
      'composes first visit: passed',
    ]);
  });
});

describe('skill-composer test, with a key or a file that may hide tests', () => {
  const CASES: readonly (readonly [string, string, RegExp])[] = [
    ['a misspelt key', greet().replace('samples:', 'sampels:'), /^Unknown key `sampels`/],
    [
      'a list of samples',
      greet().replace('  first visit:\n    parameters', '  - parameters'),
      /^`samples` must be a map/,
    ],
    [
      'a misspelt key of `routing`',
      greet().replace('samples:', 'routing: {shoud: [x]}\nsamples:'),
      /^Unknown key `shoud`/,
    ],
    ['an empty request', greet().replace('samples:', 'routing: {should: [""]}\nsamples:'), /^An item of `should`/],
    ['invalid YAML', greet('expect: {'), /^This `\{` is not closed/],
    ['unclosed frontmatter', greet().replace('---\n\n##', '\n##'), /`---`/],
    ['no frontmatter', 'Greet.\n', /has no frontmatter/],
  ];
  for (const [title, text, message] of CASES) {
    it(`fails for ${title}, whatever the filter selects`, async () => {
      for (const words of [[], ['--filter', 'nothing']]) {
        const found = await testJson(folderWith({ 'greet.skill.md': text }), ...words);
        assert.equal(found.code, 1);
        assert.match(failures(found)[0] ?? '', message);
      }
    });
  }

  it('fails for a skill that is not UTF-8 or a broken link', async () => {
    const folder = folderWith({ 'a.skill.md': '' });
    writeFileSync(join(folder, 'a.skill.md'), Buffer.from(`\uFEFF${greet()}`, 'utf16le'));
    symlinkSync('/no/such/file', join(folder, 'b.skill.md'));
    const found = await testJson(folder);
    assert.deepEqual([found.code, found.summary.failed], [1, 2]);
  });

  it('fails for samples and routing cases of a `SKILL.md`, and ignores keys of other programs', async () => {
    const withKeys = (...lines: string[]) =>
      testJson(folderWith({ 'tidy/SKILL.md': tidy.replace('\n---\n\n', `\n${lines.join('\n')}\n---\n\n`) }));
    const misspelt = await withKeys('samples: {a: {expect: {snapsot: true}}}', 'routing: {shoud: [x]}');
    assert.deepEqual(failures(misspelt), [
      'Unknown key `snapsot`. Did you mean `snapshot`?',
      'Unknown key `shoud`. Did you mean `should`?',
    ]);
    const others = await run(
      folderWith({ 'tidy/SKILL.md': tidy.replace('name:', 'samples: [a.csv]\nexamples: text\nname:') }),
      ['test'],
    );
    assert.equal(others.status, 0);
  });
});

it('tests every routing case of a skill with very many cases', async () => {
  const requests = Array.from({ length: 60 }, (_, at) => `bake cake ${at}`).join(', ');
  const text = greet().replace('samples:', `routing: {should_not: [${requests}, greet a guest]}\nsamples:`);
  const { summary, tests } = await testJson(folderWith({ 'greet.skill.md': text }));
  const failed = tests.filter(({ status }) => status === 'failed').map(({ name }) => name);
  assert.deepEqual([summary.passed, failed], [61, ['should not: greet a guest']]);
});

it('fails for a misspelt assertion in a template of the prompt', async () => {
  const metadata = '```yaml artifact\nassertions: [{type: contains, valu: Ada}]\n```\n\nGreet {{ guest }}';
  const found = await testJson(folderWith({ 'greet.skill.md': greet().replace('Greet {{ guest }}', metadata) }));
  assert.deepEqual(told(found), [
    'composes first visit: passed',
    'output first visit › assertion of PromptTemplate:greeting: failed',
  ]);
  assert.deepEqual(failures(found), ['Unknown key `valu`. Did you mean `value`?']);
});

it('skips expectations of an output that is not recorded', async () => {
  const text = greet('expect: {output: [{type: contains, value: Ada}, {type: contains, value: Ada}]}');
  assert.deepEqual(told(await testJson(folderWith({ 'greet.skill.md': text }))), [
    'composes first visit: passed',
    'output first visit › contains Ada: skipped',
    'output first visit › contains Ada (2): skipped',
  ]);
});

describe('skill-composer test, with `evals/` that cannot be read', () => {
  /** Writes a file beside a skill, and returns the failures of the skill's tests. */
  async function failuresWith(write: (path: string) => void, name = 'evals.json'): Promise<readonly string[]> {
    const folder = folderWith({ 'tidy/SKILL.md': tidy, 'notes/SKILL.md': tidy.replace('tidy', 'notes') });
    const path = join(folder, 'tidy/evals', name);
    mkdirSync(dirname(path));
    write(path);
    const found = await testJson(folder);
    assert.equal(found.code, 1);
    return failures(found);
  }

  for (const [title, write, message] of [
    [
      'UTF-16',
      (path: string) => writeFileSync(path, Buffer.from('\uFEFF{"evals": []}', 'utf16le')),
      /it is not valid UTF-8/,
    ],
    ['a folder', (path: string) => mkdirSync(path), /it is a folder/],
    ['a link', (path: string) => symlinkSync('/etc/hostname', path), /it is a symbolic link, which is not followed/],
    ['a broken link', (path: string) => symlinkSync('/no/such/file', path), /a link to a file that does not exist/],
    ['null', (path: string) => writeFileSync(path, 'null'), /has no list `evals`/],
    ['an empty file', (path: string) => writeFileSync(path, ''), /is not valid JSON/],
    [
      'a long file',
      (path: string) => writeFileSync(path, JSON.stringify({ evals: [{ prompt: 'x'.repeat(1_000_000) }] })),
      /^`evals\.json` has more than 1,000,000 characters/,
    ],
  ] as const) {
    it(`fails for ${title}`, async () => {
      const [found, ...more] = await failuresWith(write);
      assert.match(found ?? '', message);
      assert.deepEqual(more, []);
    });
  }

  it('fails for broken requests in another file, and for a misspelt file name', async () => {
    const broken = (path: string) => writeFileSync(path, '[{"query": "tidy", "should_trigger": true}');
    assert.match((await failuresWith(broken, 'triggers.json'))[0] ?? '', /^`triggers\.json` is not valid JSON/);
    const cases = (path: string) => writeFileSync(path, '{"evals": []}');
    assert.match((await failuresWith(cases, 'eval.json'))[0] ?? '', /Did you mean `evals\/evals\.json`\?/);
  });

  it('ignores data of other programs', async () => {
    const folder = folderWith({ 'tidy/SKILL.md': tidy, 'tidy/evals/data.json': 'no JSON', 'tidy/evals/a.json/x': '' });
    const { status, stderr } = await run(folder, ['test']);
    assert.deepEqual([status, /^skill-composer: No tests found/.test(stderr)], [0, true]);
  });

  it('stops failing when the file is corrected', async () => {
    const folder = folderWith({ 'tidy/SKILL.md': tidy, 'tidy/evals/evals.json/x': '' });
    assert.equal((await testJson(folder)).code, 1);
    rmSync(join(folder, 'tidy/evals/evals.json'), { recursive: true });
    writeFileSync(join(folder, 'tidy/evals/evals.json'), '{"evals": [{"prompt": "Tidy the notes."}]}');
    assert.deepEqual(told(await testJson(folder)), ['evals case 1: passed']);
  });
});
