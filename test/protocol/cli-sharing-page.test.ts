/** docs/sharing.md: its commands print what the page shows, and write the files that it shows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderWith, run } from './cli.ts';

const page = readFileSync('docs/sharing.md', 'utf8');

/** The files on the page, by path. The path of a converted file begins with a period. */
const files = new Map(
  [...page.matchAll(/^````markdown (\S+)\n([\s\S]*?)^````$/gm)].map(([, path = '', text = '']) => [path, text]),
);

/** The commands that the page runs, each with the output that the page shows next to it. */
const commands = [...page.matchAll(/^```sh\nskill-composer (.*)\n```\n(?:\n[^`#\n].*\n\n```\n([\s\S]*?)^```$)?/gm)].map(
  ([, command = '', shown]) => ({ words: command.split(' '), shown }),
);

describe('docs/sharing.md', () => {
  it('has skills without findings, and commands with the shown results', async () => {
    const sources = [...files].filter(([path]) => !path.startsWith('.'));
    const folder = folderWith(Object.fromEntries(sources));
    const checked = await run(folder, ['check', '--fail-on', 'hint']);
    assert.equal(checked.status, 0, checked.stdout);
    assert.equal(commands.length, 2);
    for (const { words, shown } of commands) {
      const { status, stdout, stderr } = await run(folder, words);
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(stderr, /lost:/);
      if (shown !== undefined) assert.equal(stdout, shown);
    }
    for (const [path, text] of files) assert.equal(readFileSync(join(folder, path), 'utf8'), text, path);
    // A skill and its converted files have the same name and description.
    const { stdout } = await run(folder, ['check', '--fail-on', 'hint']);
    assert.match(stdout, /^No findings in 7 files\./);
  });
});
