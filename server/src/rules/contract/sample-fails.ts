import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a sample that cannot be composed, for a reason that no other rule reports. */
export const sampleFails: Rule = {
  name: 'sample-fails',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2, "Samples"' },
  dialects: SKILLS,
  isDecided: ({ uri, contract }, analysis) =>
    contract.samples.length === 0 || analysis.sampleFailures(uri) !== undefined,
  *check({ uri, contract }, analysis) {
    const failures = analysis.sampleFailures(uri) ?? [];
    for (const { name, span, fails } of contract.samples) {
      for (const { sample, message, cause, isSkipped, isUnexpected } of failures) {
        if (sample !== name) continue;
        const related = cause && analysis.file(cause.uri) ? [{ ...cause, message: 'The error is here' }] : [];
        if (isUnexpected) {
          // The author may have removed `fails` since the sample was composed.
          if (fails) yield { span: fails.span, message, related };
          continue;
        }
        yield {
          span,
          message: `The sample \`${name}\` ${isSkipped ? 'is not composed' : 'does not compose'}: ${message}`,
          related,
        };
      }
    }
  },
};
