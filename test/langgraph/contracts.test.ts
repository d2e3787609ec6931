/**
 * The law of contracts: a composite for which `check` reports no error and no warning composes for every invocation that
 * matches its contract, and its run ends well, unless a stub fails, a person declines, or a limit is reached.
 */
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import fc from 'fast-check';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import type { RunEnd } from '../../server/src/protocol.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { run } from '../../server/src/services/run/run.ts';
import { cases } from '../random.ts';
import { composer, dryRequest } from './dry.ts';
import { KINDS, type Kind, LAW_CATALOG, PARTS, parametersOf, randomContract, randomStubs } from './random-contracts.ts';

const FOLDER = 'file:///law/';
const URI = `${FOLDER}w.skill.yaml`;

/** The codes with which a run may end that no finding of `check` is about. */
const EXPECTED = ['DECLINED', 'STEP_LIMIT', 'TIME_LIMIT', 'BUSY', 'GONE', 'ONE', 'LOST'];

const isExpected = (end: RunEnd): boolean =>
  end.kind === 'met' || (end.kind === 'failed' && EXPECTED.includes(end.code));

const workspace = new Workspace();
for (const [path, text] of Object.entries({ 'skills.config.yaml': LAW_CATALOG, ...PARTS })) {
  workspace.apply({ kind: 'text', uri: FOLDER + path, text });
}

const seen = new Set<Kind>();

it('a composite without an error or a warning composes and runs for every invocation', async () => {
  const law = fc.asyncProperty(
    randomContract,
    randomStubs,
    fc.infiniteStream(fc.nat(1000)),
    fc.constantFrom(true, true, false),
    async ({ text, kinds }, stubs, numbers, answer) => {
      workspace.apply({ kind: 'text', uri: URI, text });
      const { analysis } = workspace;
      const file = analysis.file(URI);
      const found = file
        ? check(file, analysis).filter(({ severity }) => severity === 'error' || severity === 'warning')
        : [];
      fc.pre(found.length === 0);
      const skillPackage = checkedPackageOf(analysis, URI);
      assert.ok(file && skillPackage);
      const iterator = numbers[Symbol.iterator]();
      for (let turn = 0; turn < 2; turn++) {
        const pick = (limit: number): number => (iterator.next().value as number) % limit;
        const parameters = parametersOf(file.contract.input?.schema.fields ?? [], pick);
        const options = { parameters, request: 'Do it.' };
        const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, URI), undefined, options);
        const answers = ['before_exit'].map((name) => ({ name, value: answer }));
        const result = await run(dryRequest(request, { stubs, answers }), composer);
        const shown = `${text}\nparameters: ${JSON.stringify(parameters)}\nstubs: ${JSON.stringify(stubs)}`;
        assert.ok(result.ok, `${shown}\n${result.ok ? '' : result.errors.map(({ message }) => message).join('\n')}`);
        assert.ok(isExpected(result.end), `${shown}\n${JSON.stringify({ ...result.end, span: undefined })}`);
      }
      for (const kind of kinds) seen.add(kind);
    },
  );
  await fc.assert(law, { ...cases(3600), maxSkipsPerRun: 200 });
  const missing = KINDS.filter((kind) => !seen.has(kind));
  assert.deepEqual(missing, [], 'each kind occurs in a composite without a finding');
});
