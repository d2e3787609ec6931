import { findValue, stringOf } from '../../languages/yaml/node.ts';
import type { Artifact } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports artifacts with the same kind and name, and templates only if their model variants are also the same. */
export const duplicateArtifact: Rule = {
  name: 'duplicate-artifact',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    const first = new Map<string, Artifact>();
    for (const artifact of file.body?.artifacts ?? []) {
      const variant = variantOf(file, artifact);
      if (variant === undefined) continue;
      const key = JSON.stringify([artifact.kind, artifact.name, variant]);
      const earlier = first.get(key);
      if (!earlier) {
        first.set(key, artifact);
        continue;
      }
      const advice =
        artifact.kind === 'PromptTemplate'
          ? 'Rename one, or change its `model_variant`.'
          : artifact.explicitName
            ? 'Rename one.'
            : `Give it a name: \`## ${artifact.kind}: …\`.`;
      yield {
        span: artifact.nameSpan ?? artifact.kindSpan,
        message: `Duplicate ${artifact.kind} \`${artifact.name}\`. ${advice}`,
        related: [{ uri: file.uri, span: earlier.nameSpan ?? earlier.kindSpan, message: 'The first one is here' }],
      };
    }
  },
};

/**
 * Returns the `model_variant` of a template, an empty string if there is none, or undefined if the metadata cannot be
 * read.
 */
function variantOf({ metadata }: SkillFile, artifact: Artifact): string | undefined {
  if (artifact.kind !== 'PromptTemplate') return '';
  const tree = metadata.find((one) => one.artifact === artifact)?.tree;
  if (tree?.broken || (tree?.root && tree.root.kind !== 'map')) return undefined;
  return stringOf(findValue(tree?.root, 'model_variant')) ?? '';
}
