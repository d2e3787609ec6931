import { setScalar } from '../languages/yaml/edit.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { isName, kebabName } from '../skill/kebab-name.ts';
import { draftOf, valueProblems } from './common/shape-drafts.ts';
import { fixHere, type Rule } from './rule.ts';

export const invalidName: Rule = {
  name: 'invalid-name',
  code: 'invalid-name',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 2' },
  dialects: ['composer', 'contract'],
  readsHeadOnly: true,
  *check(_, document) {
    const node = findValue(document.frontmatter.tree.root, 'name');
    for (const problem of valueProblems(document, 'invalid-name')) {
      const written = stringOf(node);
      const name = written === undefined ? undefined : kebabName(written);
      if (node?.kind !== 'scalar' || name === undefined || !isName(name)) {
        yield draftOf(document, problem);
        continue;
      }
      const edits = setScalar(document.text, node, name);
      yield {
        span: problem.span,
        message: `${problem.message} Others refer to the skill by this name; call it \`${name}\`, for example.`,
        fixes: edits.length > 0 ? [fixHere(document, `Rename to \`${name}\``, edits)] : [],
      };
    }
  },
};
