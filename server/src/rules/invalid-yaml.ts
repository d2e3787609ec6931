import { sliceOf } from '../text.ts';
import { fixHere, type Rule } from './rule.ts';

/** A value that begins so may have been meant as the list, map, anchor, alias or tag that it nearly is. */
const AMBIGUOUS = /^(?:[[&*!]|\{(?!\{))/;

export const invalidYaml: Rule = {
  name: 'invalid-yaml',
  code: 'invalid-yaml',
  severity: 'error',
  evidence: { kind: 'spec', source: 'YAML 1.2.2' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span, message, fix } of file.frontmatter.tree.problems) {
      if (kind !== 'syntax') continue;
      const safe = !AMBIGUOUS.test(sliceOf(file.text, span));
      yield { span, message, fixes: fix ? [fixHere(file, fix.title, fix.edits, safe)] : [] };
    }
  },
};
