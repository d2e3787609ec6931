/**
 * The language server in an editor that knows nothing of it but the protocol. Runs where `nvim` is on the PATH, by
 * `node test/run.mjs neovim`; the suites of every push do without it, and hold the protocol in `test/protocol`.
 */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const found = spawnSync('nvim', ['--version'], { encoding: 'utf8' });
const skip = found.status === 0 ? false : 'There is no `nvim` on the PATH.';

/** What came of each step of `session.lua`. */
interface Seen {
  readonly problem?: string;
  readonly findings: readonly string[];
  readonly fixed: string;
  readonly hover: string;
  readonly completion: readonly string[];
  readonly definition: string;
  readonly renamed: string;
  readonly formatted: string;
  readonly after: readonly string[];
}

const catalog = 'tools:\n  - {name: read_page, description: Reads one page of the wiki.}\n';

/** The places behind the letters outside of ASCII are wrong where the two sides count differently. */
const skill = `---
description: "Räumt 🐉 Seiten auf: use it for pages."
name: broken
version: 1.0.0
tools: [reed_page]
input_schema: {note: "string, 🐉 first", slug: string}
framing: Frame
---

## prompt template: Frame

\`\`\`jinja
🐉 {{ note }} {{ slug }}
\`\`\`
`;

function sit(): Seen {
  const folder = mkdtempSync(join(tmpdir(), 'skill-composer-neovim-'));
  const seen = join(folder, 'seen.json');
  try {
    writeFileSync(join(folder, 'skills.config.yaml'), catalog);
    writeFileSync(join(folder, 'broken.skill.md'), skill);
    const script = (name: string) => resolve('test', 'neovim', name);
    const { stdout, stderr } = spawnSync(
      'nvim',
      ['--headless', '--clean', '-i', 'NONE', '-n', '-u', script('init.lua'), '-c', `luafile ${script('session.lua')}`],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: 120_000,
        env: {
          ...process.env,
          SEEN: seen,
          SKILL_COMPOSER: `${process.execPath} ${resolve('dist/cli.cjs')} lsp --stdio`,
          XDG_STATE_HOME: join(folder, 'state'),
          XDG_CACHE_HOME: join(folder, 'cache'),
        },
      },
    );
    assert.doesNotMatch(`${stdout}${stderr}`, /Error|E\d+:/, 'Neovim has nothing to complain about');
    return JSON.parse(readFileSync(seen, 'utf8')) as Seen;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('Neovim shows findings, fixes, completes, hovers, goes to definitions, renames and formats', { skip }, () => {
  const seen = sit();
  assert.equal(seen.problem, undefined);
  assert.deepEqual(seen.findings, ['unknown-tool']);
  assert.equal(seen.fixed, skill.replace('reed_page', 'read_page').trimEnd());
  assert.match(seen.hover, /Reads one page of the wiki/);
  assert.ok(seen.completion.includes('read_page'), seen.completion.join(', '));
  assert.equal(seen.definition, 'skills.config.yaml');
  assert.equal(seen.renamed, seen.fixed.replace('slug: string', 'page: string').replace('{{ slug }}', '{{ page }}'));
  assert.match(seen.formatted, /^---\nname: broken\ndescription: /);
  assert.match(seen.formatted, /^## PromptTemplate: Frame$/m);
  assert.deepEqual(seen.after, []);
});
