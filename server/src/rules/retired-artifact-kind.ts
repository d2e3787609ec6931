import type { Draft } from '../finding.ts';
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { fixHere, type Rule } from './rule.ts';

const REPLACEMENTS = {
  CodeTemplate: 'Describe the steps in an Approach, and do the work with a tool.',
  DspyModule: 'Write a PromptTemplate instead.',
} as const;

/** Reports a section of a kind that the format no longer has. */
export const retiredArtifactKind: Rule = {
  name: 'retired-artifact-kind',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer', 'package'],
  readsBroken: true,
  *check(file) {
    if (file.dialect === 'package') yield* inPackage(file);
    for (const { kind, kindSpan } of file.body?.retiredKinds ?? []) {
      const successor = kind === 'DspyModule' ? 'PromptTemplate' : 'Approach';
      yield {
        span: kindSpan,
        message: `\`${kind}\` is a retired kind of artifact. ${REPLACEMENTS[kind]}`,
        tag: 'deprecated',
        fixes: fixHere(file, `Replace with \`${successor}\``, [{ span: kindSpan, newText: successor }]),
      };
    }
  },
};

/** Reports retired kinds in a package, which may contain artifacts of these kinds, although conversion skips them. */
function* inPackage({ frontmatter: { tree } }: SkillFile): Iterable<Draft> {
  if (tree.broken) return;
  for (const artifact of listItems(findValue(tree.root, 'artifacts'))) {
    const kind = findValue(artifact, 'kind');
    const word = stringOf(kind);
    if (!kind || (word !== 'code_template' && word !== 'dspy_module')) continue;
    const instead = word === 'dspy_module' ? REPLACEMENTS.DspyModule : REPLACEMENTS.CodeTemplate;
    yield {
      span: kind.span,
      message: `\`${word}\` is a retired kind of artifact and will not be converted. ${instead}`,
      severity: 'hint',
      tag: 'deprecated',
    };
  }
}
