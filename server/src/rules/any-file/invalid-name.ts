import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import { isName, kebabName } from '../../skill/kebab-name.ts';
import type { Rule } from '../engine/rule.ts';
import { draftOf, valueProblems } from './shape-problems.ts';

export const invalidName: Rule = {
  name: 'invalid-name',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract'],
  readsCertainKeys: true,
  *check(file) {
    const node = findValue(file.frontmatter.tree.root, 'name');
    for (const problem of valueProblems(file, 'invalid-name')) {
      const written = stringOf(node);
      const name = written === undefined ? undefined : kebabName(written);
      if (node?.kind !== 'scalar' || name === undefined || !isName(name)) {
        yield draftOf(file, problem);
        continue;
      }
      const edits = setScalar(file.text, node, name);
      yield {
        span: problem.span,
        message: `${problem.message} Write for example \`${name}\`.`,
        fixes: fixHere(file, `Rename to \`${name}\``, edits),
      };
    }
  },
};
