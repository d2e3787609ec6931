/**
 * `check` and `compose` agree. If check reports no error, every valid invocation composes, or fails in a template
 * because of a value. If every such invocation fails, check reports an error at the cause. The budget is ignored.
 */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cases, stride } from '../../random.ts';
import { samples } from '../corpus.ts';
import { open, ROOT, shown } from '../opened.ts';
import { disagreement } from './agreement.ts';
import { mutationsOf } from './mutations.ts';
import { CATALOG, COMPOSED, randomComposite, randomSkill } from './random-skill.ts';

/** The stride of the tried changes to a sample; `npm run fuzz` tries every change. */
const STEP = stride(20);

describe('check and compose agree on single changes to', () => {
  const workspace = open(Object.fromEntries(samples));
  let number = 0;
  for (const [path, text] of samples) {
    if (path.endsWith('skills.config.yaml')) continue;
    it(path, () => {
      const uri = `${ROOT}/${path}`;
      const found: string[] = [];
      for (const [what, mutated] of [['nothing', text] as const, ...mutationsOf(text)]) {
        if (what !== 'nothing' && number++ % STEP !== 0) continue;
        workspace.apply({ kind: 'text', uri, text: mutated });
        const wrong = disagreement(workspace, path);
        if (wrong) found.push(`${what}: ${wrong}`);
      }
      workspace.apply({ kind: 'text', uri, text });
      assert.deepEqual(found, []);
    });
  }
});

it('check and compose agree on random skills', () => {
  const workspace = open({ 'skills.config.yaml': CATALOG });
  fc.assert(
    fc.property(randomSkill, (text) => {
      workspace.apply({ kind: 'text', uri: `${ROOT}/one.skill.md`, text });
      assert.equal(disagreement(workspace, 'one.skill.md'), undefined, shown(text));
    }),
    cases(300),
  );
});

it('check and compose agree on random composites', () => {
  const workspace = open(COMPOSED);
  fc.assert(
    fc.property(randomComposite, (text) => {
      workspace.apply({ kind: 'text', uri: `${ROOT}/w.skill.yaml`, text });
      assert.equal(disagreement(workspace, 'w.skill.yaml'), undefined, shown(text));
    }),
    cases(500),
  );
});
