/** Many skills of one name: what is computed once for all of them, and what their findings show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { Rivals } from '../../../server/src/clients/matrix/rivals.ts';
import type { Subject } from '../../../server/src/clients/matrix/subject.ts';
import { MOST_COMBINATIONS, resultsOf } from '../../../server/src/clients/pipeline/setting.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const claudeCode = findClient('claude-code') as Client;

/** Opens skills named `equal` in these folders. */
function open(folders: readonly string[]): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  const text = '---\nname: equal\ndescription: Sorts the words of a page when a user asks for it.\n---\nSort them.\n';
  for (const folder of folders) workspace.apply({ kind: 'text', uri: `file:///w/${folder}/SKILL.md`, text });
  return workspace;
}

const many = Array.from({ length: 30 }, (_, number) => `.claude/skills/equal-${number}`);
const projects = ['a', 'b'].map((name) => `${name}/.claude/skills/equal`);

describe('many skills of one name', () => {
  const { analysis } = open([...many, ...projects]);
  const { agentSkills } = analysis;
  const subjects = many.map((folder) => agentSkills.find(`file:///w/${folder}/SKILL.md`) as Subject);

  it('have one list, also in folders with different names', () => {
    assert.deepEqual(new Set(subjects.map((one) => agentSkills.alike(one))).size, 1);
  });

  it('are one group for a client that may find them together, without those of other projects', () => {
    const groups = new Set(subjects.map((one) => agentSkills.rivalsOf(claudeCode, one).files));
    assert.equal(groups.size, 1);
    assert.equal([...groups][0]?.length, many.length);
    for (const folder of projects) {
      const other = agentSkills.find(`file:///w/${folder}/SKILL.md`) as Subject;
      assert.deepEqual(agentSkills.rivalsOf(claudeCode, other).files, []);
    }
  });

  it('are each read once for all of them', () => {
    const read = new Map<string, number>();
    const counted = subjects.map((one): Subject => {
      const readings = (...rules: Parameters<typeof one.file.readings>) => {
        read.set(one.uri, (read.get(one.uri) ?? 0) + 1);
        return one.file.readings(...rules);
      };
      return { ...one, file: { ...one.file, readings } };
    });
    const rivals = new Rivals(claudeCode, () => []);
    for (const one of counted) assert.ok(rivals.predictionsFor(one, rivals.groupOf(one, counted)));
    assert.deepEqual(new Set(read.values()), new Set([1]));
    assert.equal(read.size, many.length);
  });

  it('have the same entry in the lists of a client, wherever it is started', () => {
    const [first = ''] = many;
    const entries = projects.map((folder) => {
      const listing = analysis.listings.find(claudeCode, `file:///w/${folder}/SKILL.md`);
      return listing?.entries.byUri.get(`file:///w/${first}/SKILL.md`);
    });
    assert.ok(entries[0]);
    assert.equal(entries[0], entries[1]);
  });

  it('have findings with at most 20 links each', () => {
    const file = analysis.file(`file:///w/${many[0]}/SKILL.md`) ?? assert.fail();
    const found = check(file, analysis).filter(({ rule }) => rule === 'duplicate-skill');
    assert.deepEqual(
      found.map(({ related }) => related.length),
      [20],
    );
  });
});

it('a choice between too many values is computed once', () => {
  let count = 0;
  const oneOf = Array.from({ length: MOST_COMBINATIONS + 1 }, (_, at) => at);
  const results = resultsOf((ask) => {
    count++;
    return ask('winner', { oneOf, because: 'varies' });
  });
  assert.deepEqual([results, count], [undefined, 1]);
});
