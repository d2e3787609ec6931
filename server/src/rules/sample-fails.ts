import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A sample that the composer refuses, for a reason that no other rule sees. What composing came to is a fact of the index. */
export const sampleFails: Rule = {
  name: 'sample-fails',
  code: 'sample-fails',
  severity: 'error',
  evidence: { kind: 'spec', source: 'interfaces.md, "Rule names"' },
  dialects: SKILLS,
  isJudged: (index, { uri, contract }) => contract.samples.length === 0 || index.sampleFailures.has(uri),
  *check(index, { uri, contract }) {
    const failures = index.sampleFailures.get(uri) ?? [];
    for (const { name, span } of contract.samples) {
      for (const { sample, message, cause } of failures) {
        if (sample !== name) continue;
        const related = cause && isThere(index, cause.uri) ? [{ ...cause, message: 'it fails here' }] : [];
        yield { span, message: `The sample \`${name}\` does not compose: ${message}`, related };
      }
    }
  },
};

const isThere = (index: WorkspaceIndex, uri: string): boolean => index.documents.has(uri);
