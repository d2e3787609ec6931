import { fixHere, type Rule } from './rule.ts';

/** Reports a heading that is nearly an artifact kind, because the section is read as prose. */
export const unknownArtifactKind: Rule = {
  name: 'unknown-artifact-kind',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    for (const { kind, kindSpan } of file.body?.nearKinds ?? []) {
      const written = file.text.slice(kindSpan.start, kindSpan.end);
      yield {
        span: kindSpan,
        message: `Unknown artifact kind \`${written}\`, so this section is part of the framing. Did you mean \`${kind}\`?`,
        fixes: fixHere(file, `Replace with \`${kind}\``, [{ span: kindSpan, newText: kind }]),
      };
    }
  },
};
