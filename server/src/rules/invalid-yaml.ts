import { sliceOf } from '../text.ts';
import { fixHere, type Rule } from './rule.ts';

/** Such a value may have been meant as a list, a map, an anchor, an alias or a tag. */
const AMBIGUOUS = /^(?:[[&*!]|\{(?!\{))/;

export const invalidYaml: Rule = {
  name: 'invalid-yaml',
  severity: 'error',
  evidence: { kind: 'spec', source: 'YAML 1.2.2' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span, message, fix } of file.frontmatter.tree.problems) {
      if (kind !== 'syntax') continue;
      const safe = fix?.isGuess !== true && !AMBIGUOUS.test(sliceOf(file.text, span));
      yield { span, message, fixes: fix ? fixHere(file, fix.title, fix.edits, safe) : [] };
    }
  },
};
