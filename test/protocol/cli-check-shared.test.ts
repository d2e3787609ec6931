/** One finding for a cause that many skills share, in every format of `check` (docs/ci.md, "One cause, one finding"). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkJson, folderWith, run, write } from './cli.ts';

const NAMES = ['bow', 'hull', 'keel', 'mast', 'rope'];
const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Moors a boat at the ${name}. Use it when a boat arrives.\n${more}---\n\nMoor the ${name} first.\n`;
const files = (more = '') =>
  Object.fromEntries(NAMES.map((name) => [`skills/${name}/SKILL.md`, skill(`boat-${name}`, more)]));
const RULE = 'agent-skill-name-folder';
const OFF = ['--rule', 'overlapping-skills=off', '--rule', 'unclear-description=off'];
const SENTENCE =
  /4 more skills have names that begin with `boat-`\. Run `check --fix-rule agent-skill-name-folder` to fix all\./;

describe('a cause that many skills share', () => {
  it('is one finding with all places in JSON', async () => {
    const { findings, summary } = await checkJson(folderWith(files()), ...OFF);
    assert.deepEqual(
      findings.map(({ rule, file }) => [rule, file]),
      [[RULE, 'skills/bow/SKILL.md']],
    );
    assert.match(findings[0]?.message ?? '', SENTENCE);
    assert.deepEqual(
      findings[0]?.related.map(({ file }) => file),
      NAMES.slice(1).map((name) => `skills/${name}/SKILL.md`),
    );
    assert.equal(summary.warnings, 1);
  });

  it('is one finding with the first places in text, and the command that fixes all', async () => {
    const folder = folderWith(files());
    const { stdout, status } = await run(folder, ['check', ...OFF]);
    assert.equal(status, 0);
    assert.match(stdout, SENTENCE);
    assert.match(stdout, /= skills\/mast\/SKILL\.md:2:7 Also here\n.* = 1 more place, which `--format json` lists\n/);
    assert.match(stdout, /fix Rename to the name of the folder in all 5 files\n/);
    assert.match(stdout, /\n1 warning in 5 files\./);
    const fixed = await run(folder, ['check', ...OFF, '--fix-rule', RULE]);
    assert.match(fixed.stdout, /^Fixed 5 files\. No findings in 5 files\./);
    assert.match(readFileSync(join(folder, 'skills/mast/SKILL.md'), 'utf8'), /^---\nname: mast\n/);
  });

  it('is one result in each format for pipelines', async () => {
    const folder = folderWith(files());
    const formats = ['sarif', 'github', 'gitlab', 'junit', 'rdjson', 'checkstyle'];
    for (const format of formats) {
      const { stdout } = await run(folder, ['check', ...OFF, '--format', format]);
      assert.equal(stdout.match(/4 more skills have names/g)?.length, 1, format);
    }
    const { stdout } = await run(folder, ['check', ...OFF, '--format', 'sarif']);
    const [result] = JSON.parse(stdout).runs[0].results;
    assert.equal(result.relatedLocations.length, 4);
    const junit = await run(folder, ['check', ...OFF, '--format', 'junit']);
    assert.match(junit.stdout, /classname="skills\/hull\/SKILL.md" name="no other findings"/);
  });

  it('keeps its identity in SARIF and GitLab when a file is fixed', async () => {
    const folder = folderWith(files());
    const identities = async () => {
      const sarif = JSON.parse((await run(folder, ['check', ...OFF, '--format', 'sarif'])).stdout);
      const gitlab = JSON.parse((await run(folder, ['check', ...OFF, '--format', 'gitlab'])).stdout);
      return [sarif.runs[0].results[0].partialFingerprints.primaryLocationLineHash, gitlab[0].fingerprint];
    };
    const before = await identities();
    write(folder, 'skills/bow/SKILL.md', skill('bow'));
    assert.deepEqual(await identities(), before);
  });

  it('fails a run as its findings would', async () => {
    const folder = folderWith(files());
    assert.equal((await run(folder, ['check', ...OFF, '--fail-on', 'warning'])).status, 1);
    assert.equal((await run(folder, ['check', ...OFF, '--fail-on', 'error'])).status, 0);
  });

  it('loses only one place by a suppression or by the baseline', async () => {
    const suppressed = skill('boat-bow').replace('---\n', `---\n# skill-disable-next-line ${RULE}\n`);
    const folder = folderWith({ ...files(), 'skills/bow/SKILL.md': suppressed });
    const one = await checkJson(folder, ...OFF);
    assert.match(one.findings[0]?.message ?? '', /^The name `boat-hull` .* 3 more skills/);
    await run(folder, ['check', 'skills/hull', ...OFF, '--write-baseline']);
    const left = JSON.parse((await run(folder, ['check', ...OFF, '--format', 'json'])).stdout);
    assert.match(left.findings[0]?.message ?? '', /^The name `boat-keel` .* 2 more skills/);
    const { stderr } = await run(folder, ['check', ...OFF, '--write-baseline']);
    assert.match(stderr, /now contains 4 findings/);
    assert.match((await run(folder, ['check', ...OFF])).stdout, /^No findings/);
  });

  it('is one finding for each part of a run', async () => {
    const folder = folderWith(files());
    const parts = await Promise.all(['1/2', '2/2'].map((part) => checkJson(folder, ...OFF, '--shard', part)));
    const places = parts.flatMap(({ findings }) =>
      findings.flatMap(({ file, related }) => [file, ...related.map((one) => one.file)]),
    );
    assert.deepEqual(
      places.sort(),
      NAMES.map((name) => `skills/${name}/SKILL.md`),
    );
  });

  it('names the unknown keys of all skills, with the sentence of a client that refuses them', async () => {
    const keys = (name: string, at: number) => skill(name, `kind: tool\n${at > 2 ? 'flavour: fast\n' : ''}`);
    const all = Object.fromEntries(NAMES.map((name, at) => [`skills/${name}/SKILL.md`, keys(name, at)]));
    const { findings } = await checkJson(folderWith(all), ...OFF);
    assert.deepEqual(
      findings.map(({ message }) => message),
      [
        'Unknown key `kind`: clients ignore it. Move data for people or other tools under `metadata`, as text. 4 more skills have unknown keys, also `flavour`. Run `check --fix-rule agent-skill-unknown-key` to fix all.',
      ],
    );
    const catalog = { 'skills.config.yaml': 'agent_skills: {clients: [claude-ai]}\n' };
    const refused = await checkJson(folderWith({ ...all, ...catalog }), ...OFF);
    assert.deepEqual(
      refused.findings.map(({ rule, severity, related }) => [rule, severity, related.length]),
      [['agent-skill-unknown-key', 'error', 4]],
    );
    assert.match(
      refused.findings[0]?.message ?? '',
      /claude\.ai \(also Skills API\) does not load this skill\. 4 more/,
    );
  });

  it('is one finding for keys that only a client refuses, and for each misspelt key', async () => {
    const all = (key: string) =>
      Object.fromEntries(NAMES.map((name) => [`.claude/skills/${name}/SKILL.md`, skill(name, `${key}\n`)]));
    const catalog = { 'skills.config.yaml': 'agent_skills: {clients: [claude-code, claude-ai]}\n' };
    const refused = await checkJson(folderWith({ ...all('argument-hint: "[x]"'), ...catalog }), ...OFF);
    const about = refused.findings.filter(({ message }) => message.includes('`argument-hint` is not an accepted key'));
    assert.equal(about.length, 1);
    assert.match(about[0]?.message ?? '', / 4 more skills have this problem\./);
    const misspelt = await checkJson(folderWith(all('alowed-tools: Read')), ...OFF);
    assert.equal(misspelt.findings.filter(({ rule }) => rule === 'agent-skill-unknown-key').length, 1);
  });

  it('reads the habits of folders, too', async () => {
    const habits: readonly (readonly [(name: string) => string, (name: string) => string, string])[] = [
      [(name) => name, (name) => `0${NAMES.indexOf(name)}-${name}`, 'folders that begin with a number'],
      [(name) => name, (name) => `${name}-skill`, 'folders that end with `-skill`'],
      [(name) => `${name}-helper`, (name) => name, 'names that end with `-helper`'],
      [(name) => `the-${name}`, (name) => `The_${name}`, 'folders with another spelling than their names'],
    ];
    for (const [nameOf, folderOf, habit] of habits) {
      const all = NAMES.map((name) => [`skills/${folderOf(name)}/SKILL.md`, skill(nameOf(name))]);
      const { findings } = await checkJson(folderWith(Object.fromEntries(all)), ...OFF);
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        [RULE],
        habit,
      );
      assert.ok(findings[0]?.message.includes(` 4 more skills have ${habit}.`), findings[0]?.message);
    }
  });
});
