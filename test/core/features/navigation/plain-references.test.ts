/** References in prose to another `SKILL.md`: `/name`, `$name`, "the `name` skill", links into its folder. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { documentLinks } from '../../../../server/src/features/navigation/definition.ts';
import { isRefusal, rename } from '../../../../server/src/features/rename/rename.ts';
import { hoverIn } from '../cursor.ts';
import { afterRename, at, definitionsAt, highlightsAt, preparedAt, referencesAt, renamedAt } from './world.ts';

const skill = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it when asked.\n---\n\n${body}\n`;

const FILES = {
  'skills/deploy-app/SKILL.md': skill('deploy-app', 'Run `/deploy-app staging`. Then /check-logs.'),
  'skills/check-logs/SKILL.md': skill('check-logs', 'Look at `/var/log`, and at $check-logs.'),
  'skills/release/SKILL.md': skill(
    'release',
    [
      'First /ops:deploy-app, then `$check-logs`, and the `check-logs` skill again.',
      'See [deploying](../deploy-app/SKILL.md#how), [its notes](../deploy-app/notes.md) and [none](../deploy-app-2/x.md).',
      '',
      '```',
      '/deploy-app production',
      'cp a /deploy-app',
      '```',
      '',
      'Nothing: a/deploy-app, /deploy-app/x, `cp a /deploy-app`, the `/deploy-app` endpoint, <!-- /deploy-app -->',
    ].join('\n'),
  ),
};

const RELEASE = 'skills/release/SKILL.md';

test('goes to the skill from every form of reference', () => {
  const deploy = ['skills/deploy-app/SKILL.md 2: name: «deploy-app»'];
  const logs = ['skills/check-logs/SKILL.md 2: name: «check-logs»'];
  assert.deepEqual(definitionsAt(RELEASE, 'First /ops:depl¦oy-app', FILES), deploy);
  assert.deepEqual(definitionsAt(RELEASE, '(../depl¦oy-app/SKILL.md', FILES), deploy);
  assert.deepEqual(definitionsAt(RELEASE, '\n/depl¦oy-app production', FILES), deploy);
  assert.deepEqual(definitionsAt(RELEASE, '`$check-¦logs`', FILES), logs);
  assert.deepEqual(definitionsAt(RELEASE, 'the `check-¦logs` skill', FILES), logs);
});

test('finds all references to a skill, but not addresses or parts of paths', () => {
  assert.deepEqual(referencesAt('skills/deploy-app/SKILL.md', 'name: deploy¦-app', true, FILES), [
    'skills/deploy-app/SKILL.md 2: name: «deploy-app»',
    'skills/deploy-app/SKILL.md 6: Run `/«deploy-app» staging`. Then /check-l',
    'skills/release/SKILL.md 6: First /ops:«deploy-app», then `$check-logs`, an',
    'skills/release/SKILL.md 7: See [deploying](../«deploy-app»/SKILL.md#how), [its not',
    'skills/release/SKILL.md 7: md#how), [its notes](../«deploy-app»/notes.md) and [none](..',
    'skills/release/SKILL.md 10: /«deploy-app» production',
  ]);
});

test('an unknown name is never a reference', () => {
  const files = { ...FILES, 'a/SKILL.md': skill('a', 'Look into /tmp. Use the `tmp-files` skill, or $home-dir.') };
  for (const marked of ['/t¦mp', '`tmp-f¦iles`', '$home¦-dir']) {
    assert.deepEqual(definitionsAt('a/SKILL.md', marked, files), []);
    assert.deepEqual(highlightsAt('a/SKILL.md', marked, files), []);
    assert.equal(hoverIn(at('a/SKILL.md', marked, files)), undefined);
    assert.match(preparedAt('a/SKILL.md', marked, files), /not a name that can be renamed/);
  }
});

test('a link refers only to the skill in its target folder, not to another skill with the same name', () => {
  const files = {
    'one/notes/SKILL.md': skill('notes', 'Takes notes.'),
    'two/write/SKILL.md': skill('write', 'See [notes](../notes/SKILL.md).'),
    'one/write-down/SKILL.md': skill('write-down', 'See [notes](../notes/SKILL.md).'),
  };
  assert.deepEqual(definitionsAt('two/write/SKILL.md', '../no¦tes', files), []);
  assert.equal(definitionsAt('one/write-down/SKILL.md', '../no¦tes', files).length, 1);
});

test('hover shows the description of the other skill', () => {
  const hovered = hoverIn(at(RELEASE, '`$check-¦logs`', FILES));
  assert.equal(hovered?.marked, 'check-logs');
  assert.match(hovered?.text ?? '', /Does check-logs/);
});

test('highlights all references to the skill in the file', () => {
  assert.deepEqual(highlightsAt(RELEASE, 'the `check-¦logs` skill', FILES), [
    'read skills/release/SKILL.md 6: /ops:deploy-app, then `$«check-logs»`, and the `check-logs`',
    'read skills/release/SKILL.md 6: `$check-logs`, and the `«check-logs»` skill again.',
  ]);
});

test('a reference to another skill is a document link', () => {
  const linksOf = (path: string) => {
    const { analysis, file } = at(path, 'name:¦', FILES);
    return documentLinks(analysis, file, utf16).map(({ range, target }) => {
      const [start, end] = [utf16.offset(file, range.start), utf16.offset(file, range.end)];
      return `${file.text.slice(start, end)} → ${target?.slice('file:///skills-here/skills/'.length)}`;
    });
  };
  assert.deepEqual(linksOf('skills/check-logs/SKILL.md'), []);
  assert.deepEqual(linksOf(RELEASE), [
    '../deploy-app/SKILL.md#how → deploy-app/SKILL.md',
    '/ops:deploy-app → deploy-app/SKILL.md',
    '$check-logs → check-logs/SKILL.md',
    'check-logs → check-logs/SKILL.md',
    '/deploy-app → deploy-app/SKILL.md',
  ]);
});

test('renaming a skill changes its folder, references and links, and renaming it back restores them', () => {
  assert.deepEqual(renamedAt('skills/deploy-app/SKILL.md', 'name: deploy¦-app', 'ship-app', FILES), [
    'skills/deploy-app/SKILL.md 2: name: ship-app',
    'skills/deploy-app/SKILL.md 6: Run `/ship-app staging`. Then /check-logs.',
    'skills/release/SKILL.md 6: First /ops:ship-app, then `$check-logs`, and the `check-logs` skill again.',
    'skills/release/SKILL.md 7: See [deploying](../ship-app/SKILL.md#how), [its notes](../ship-app/notes.md) and [none](../deploy-app-2/x.md).',
    'skills/release/SKILL.md 10: /ship-app production',
    'skills/deploy-app → skills/ship-app',
  ]);
  const after = afterRename(RELEASE, 'First /ops:depl¦oy-app', 'ship-app', FILES);
  assert.deepEqual(afterRename(RELEASE, 'First /ops:ship¦-app', 'deploy-app', after), FILES);
});

test('groups edits in other skills separately, and moves no folder for a client that cannot rename files', () => {
  const { analysis, file, offset } = at('skills/deploy-app/SKILL.md', 'name: deploy¦-app', FILES);
  const client = { documentChanges: true, renamesFiles: true, annotations: true, version: () => null };
  const renamed = rename(analysis, file, offset, 'ship-app', utf16, client);
  assert.ok(!isRefusal(renamed), isRefusal(renamed) ? renamed.refusal : '');
  const { edit } = renamed;
  const ids = (edit.documentChanges ?? []).flatMap((one) =>
    'edits' in one ? one.edits.map((each) => ('annotationId' in each ? each.annotationId : 'here')) : one.kind,
  );
  assert.deepEqual(ids, ['rename', 'here', 'here', 'in-words', 'elsewhere', 'elsewhere', 'in-words']);
  assert.equal(edit.changeAnnotations?.['in-words']?.label, 'Rename to ship-app in the text of other skills');
  const other = rename(analysis, file, offset, 'ship-app', utf16, { ...client, renamesFiles: false });
  assert.ok(!isRefusal(other));
  assert.ok(other.edit.documentChanges?.every((one) => 'edits' in one && !one.textDocument.uri.includes('ship-app')));
  assert.equal(other.moves.length, 1, 'the client says what to rename');
});

test('adding a mention of another skill affects only the edited file', () => {
  const workspace = new Workspace();
  const uriOf = (path: string) => `file:///skills-here/${path}`;
  const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: uriOf(path), text });
  for (const [path, text] of Object.entries(FILES)) put(path, text);
  const affected = put('skills/deploy-app/SKILL.md', skill('deploy-app', 'Run /check-logs, then /release.'));
  assert.deepEqual([...affected], [uriOf('skills/deploy-app/SKILL.md')]);
  const renamed = put('skills/deploy-app/SKILL.md', skill('ship-app', 'Run /check-logs, then /release.'));
  assert.ok(renamed !== 'all' && renamed.has(uriOf(RELEASE)));
});

test('refuses a new name that another skill already mentions', () => {
  const files = { ...FILES, 'a/SKILL.md': skill('a', 'Use /ship-app. See `cp x /ship-it`.') };
  const to = (name: string) => renamedAt('skills/deploy-app/SKILL.md', 'name: deploy¦-app', name, files);
  assert.match(String(to('ship-app')), /`a\/SKILL.md` already uses the name `ship-app`/);
  assert.equal(typeof to('ship-it'), 'object');
});
