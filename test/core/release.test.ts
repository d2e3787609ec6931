/** The addresses in packages, and the checks before a release. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addressesOf, isPublic, linksOfManifest, readAddress, repositoryOf } from '../host/addresses.mjs';
import { withAddresses } from '../host/cli-package.mjs';
import { must } from '../host/process.mjs';
import { asReleased, faultOfAddress, faultsOfReadme, faultsOfTree, faultsOfVersion } from '../host/release.mjs';
import { homepageOf } from '../host/site.mjs';
import { temporaryFolder } from '../temporary.mjs';

describe('the addresses of the project', () => {
  it('derive from the address of the repository', () => {
    assert.deepEqual(addressesOf('https://github.com/someone/skills'), {
      repository: 'https://github.com/someone/skills',
      homepage: 'https://github.com/someone/skills#readme',
      bugs: 'https://github.com/someone/skills/issues',
      qna: 'https://github.com/someone/skills/issues',
      files: 'https://github.com/someone/skills/blob/HEAD',
      pictures: 'https://github.com/someone/skills/raw/HEAD',
    });
    const { bugs, files } = addressesOf('https://gitlab.com/someone/deep/skills');
    assert.equal(bugs, 'https://gitlab.com/someone/deep/skills/-/issues');
    assert.equal(files, 'https://gitlab.com/someone/deep/skills/-/blob/HEAD');
  });

  it('use the site of the documentation as the home page', () => {
    const { homepage, bugs } = addressesOf('https://github.com/someone/skills', 'https://skills.someone.org');
    assert.deepEqual([homepage, bugs], ['https://skills.someone.org', 'https://github.com/someone/skills/issues']);
  });

  it('are the links of a manifest', () => {
    assert.deepEqual(linksOfManifest(undefined), {});
    assert.deepEqual(Object.keys(linksOfManifest(addressesOf('https://github.com/someone/skills'))), [
      ...['repository', 'homepage', 'bugs', 'qna'],
    ]);
  });

  it('are read from each form of the key `repository`', () => {
    const plain = 'https://github.com/someone/skills';
    assert.equal(repositoryOf({}), undefined);
    assert.equal(repositoryOf({ repository: `${plain}/` }), plain);
    assert.equal(repositoryOf({ repository: { url: `git+${plain}.git` } }), plain);
  });

  it('have a form that everyone can open', () => {
    for (const wrong of [
      ...['skills', 'http://github.com/someone/skills', 'git@github.com:someone/skills.git', 'javascript:alert(1)'],
      ...['https://me:secret@github.com/a/b', 'https://:secret@github.com/a/b', 'https://@github.com/a/b'],
      ...[
        'https://github.com/a/b?x',
        'https://github.com/a/b#readme',
        'https://github.com/a/b?',
        'https://github.com/a/b#',
      ],
      ...[
        'https://github.com/a/b c',
        'https://github.com/a/"b"',
        'https://github.com/a/$(id)',
        'https://github.com/a/`id`',
      ],
      ...[
        'https://github.com/a/%24b',
        'https://github.com\\a\\b',
        'https:github.com/a/b',
        'https://github.com/a/b\n#c',
      ],
    ]) {
      assert.throws(() => readAddress(wrong), /The address|is not an address/, wrong);
      assert.throws(() => homepageOf({ homepage: wrong }, ''), /The address|is not an address/, wrong);
    }
  });
});

describe('the links on the page of the command line', () => {
  const addresses = addressesOf('https://github.com/someone/skills');
  const [files, pictures] = [`${addresses.files}/client`, `${addresses.pictures}/client/pipelines`];

  it('are absolute, also in definitions and around pictures', async () => {
    const links = [
      ['[a](../a.md) and [b](../a.md "A title"), [c](#c), [d](https://d.org)', '../a.md', `${files}/a.md`],
      ['[![alt](a.png)](a.png)', '](a.png)](a.png)', `](${pictures}/a.png)](${files}/pipelines/a.png)`],
      ['[a] and [text][a]\n\n[a]: ../a.md#b\n', '../a.md', `${files}/a.md`],
      ['![alt][a]\n\n[a]: a.png "A title"\n', 'a.png', `${pictures}/a.png`],
      ['`[a](a.md)` ![](https://d.org/a.png)', '', ''],
    ];
    for (const [page = '', from = '', to = ''] of links) {
      assert.equal(await withAddresses(page, addresses), page.replaceAll(from, to));
      assert.equal(await withAddresses(page, undefined), page);
    }
  });

  it('have a form that can be replaced', async () => {
    for (const page of ['A [x](<a b.md>)', '[x](a\\_b.md)', '[x](a&amp;b.md)', '[x]\n\n[x]: <a.md>']) {
      await assert.rejects(withAddresses(page, addresses), /must have the form/, page);
    }
  });
});

describe('a release', () => {
  it('is refused without an address, with one sentence that says what to do', () => {
    assert.match(faultOfAddress(undefined) ?? '', /^A release needs .*`--repository https:\/\/HOST\/OWNER\/NAME`/);
  });

  it('is refused for an address that users cannot open', () => {
    for (const hidden of [
      ...[
        'https://example.com/skill-composer',
        'https://localhost/a/b',
        'https://git.test/a/b',
        'https://127.0.0.1/a/b',
      ],
      ...['https://localhost./a/b', 'https://example.com./a/b', 'https://127.0.0.1./a/b', 'https://server./a/b'],
      ...['https://[::1]/a/b', 'https://git.internal/a/b', 'https://server/a/b', 'https://github.com'],
    ]) {
      assert.equal(isPublic(hidden), false, hidden);
      assert.match(faultOfAddress(hidden) ?? '', /is not public/);
    }
    assert.equal(faultOfAddress('https://codeberg.org/someone/skills'), undefined);
  });

  it('is refused if the working tree has changes', () => {
    assert.deepEqual(faultsOfTree(''), []);
    assert.match(faultsOfTree(' M package.json\n?? notes\n').join(), /has 2 uncommitted changes/);
  });

  it('removes the paragraph of the README about commands that do not work before it', () => {
    const root = temporaryFolder({
      'README.md': '# A tool\n\nFirst.\n\n**Not released yet.** The commands with `npx`\nfail.\n\n## Use\n',
    });
    const path = join(root, 'README.md');
    assert.match(faultsOfReadme(root, true).join(), /this command removes that paragraph/);
    assert.match(readFileSync(path, 'utf8'), /Not released yet/);
    assert.match(faultsOfReadme(root, false).join(), /is removed\. Commit/);
    assert.equal(readFileSync(path, 'utf8'), '# A tool\n\nFirst.\n\n## Use\n');
    assert.deepEqual(faultsOfReadme(root, false), []);
  });

  it('finds that paragraph in our README, unless it was released', () => {
    const released = asReleased(read('README.md'));
    assert.doesNotMatch(released, /released? yet|first release/i);
    assert.match(released, /\n```\n\n!\[/);
  });

  const read = (path: string): string => readFileSync(path, 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const dated = (text: string): string => text.replace(/^## .*$/m, `## ${version} (2026-12-01)`);
  const tree =
    (changed: Readonly<Record<string, (text: string) => string>>) =>
    (path: string): string =>
      (changed[path] ?? ((text) => text))(path === 'CHANGELOG.md' ? dated(read(path)) : read(path));

  it('has the same version in all files', () => {
    assert.deepEqual(faultsOfVersion(tree({})), []);
    for (const path of [
      ...[
        'client/editors/emacs/skill-composer.el',
        'client/editors/zed/extension.toml',
        'client/editors/zed/Cargo.toml',
      ],
      ...['package-lock.json', 'docs/ci.md'],
    ]) {
      for (const other of ['9.9.9', `${version}-beta`, `${version}1`]) {
        const faults = faultsOfVersion(tree({ [path]: (text) => text.replaceAll(version, other) }));
        assert.deepEqual(faults, [`${path} contains the version ${other}. Change it to ${version}.`], other);
      }
      const faults = faultsOfVersion(tree({ [path]: () => '' }));
      assert.deepEqual(faults, [`${path} does not contain the version ${version}.`]);
    }
    const odd = tree({ 'package.json': () => '{"version": "1.0.0-beta"}' });
    assert.match(faultsOfVersion(odd).join(), /must be MAJOR\.MINOR\.PATCH/);
  });

  it('has the same version in each command and file name of the README', () => {
    const faultsOf = (text: string) => faultsOfVersion(tree({ 'README.md': () => text }));
    const right = `npx skill-composer@${version} check, skill-composer-${version}.tgz, skill-composer-${version}.vsix.`;
    assert.deepEqual(faultsOf(`${right}\nnpx skill-composer check, skill-composer.skill-composer\n`), []);
    for (const wrong of ['skill-composer@9.9.9', 'skill-composer-9.9.9.tgz', 'skill-composer-9.9.9.vsix']) {
      assert.deepEqual(faultsOf(`${right}\n\`${wrong}\``), [
        `README.md contains the version 9.9.9. Change it to ${version}.`,
      ]);
    }
  });

  it('reads only the standard output of git, not its warnings', async () => {
    const script = 'console.error("warning: a file is slow"); console.log("v1")';
    assert.equal(await must(process.execPath, ['-e', script]), 'v1\n');
    const failing = must(process.execPath, ['-e', `${script}; process.exit(1)`]);
    await assert.rejects(failing, /warning: a file is slow/);
  });

  it('has a dated entry with content in the change log', () => {
    const faultsOf = (log: string) => faultsOfVersion(tree({ 'CHANGELOG.md': () => log })).join();
    assert.match(faultsOf(`# Changelog\n\n## ${version} (unreleased)\n\n- New.\n`), /has no date/);
    assert.match(faultsOf('# Changelog\n\n## 0.0.1 (2026-12-01)\n\n- New.\n'), /The first entry .* is not/);
    const empty = `# Changelog\n\n## ${version} (2026-12-01)\n\n## 0.0.1 (2026-11-01)\n\n- Old.\n`;
    assert.match(faultsOf(empty), /is empty/);
  });
});
