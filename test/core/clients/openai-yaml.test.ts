/** Settings of skills for Codex: the predictions are compared with runs (`npm run lab -- --agents`). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPENAI_FORMS } from '../../../lab/agents/openai-forms.ts';
import observation from '../../../lab/agents/openai-observed.json';
import { readOpenAiSettings } from '../../../server/src/clients/pipeline/openai-yaml.ts';

describe('agents/openai.yaml', () => {
  it(`hides skills as in ${observation.client} ${observation.version}`, () => {
    const wrong = OPENAI_FORMS.flatMap(({ id, text }) => {
      const predicted = text !== undefined && readOpenAiSettings(text).hides !== undefined;
      const seen = observation.hidden.includes(id);
      return seen === predicted ? [] : [`${id}: seen ${seen}, predicted ${predicted}`];
    });
    assert.deepEqual(wrong, []);
  });
});
