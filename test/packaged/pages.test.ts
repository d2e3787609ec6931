/** Runs the commands of docs/ci.md with the installed command line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { extended } from '../extended.ts';
import { temporaryFolder } from '../temporary.mjs';
import { env, git, TARBALL, workspace } from './installed.ts';
import { blocksOf, blockWith, unpackedPackage } from './page.ts';
import { readAction, runAction } from './runner.ts';

const unpacked = unpackedPackage();

describe('docs/ci.md', () => {
  it('has commands that work when they are copied and run in order', extended, () => {
    const cwd = workspace();
    const lines = blocksOf('sh').flatMap((block) => block.trim().split('\n'));
    const seen = lines.map((line) => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' });
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      return [line, status, last.replace(/\d+(\.\d+)*/g, 'N'), stderr.trim().replace(/\d+/g, 'N')];
    });
    const found = 'N error in N of N files.';
    const nothing = 'No findings in N files.';
    const wrote = 'skill-composer: `skills.baseline.json` now contains N finding.';
    const left = 'skill-composer: The baseline hides N finding. Use `--no-baseline` to show all.';
    assert.deepEqual(seen, [
      ['skill-composer check', 1, found, ''],
      ['skill-composer test', 0, 'N passed, N skipped.', ''],
      ['skill-composer check --out sarif=skills.sarif --out junit=skills.xml', 1, found, ''],
      ['skill-composer check --changed', 0, nothing, ''],
      ['skill-composer check --changed=main', 0, nothing, ''],
      ['skill-composer check --write-baseline', 0, nothing, wrote],
      ['skill-composer check', 0, nothing, left],
      ['skill-composer check --no-baseline --write-baseline', 0, nothing, wrote],
      ['skill-composer check --shard 1/2', 0, nothing, ''],
      ['skill-composer check --shard 2/2', 0, nothing, left],
      ['skill-composer test --shard 1/2', 0, 'N passed.', ''],
      ['skill-composer --version', 0, 'N', ''],
    ]);
    for (const file of ['skills.sarif', 'skills.xml', 'skills.baseline.json']) assert.ok(existsSync(join(cwd, file)));
  });

  it('lists every input of the action with its default', () => {
    const [, page = ''] = readFileSync('docs/ci.md', 'utf8').split('| input |');
    const { inputs } = readAction(unpacked);
    for (const [name, { default: value = '' }] of Object.entries(inputs)) {
      const [, told] = new RegExp(`^\\| \`${name}\` \\|.*\\| (.+) \\|$`, 'm').exec(page) ?? [];
      assert.ok(told, name);
      if (value !== '') assert.equal(told, `\`${value}\``, name);
    }
  });
});

describe('the action', () => {
  /** Returns the inputs of the action's step in the page's workflow, with this value of `changed`. */
  const step = (changed: string): Record<string, string> => {
    const { jobs } = parse(blockWith('yaml', 'upload-sarif'));
    const [, own, upload] = jobs.check.steps;
    assert.equal(own.uses, './skill-composer');
    assert.equal(upload.with.sarif_file, `\${{ steps.${own.id}.outputs.sarif }}`);
    return { ...own.with, changed };
  };

  it('runs in the workflow from the page, fails if there are findings, and writes SARIF', extended, () => {
    const cwd = workspace();
    const green = runAction(unpacked, cwd, step(''));
    assert.deepEqual([green.status, green.outputs], [0, { sarif: 'skills.sarif' }], green.log);
    writeFileSync(join(cwd, 'skills', 'broken.skill.md'), '---\nname: [\n---\n');
    const red = runAction(unpacked, cwd, step(''));
    assert.deepEqual([red.status, red.outputs], [1, { sarif: 'skills.sarif' }], red.log);
    assert.match(red.log, /^::error file=skills\/broken\.skill\.md,line=\d+,/m);
    assert.match(red.summary, /^### Skill Composer\n/);
    const { runs } = JSON.parse(readFileSync(join(cwd, 'skills.sarif'), 'utf8'));
    assert.equal(runs[0].results[0].level, 'error');
  });

  it('checks only the changes in a pull request', () => {
    const cwd = workspace();
    writeFileSync(join(cwd, 'skills', 'old.skill.md'), '---\nname: [\n---\n');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '--message', 'second');
    git(cwd, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    assert.equal(runAction(unpacked, cwd, step('')).status, 1);
    const { status, log } = runAction(unpacked, cwd, step('origin/main'));
    assert.equal(status, 0, log);
  });

  it('passes inputs with any content as arguments, never as part of a script', () => {
    const { runs } = readAction(unpacked);
    for (const { run } of runs.steps) assert.doesNotMatch(run, /\$\{\{/);
    const cwd = workspace();
    const ran = join(cwd, 'ran');
    const hostile = { paths: '--fix', changed: `$(touch ${ran})`, 'fail-on': `"; touch ${ran}; "` };
    for (const [name, text] of Object.entries(hostile)) {
      const { status, log } = runAction(unpacked, cwd, { [name]: text });
      assert.equal(status, 2, `${name}: ${log}`);
    }
    const odd = runAction(unpacked, cwd, { paths: 'skills\n\ncontracts\n', sarif: 'a b $(touch ran).sarif' });
    assert.deepEqual([odd.status, odd.outputs], [0, { sarif: 'a b $(touch ran).sarif' }], odd.log);
    assert.ok(existsSync(join(cwd, 'a b $(touch ran).sarif')));
    assert.ok(!existsSync(ran));
    assert.equal(git(cwd, 'status', '--porcelain', '--', 'skills').trim(), '');
    const broken = runAction(unpacked, cwd, { sarif: 'a\nother=b' });
    assert.deepEqual([broken.status, broken.outputs], [2, { sarif: '' }]);
    assert.match(broken.log, /^::error::The input `sarif` has a line break/m);
  });
});

describe('the GitLab template', () => {
  it('runs the package that a variable names, and writes the declared reports', () => {
    const { include } = parse(blockWith('yaml', 'include:'));
    assert.deepEqual(include, [{ local: 'client/pipelines/gitlab.yml' }]);
    const { 'skill-composer': job } = parse(readFileSync(join(unpacked, 'client/pipelines/gitlab.yml'), 'utf8'));
    const cwd = workspace();
    const variables = { SKILL_COMPOSER: TARBALL, npm_config_offline: 'true', npm_config_cache: temporaryFolder() };
    for (const line of job.script) {
      const ran = spawnSync('sh', ['-c', line], { cwd, env: { ...process.env, ...variables }, encoding: 'utf8' });
      assert.equal(ran.status, 1, ran.stderr);
    }
    const { codequality, junit } = job.artifacts.reports;
    const [first] = JSON.parse(readFileSync(join(cwd, codequality), 'utf8'));
    assert.equal(first.check_name, 'unknown-tool');
    assert.match(readFileSync(join(cwd, junit), 'utf8'), /^<\?xml /);
  });
});

describe('the pre-commit hooks', () => {
  it('select skill files and catalogs at any depth', () => {
    const hooks: readonly { readonly files: string }[] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8'));
    for (const { files: pattern } of hooks) {
      const files = new RegExp(pattern);
      for (const path of [
        ...['a.skill.md', 'deep/a.skill.yaml', 'a.skill.json', 'skills/a.md', 'a/skills.config.yaml'],
        '.claude/skills/x/SKILL.md',
      ])
        assert.ok(files.test(path), path);
      for (const path of ['README.md', 'skill.md', 'SKILL.md.txt']) assert.ok(!files.test(path), path);
    }
  });
});
