import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { formatJson, insertEntry, removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, type Json, stringOf, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SampleEntry } from '../../skill/contract.ts';
import { isLeftOut, validateParameters } from '../../skill/parameters.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findKey } from '../../vocabulary/shape.ts';
import { expectationKeys } from '../../vocabulary/testing-keys.ts';
import { draftOf, valueProblems } from '../any-file/shape-problems.ts';
import { checkAssertions } from '../artifact/assertions.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { checkSampleRuns } from './sample-run.ts';
import { type CheckedValue, draftsOfViolations, insertField } from './schema-problems.ts';

/** A sample that does not match the skill's contract or the catalog. */
export const invalidSample: Rule = {
  name: 'invalid-sample',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2, "Samples"' },
  dialects: SKILLS,
  readsTests: true,
  *check(file, analysis) {
    for (const problem of valueProblems(file, 'invalid-sample')) yield draftOf(file, problem);
    const { samples, input } = file.contract;
    const checked = samples.flatMap((sample) => checkedSample(file, sample));
    // The interrupt asks for what is missing.
    const asks = file.contract.interrupts.some(({ name }) => name === 'on_missing_input');
    const judge: typeof validateParameters = (schema, parameters) =>
      validateParameters(schema, parameters).filter((one) => !(asks && isLeftOut(one)));
    yield* draftsOfViolations(file, input?.schema, checked, 'sample', judge);
    for (const sample of samples) {
      if (sample.value.kind !== 'map') continue;
      yield* profileDrafts(analysis, file, sample);
      const expect = findValue(sample.value, 'expect');
      for (const side of ['prompt', 'output']) yield* checkAssertions(file, findValue(expect, side));
      yield* besideFails(file, expect);
    }
    yield* checkSampleRuns(
      analysis,
      file,
      samples.map(({ value }) => value),
    );
  },
};

/**
 * Returns the parameters of a sample. A sample that must fail is composed instead: `sample-fails` reports it if it does
 * not fail as expected.
 */
function checkedSample(
  file: SkillFile,
  { name: sample, parameters, span, fails, value }: SampleEntry,
): readonly CheckedValue[] {
  if (fails || value.kind !== 'map' || (parameters && parameters.kind !== 'map')) return [];
  // Without parameters, the sample's name is the only location for the finding.
  const none: YamlMap = { kind: 'map', span, flow: true, entries: [] };
  const insert = (name: string, field: Json) =>
    parameters
      ? insertField(file, parameters, name, field)
      : insertEntry(file.text, value, 'parameters', formatJson({ [name]: field }));
  return [{ value: parameters ?? none, what: `The sample \`${sample}\` does not match the contract`, insert }];
}

/** Reports expectations beside `fails`, which are not checked because the sample does not compose. */
function* besideFails(file: SkillFile, expect: YamlNode | undefined): Iterable<Draft> {
  if (expect?.kind !== 'map' || !findEntry(expect, 'fails')) return;
  for (const { key } of expect.entries) {
    const name = String(key.value);
    if (name === 'fails' || !findKey(expectationKeys, name)) continue;
    yield {
      span: key.span,
      severity: 'warning',
      message: `\`${name}\` has no effect beside \`fails\`, because the sample must not compose. Remove one of them.`,
      fixes: fixHere(file, `Remove \`${name}\``, removeEntry(file.text, expect, name)),
    };
  }
}

function profileDrafts(analysis: Analysis, file: SkillFile, { value }: SampleEntry): readonly Draft[] {
  const { profiles } = analysis.parsedCatalogOf(file.uri);
  const node = findValue(value, 'profile');
  const profile = stringOf(node);
  if (!node || profile === undefined || profiles.size === 0 || profiles.has(profile)) return [];
  const near = nearestNames(profile, profiles.keys());
  return [
    {
      span: node.span,
      message: `Unknown profile \`${profile}\`.${didYouMean(near) || ' Add it to `profiles` in the catalog.'}`,
      fixes: replaceName(file, [node.span], near),
    },
  ];
}
