/** The settings that an observation pins (lab/README.md, "Which settings are observed"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { Observation } from '../../../lab/observation.ts';
import { linesOfPinned, pinned } from '../../../lab/pinned-settings.ts';
import { pipelines } from '../../../server/src/clients/pipeline/pipelines.ts';

const entry = (id: string, word: string): string =>
  `<skill>\n    <name>${id}</name>\n    <description>Sorts ${word}. Use it when someone mentions ${word}.</description>\n    <location>{workspace}/.pi/skills/${id}/SKILL.md</location>\n  </skill>`;

/** Pi, in three situations. */
const observation: Observation = {
  client: 'pi',
  package: 'pi',
  version: '1.0.0',
  observed: '2026-11-29',
  platform: 'linux',
  lists: [],
  situations: {
    's01-plain': { entries: [entry('s01-plain', 'apples')] },
    's16-bom': { entries: [entry('s16-bom', 'teas')] },
    's26-hidden': { entries: [] },
  },
  many: [],
  calledByModel: {},
  calledUnapproved: {},
  calledByPerson: {},
};

describe('the settings that an observation pins', () => {
  const pipeline = pipelines.find(({ id }) => id === 'pi');
  assert.ok(pipeline);
  const settings = new Map(pinned(pipeline, observation).map((one) => [one.setting, one]));

  it('are those of which every other value contradicts it', () => {
    assert.deepEqual(settings.get('find.hidden'), {
      setting: 'find.hidden',
      value: false,
      open: [],
      refuted: [{ variant: true, by: 's26-hidden' }],
    });
    assert.deepEqual(settings.get('open.bom')?.refuted, [{ variant: 'keep', by: 's16-bom' }]);
    assert.deepEqual(settings.get('find.folders.0')?.refuted, [{ variant: undefined, by: 's01-plain' }]);
  });

  it('are not those that no situation depends on', () => {
    assert.deepEqual(settings.get('find.fileLinks')?.open, ['no', 'never', 'inside', 'in-place']);
    assert.deepEqual(settings.get('fields.name.blank')?.open, ['empty']);
    const lines = linesOfPinned([{ pipeline, observation }]);
    assert.match(lines[0] ?? '', /^Pi 1\.0\.0: \d+ of \d+ settings are observed$/);
    assert.ok(lines.includes('  find.fileLinks: "yes", or "no", "never", "inside", "in-place"'));
  });
});
