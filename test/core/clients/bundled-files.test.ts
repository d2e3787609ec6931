/** The files that a `SKILL.md` links to, as the preview lists them. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { bundledFiles } from '../../../server/src/features/clients/clients-view.ts';
import { urisToProbe } from '../../../server/src/skill-folder/referenced-files.ts';

const DISK = 'file:///w/.claude/skills/tidy';

/** The paths that a body links to, in its order, with `!` before a missing one. */
function listed(body: string, there: readonly string[], folder = DISK): readonly string[] {
  const workspace = new Workspace();
  const uri = `${folder}/SKILL.md`;
  workspace.apply({ kind: 'text', uri, text: `---\nname: tidy\ndescription: Tidies.\n---\n\n${body}\n` });
  const file = workspace.analysis.file(uri);
  assert.ok(file);
  const isThere = (uri: string) =>
    there.some((path) => `${folder}/${path}`.startsWith(uri) || uri.endsWith(`/w/${path}`));
  for (const one of urisToProbe(file, { get: isThere })) {
    workspace.apply({ kind: 'exists', uri: one, exists: isThere(one) });
  }
  return bundledFiles(workspace.analysis, file).map(
    ({ path, isThere: known }) => `${known === false ? '!' : ''}${path}`,
  );
}

test('lists links, code spans and commands once, in the order of the body', () => {
  const body =
    'Read `references/style.md`, see [it](references/style.md#tone) and [the plot](plot.md).\n\n```bash\npython scripts/merge.py\npython scripts/sort.py\n```';
  assert.deepEqual(listed(body, ['references/style.md', 'plot.md', 'scripts/merge.py']), [
    'references/style.md',
    'plot.md',
    'scripts/merge.py',
    '!scripts/sort.py',
  ]);
});

test('does not list a path in code without an existing folder', () => {
  assert.deepEqual(listed('Run `scripts/build.sh` of the project.', []), []);
});

test('supports folder URIs without an authority', () => {
  const body = 'Run `scripts/merge.py`, then `scripts/sort.py`.';
  for (const folder of [DISK, 'memory:/w/.claude/skills/tidy']) {
    assert.deepEqual(listed(body, ['scripts/merge.py'], folder), ['scripts/merge.py', '!scripts/sort.py'], folder);
  }
});
