import { fixHere, type Rule } from './rule.ts';

const INSTEAD = {
  CodeTemplate:
    'Skills run no code of their own any more: describe the steps in an Approach, and do the work with a tool.',
  DspyModule: 'Skills are composed, not compiled: write a PromptTemplate instead.',
} as const;

/** A section of a kind that the format no longer has. */
export const retiredArtifactKind: Rule = {
  name: 'retired-artifact-kind',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    for (const { kind, kindSpan } of file.body?.retiredKinds ?? []) {
      const successor = kind === 'DspyModule' ? 'PromptTemplate' : 'Approach';
      yield {
        span: kindSpan,
        message: `\`${kind}\` is a retired kind of artifact. ${INSTEAD[kind]}`,
        tag: 'deprecated',
        fixes: fixHere(file, `Replace with \`${successor}\``, [{ span: kindSpan, newText: successor }]),
      };
    }
  },
};
