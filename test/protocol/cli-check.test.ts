/** `check` on the command line. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { assertUsageError, CATALOG, CLI, checkJson, folderWith, misspelt, rulesOf, run, skill } from './cli.ts';
import { skillWithFraming } from './draft-scene.ts';

const windows = process.platform === 'win32';

describe('check', () => {
  it('reports findings as JSON, sorted by file and location', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'z/b.skill.md': misspelt('b'),
      'a/c.skill.md': skill('c', 'tools: [read_page, reed_page, raed_page]'),
      'a/fine.skill.md': skill('fine', 'tools: [read_page]'),
    });
    const { version, status, findings, summary } = await checkJson(folder);
    assert.equal(version, 1);
    assert.equal(status, 1);
    const unknown = findings.filter(({ rule }) => rule === 'unknown-tool');
    assert.deepEqual(
      unknown.map(({ file, range: { start } }) => [file, start.line, start.character]),
      [
        ['a/c.skill.md', 5, 19],
        ['a/c.skill.md', 5, 30],
        ['z/b.skill.md', 5, 8],
      ],
    );
    assert.equal(unknown[0]?.code, 'unknown-tool');
    assert.equal(unknown[0]?.severity, 'error');
    assert.equal(unknown[0]?.docs, 'docs/rules/unknown-tool.md');
    assert.ok(unknown[0]?.fixes.some(({ title }) => title.includes('read_page')));
    assert.equal(summary.files, 4);
    assert.equal(summary.errors, findings.filter(({ severity }) => severity === 'error').length);
  });

  it('prints a code frame, with colours only if requested', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
    const plain = await run(folder, ['check']);
    assert.equal(plain.status, 1);
    assert.match(
      plain.stdout,
      /^a\.skill\.md:6:9 error unknown-tool\n {2}.*reed_page.*\n {2}6 \| tools: \[reed_page\]\n {4}\| {9}\^{9}\n/m,
    );
    assert.match(plain.stdout, /\n1 error.* in 1 of 2 files\..*\n$/);
    assert.ok(!plain.stdout.includes('\u001b'));
    const coloured = await run(folder, ['check'], { env: { FORCE_COLOR: '1' } });
    assert.ok(coloured.stdout.includes('\u001b[31m'));
    assert.equal((await run(folder, ['check', '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout, plain.stdout);
  });

  it('reports that there are no findings', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a') });
    assert.deepEqual(await run(folder, ['check', '--rule', 'name-file-mismatch=off']), {
      status: 0,
      stdout: 'No findings in 1 file.\n',
      stderr: '',
    });
  });

  it('prefers the severities of --rule to those of the catalog, and exits with 1 according to --fail-on', async () => {
    const folder = folderWith({
      'skills.config.yaml': `${CATALOG}rules: {unknown-tool: warning}\n`,
      'a.skill.md': misspelt('a'),
    });
    const severity = async (...words: string[]) => {
      const { findings, status } = await checkJson(folder, ...words);
      return [findings.find(({ rule }) => rule === 'unknown-tool')?.severity, status];
    };
    assert.deepEqual(await severity(), ['warning', 0]);
    assert.deepEqual(await severity('--fail-on', 'warning'), ['warning', 1]);
    assert.deepEqual(await severity('--rule', 'unknown-tool=error'), ['error', 1]);
    assert.deepEqual(await severity('--rule', 'unknown-tool=info', '--fail-on', 'warning'), ['info', 0]);
    assert.deepEqual(await severity('--rule', 'unknown-tool=off'), [undefined, 0]);
  });

  it('compares sunset dates with --today', async () => {
    const head = (name: string) => `---\nname: ${name}\ndescription: Says it.\nversion: 1.0.0\ninput_schema: {}\n`;
    const folder = folderWith({
      'old.skill.md': `${head('old')}deprecated: {sunset: 2031-06-30}\n---\n\nSay it.\n`,
      'new.skill.md': `${head('new')}---\n\nAsk #skill:old.\n`,
    });
    const [before, after, wrong] = await Promise.all(
      ['2031-06-01', '2031-07-01', 'tomorrow'].map((today) => run(folder, ['check', '--today', today])),
    );
    assert.match(before?.stdout ?? '', /will be removed on 2031-06-30/);
    assert.match(after?.stdout ?? '', /was due to be removed on 2031-06-30/);
    assert.deepEqual([wrong?.status, /`--today tomorrow` is not a date/.test(wrong?.stderr ?? '')], [2, true]);
  });

  it('with --quiet, shows only findings that cause a failure', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
    const quiet = (...words: string[]) => run(folder, ['check', '--quiet', ...words]);
    const shown = await quiet();
    assert.equal(shown.status, 1);
    assert.ok(shown.stdout.startsWith('a.skill.md:6:9 error unknown-tool\n'));
    assert.doesNotMatch(shown.stdout, /in \d+ files?\./);
    assert.deepEqual(await quiet('--rule', 'unknown-tool=warning'), { status: 0, stdout: '', stderr: '' });
  });

  it('uses the catalog of --config instead of the catalogs in the folders', async () => {
    const folder = folderWith({
      'skills.config.yaml': 'tools: [reed_page]\nrules: {unknown-tool: off}\n',
      'ci/strict.yaml': CATALOG,
      'a.skill.md': misspelt('a'),
    });
    const { findings } = await checkJson(folder, '--config', 'ci/strict.yaml');
    assert.deepEqual(rulesOf({ findings } as never, 'unknown-tool'), ['a.skill.md unknown-tool']);
    assert.ok(findings.every(({ related }) => related.every(({ file }) => file === 'ci/strict.yaml')));
    assert.ok(findings.every(({ file }) => file !== 'skills.config.yaml'));
  });

  it('stops if a catalog that it uses is not YAML', async () => {
    const folder = folderWith({
      'skills.config.yaml': 'tools: [\n',
      'a.skill.md': skill('a'),
      'sub/skills.config.yaml': CATALOG,
      'sub/b.skill.md': skill('b'),
      'bad.yaml': 'tools: {a: [}\n',
    });
    assertUsageError(
      await run(folder, ['check']),
      /catalog `skills\.config\.yaml:\d+` is not valid YAML\. Fix it first/,
    );
    assertUsageError(await run(folder, ['check', '--config', 'bad.yaml']), /catalog `bad\.yaml:1` is not valid YAML/);
    // The broken catalog applies to no file in `sub`.
    assert.equal((await checkJson(folder, 'sub')).status, 0);
  });

  it('continues after bytes that are not text', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'bytes.skill.md': Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a, 0x80]),
      'nul.skill.md': misspelt('nul').replace('Read', '\0\0'),
      'empty.skill.md': '',
      'utf16.skill.md': Buffer.from(`\ufeff${skill('utf16')}`, 'utf16le'),
      'long.skill.md': `---\nname: ${'x'.repeat(200_000)}\n`,
    });
    const { summary, status } = await checkJson(folder);
    assert.equal(summary.files, 6);
    assert.equal(status, 1);
    assert.equal((await run(folder, ['check'])).status, 1);
  });

  it('reports that a rule has reached its limit of findings in a file', async () => {
    const many = skill('many') + Array.from({ length: 501 }, (_, at) => `#tool:tool_${at}\n`).join('');
    const folder = folderWith({ 'many.skill.md': many });
    const { stdout, stderr } = await run(folder, ['check']);
    assert.match(stdout, /500 errors in 1 file\./);
    assert.match(stderr, /`many\.skill\.md` has 500 or more findings of `undeclared-tool`/);
    assert.equal((await run(folder, ['check', '--quiet'])).stderr, '');
    const one = many.replace('#tool:tool_0\n', '<!-- skill-disable-next-line undeclared-tool -->\n#tool:tool_0\n');
    const suppressed = await run(folderWith({ 'many.skill.md': one }), ['check']);
    assert.match(suppressed.stdout, /500 errors in 1 file\./);
    assert.match(suppressed.stderr, /has 500 or more findings of `undeclared-tool`/);
  });

  it('reports each broken link in a table with HTML in its rows', async () => {
    const rows = Array.from(
      { length: 225 },
      (_, at) => `| \`--o${at}\` | Sets it.<br>Off. | [page](references/gone${at}.md) |\n`,
    ).join('');
    const head = '---\nname: tidy-notes\ndescription: Tidies notes. Use it when they grow.\n---\n\n# Tidy notes\n\n';
    const table = `${head}| option | text | page |\n|---|---|---|\n${rows}`;
    const { findings } = await checkJson(folderWith({ 'tidy-notes/SKILL.md': table }));
    assert.equal(findings.filter(({ rule }) => rule === 'broken-link').length, 225);
  });

  it('reports the part of a file, and the linked file, that were not read', async () => {
    const head = '---\nname: tidy-notes\ndescription: Tidies notes. Use it when they grow.\n---\n\n# Tidy notes\n\n';
    const body = `${'>'.repeat(200)} [gone](gone.md)\n\nSee [the rules](references/rules.md).\n`;
    const files = { 'tidy-notes/SKILL.md': head + body, 'tidy-notes/references/rules.md': 'Text.\n'.repeat(200_000) };
    const { findings } = await checkJson(folderWith(files));
    const unread = findings.filter(({ rule }) => rule === 'unread-text');
    assert.deepEqual(
      unread.map(({ range: { start }, severity }) => [start.line, severity]),
      [
        [7, 'warning'],
        [9, 'hint'],
      ],
    );
    assert.match(
      unread[1]?.message ?? '',
      /`references\/rules\.md` was not read: it has more than 1,000,000 characters/,
    );
  });

  it('ends without an error when its output is closed', { skip: windows }, async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}.skill.md`, misspelt(`s${at}`)]));
    const folder = folderWith({ 'skills.config.yaml': CATALOG, ...files });
    const command = `"${process.execPath}" "${CLI}" check | head -c 10`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd: folder });
    assert.equal(stdout.length, 10);
    assert.equal(stderr, '');
  });
});

it('check stops after the first of ten samples of a slow template, and reports the skipped samples', async () => {
  // The fuel of the engine does not limit these loops.
  const slow = `{% for i in range(9999) %}{{ ("a" * 1000000) | upper | length }}{% endfor %}`;
  const samples = Array.from({ length: 10 }, (_, at) => `  s${at}: {request: x}`);
  const folder = folderWith({
    'draft-scene.skill.md': skillWithFraming(slow, 'input_schema: {}', 'samples:', ...samples),
  });
  const { status, findings } = await checkJson(folder);
  const messages = findings.filter(({ rule }) => rule === 'sample-fails').map(({ message }) => message);
  assert.equal(status, 1);
  assert.equal(messages.length, 2, messages.join('\n'));
  assert.match(messages[0] ?? '', /`s0` does not compose: The template `main` ran longer than 2 s/);
  assert.match(
    messages[1] ?? '',
    /`s1` is not composed: .*stopped while composing the sample `s0`.* 8 more samples are skipped\.$/s,
  );
});
