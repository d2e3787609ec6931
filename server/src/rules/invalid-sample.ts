import type { Draft } from '../finding.ts';
import { findValue, stringOf, type YamlMap } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { SampleEntry } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { settledCatalogOf, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { replaceName } from './common/naming-fixes.ts';
import { draftOf, valueProblems } from './common/shape-drafts.ts';
import { draftsOfViolations } from './common/violations.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A sample invocation that the skill's own contract or the catalog refuses. */
export const invalidSample: Rule = {
  name: 'invalid-sample',
  code: 'invalid-sample',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 2, "samples"' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    for (const problem of valueProblems(document, 'invalid-sample')) yield draftOf(document, problem);
    for (const sample of document.contract.samples) {
      if (sample.value.kind !== 'map') continue;
      yield* parameterDrafts(document, sample);
      yield* profileDrafts(index, document, sample);
    }
  },
};

function parameterDrafts(document: SkillDocument, { parameters, span, name, value }: SampleEntry): readonly Draft[] {
  const schema = document.contract.input?.schema;
  if (parameters && parameters.kind !== 'map') return [];
  // Without parameters the sample's name is the only place to show what is missing.
  const none: YamlMap = { kind: 'map', span, flow: true, entries: [] };
  const what = `The sample \`${name}\` does not fit the contract`;
  return draftsOfViolations(document, schema, parameters ?? none, what, parameters ?? value);
}

function profileDrafts(index: WorkspaceIndex, document: SkillDocument, { value }: SampleEntry): readonly Draft[] {
  const { profiles } = settledCatalogOf(index, document.uri);
  const node = findValue(value, 'profile');
  const profile = stringOf(node);
  if (!node || profile === undefined || profiles.size === 0 || profiles.has(profile)) return [];
  const near = nearestNames(profile, profiles.keys());
  return [
    {
      span: node.span,
      message: `The catalog has no profile called \`${profile}\`.${didYouMean(near)}`,
      fixes: replaceName(document, [node.span], near),
    },
  ];
}
