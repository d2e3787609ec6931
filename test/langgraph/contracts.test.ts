/**
 * The law of contracts: a composite for which `check` reports no error and no warning composes for every invocation that
 * matches its contract, and its run ends well, unless a stub fails, a person declines, or a limit is reached. Only its own
 * gates are closed.
 */
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import fc from 'fast-check';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { type Gate, prepareRequest } from '../../server/src/composer/prepare.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { run } from '../../server/src/services/run/run.ts';
import { cases } from '../random.ts';
import { composer, dryRequest } from './dry.ts';
import {
  invocationOf,
  KINDS,
  type Kind,
  LAW_CATALOG,
  PARTS,
  parametersOf,
  type RandomContract,
  randomContract,
  randomStubs,
} from './random-contracts.ts';

const FOLDER = 'file:///law/';

/** The codes with which a run may end that no finding of `check` is about. */
const EXPECTED = ['DECLINED', 'STEP_LIMIT', 'TIME_LIMIT', 'BUSY', 'GONE', 'ONE', 'LOST'];

const workspace = new Workspace();
for (const [path, text] of Object.entries({ 'skills.config.yaml': LAW_CATALOG, ...PARTS })) {
  workspace.apply({ kind: 'text', uri: FOLDER + path, text });
}

const seen = new Set<Kind>();

/** Opens a composite; removes it if `check` reports an error or a warning. */
function opened({ path, text }: RandomContract) {
  const uri = FOLDER + path;
  workspace.apply({ kind: 'text', uri, text });
  const { analysis } = workspace;
  const file = analysis.file(uri);
  const found = file ? check(file, analysis) : [];
  const isClean = !found.some(({ severity }) => severity === 'error' || severity === 'warning');
  const skillPackage = isClean ? checkedPackageOf(analysis, uri) : undefined;
  const context = invocationContextOf(analysis, uri);
  workspace.apply({ kind: 'delete', uri });
  return isClean ? { file, skillPackage, context } : undefined;
}

it('a composite without an error or a warning composes and runs for every invocation', async () => {
  const law = fc.asyncProperty(
    randomContract,
    randomStubs,
    fc.infiniteStream(fc.nat(1000)),
    fc.constantFrom(true, true, false),
    async (contract, stubs, numbers, answer) => {
      const composite = opened(contract);
      fc.pre(composite !== undefined);
      const { file, skillPackage, context } = composite;
      assert.ok(file && skillPackage);
      const iterator = numbers[Symbol.iterator]();
      for (let turn = 0; turn < 2; turn++) {
        const pick = (limit: number): number => (iterator.next().value as number) % limit;
        const fields = file.contract.input?.schema.fields ?? [];
        const isAsking = contract.kinds.has('missing input') && pick(2) === 0;
        const all = parametersOf(fields, pick);
        const parameters = isAsking ? withoutSome(all, pick) : all;
        const options = { ...invocationOf(pick), parameters, request: 'Do it.' };
        const { request, gates } = prepareRequest(skillPackage, context, undefined, options);
        const answers = [
          { name: 'before_exit', value: answer },
          { name: 'on_missing_input', value: all },
        ];
        const isBad = contract.kinds.has('body') && pick(3) === 0;
        const recorded = isBad ? { value: { out: 'bad' }, text: '{"out": "bad"}' } : undefined;
        const result = await run(dryRequest(request, { stubs, answers, ...(recorded && { recorded }) }), composer);
        const shown = [contract.text, JSON.stringify(options), `stubs: ${JSON.stringify(stubs)}`].join('\n');
        const others: readonly Gate[] = gates.filter(({ gate, uri }) => gate !== 'disabled' && uri !== file.uri);
        assert.deepEqual(others, [], `${shown}\na gate of a composed skill is closed`);
        assert.ok(result.ok, `${shown}\n${result.ok ? '' : result.errors.map(({ message }) => message).join('\n')}`);
        const { end } = result;
        const code = end.kind === 'failed' ? end.code : end.kind;
        const isRefused = isBad && contract.refusesBad;
        const isExpected =
          code === 'met'
            ? !isRefused
            : code === 'ASSERTION_FAILED'
              ? isRefused
              : EXPECTED.includes(code) && !contract.replaced.includes(code);
        assert.ok(isExpected, `${shown}\n${JSON.stringify({ ...end, span: undefined })}`);
      }
      for (const kind of contract.kinds) seen.add(kind);
    },
  );
  await fc.assert(law, { ...cases(3600), maxSkipsPerRun: 200 });
  const missing = KINDS.filter((kind) => !seen.has(kind));
  assert.deepEqual(missing, [], 'each kind occurs in a composite without a finding');
});

/** Returns the parameters without some of them, which `on_missing_input` asks for. */
const withoutSome = (parameters: Readonly<Record<string, Json>>, pick: (limit: number) => number) =>
  Object.fromEntries(Object.entries(parameters).filter(() => pick(3) > 0));
