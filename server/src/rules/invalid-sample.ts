import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { findValue, stringOf, type YamlMap } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { SampleEntry } from '../skill/contract.ts';
import { validateParameters } from '../skill/parameters.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { checkAssertions } from './common/assertions.ts';
import { replaceName } from './common/name-fixes.ts';
import { draftsOfViolations } from './common/schema-problems.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A sample that does not match the skill's contract or the catalog. */
export const invalidSample: Rule = {
  name: 'invalid-sample',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2, "Samples"' },
  dialects: SKILLS,
  *check(file, analysis) {
    for (const problem of valueProblems(file, 'invalid-sample')) yield draftOf(file, problem);
    for (const sample of file.contract.samples) {
      if (sample.value.kind !== 'map') continue;
      yield* parameterDrafts(file, sample);
      yield* profileDrafts(analysis, file, sample);
      const expect = findValue(sample.value, 'expect');
      for (const side of ['prompt', 'output']) yield* checkAssertions(file, findValue(expect, side));
    }
  },
};

/** A sample that must fail is composed instead: `sample-fails` reports it if it does not fail as expected. */
function parameterDrafts(file: SkillFile, { parameters, span, name, fails }: SampleEntry): readonly Draft[] {
  if (fails) return [];
  const schema = file.contract.input?.schema;
  if (parameters && parameters.kind !== 'map') return [];
  // Without parameters, the sample's name is the only location for the finding.
  const none: YamlMap = { kind: 'map', span, flow: true, entries: [] };
  const what = `The sample \`${name}\` does not match the contract`;
  return draftsOfViolations(file, schema, parameters ?? none, what, validateParameters);
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
